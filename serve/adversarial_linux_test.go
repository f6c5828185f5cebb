package serve

// Attacks on the doors, by the numbers of the list that they are kept in; with real
// processes wherever one plays a part.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assent"
	"assent/internal/peer"
)

// playImpostor listens at the granter's door and prints what it is told.
func playImpostor() {
	l, err := net.Listen("unix", paths(os.Getenv("SOCKETS"))[Granter])
	if err != nil {
		fail(err)
	}
	fmt.Println("listening")
	for {
		c, err := l.Accept()
		if err != nil {
			fail(err)
		}
		_, _ = io.Copy(os.Stdout, c)
	}
}

// playUser does what it is told in lines of "verb session word", as the holder, and
// prints what comes of each; without lines it tries every verb of a granter once.
func playUser() {
	c := Dial(paths(os.Getenv("SOCKETS")), nil)
	ctx := context.Background()
	if os.Getenv("WAY") == "every door" {
		everyDoor(ctx, c)
		return
	}
	fmt.Println(os.Getpid())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var verb, session, word string
		fmt.Sscan(lines.Text(), &verb, &session, &word)
		fmt.Println(userDoes(ctx, c, verb, session, word))
	}
}

func userDoes(ctx context.Context, c *Client, verb, session, word string) string {
	e := shell(word, "touch "+word)
	e.Session = session
	switch verb {
	case "hook": // as the agent's hook, which says whose process the agent is
		e.Extra = map[string]json.RawMessage{"agent_pid": fmt.Append(nil, os.Getpid())}
		v, err := c.Handle(ctx, e)
		return outcome(v, err)
	case "use", "ask":
		v, err := c.Use(ctx, assent.Use{Event: e, Ask: verb == "ask"})
		return outcome(v, err)
	case "show": // a handle
		e.Session = ""
		v, err := c.Use(ctx, assent.Use{Event: e, Handle: session})
		return outcome(v, err)
	case "usable":
		list, err := c.Usable(ctx, &assent.Peer{Sessions: []string{session}})
		return fmt.Sprint(len(list), " ", codeOf(err))
	}
	return "what is " + verb
}

func outcome(v assent.Verdict, err error) string {
	if err != nil {
		return codeOf(err)
	}
	if v.Decision != assent.Ask {
		return v.Decision.String()
	}
	return strings.TrimSpace("ask " + v.Request)
}

func codeOf(err error) string {
	var p *Problem
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &p):
		return p.Code
	}
	return err.Error()
}

// everyDoor tries every verb of people, and every facet, and prints what came of each.
func everyDoor(ctx context.Context, c *Client) {
	_, answer := c.Answer(ctx, assent.Answer{Request: os.Getenv("REQUEST"), Decision: assent.Allow})
	_, revoke := c.Revoke(ctx, assent.Revocation{Selection: assent.Selection{All: true}})
	_, forward := c.Forward(ctx, assent.Forwarding{Grant: "gr_1", To: "s"})
	_, renew := c.Renew(ctx, assent.Renewal{Grant: "gr_1"})
	_, _, hold := c.Hold(ctx, assent.Handling{Grant: "gr_1", Holder: assent.Holder{Session: "s"}})
	enroll := c.Enroll(ctx, assent.Enrollment{Name: "mine", Key: "SHA256:x", Public: []byte("x")})
	_, read := c.Requests(ctx, assent.RequestFilter{})
	_, usable := c.Usable(ctx, nil)
	for _, err := range []error{answer, revoke, forward, renew, hold, enroll, read, usable} {
		fmt.Print(codeOf(err), " ")
	}
	fmt.Println()
}

// An agent's child is let in where agents are, may read, and is refused whatever people
// do: before a byte of what it sends is read, and recorded as what it is.
func TestAdversarial04AnAgentsChildAtEachDoor(t *testing.T) {
	t.Parallel()
	f := start(t)
	says := f.play(t, "every door")
	id := says()
	if got, want := says(), strings.Repeat("self-approval ", 6)+"ok ok"; got != want {
		t.Fatalf("%q, want %q", got, want)
	}
	for _, path := range []string{"/v1/requests/" + id + "/answer", "/v1/revoke", "/v1/grants/gr_1/forward", "/v1/grants/gr_1/renew", "/v1/grants/gr_1/handle", "/v1/keys"} {
		f.still(t, id, "POST "+path+": child of plain, process ")
	}
}

// With each of the four tokens, an agent can do what that facet can, and never answer.
func TestAdversarial04AnAgentWithEachToken(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	for facet := Requester; facet <= Auditor; facet++ {
		for _, body := range []string{
			`{"decision":"allow"}`, `{"decision":"allow","proof":{"key":"` + f.key.Fingerprint() + `"}}`,
			`{"decision":"allow","by":{"surface":"terminal","id":"1000"}}`, `{"decision":"allow","proof":{"peer":{"pid":1,"uid":0,"tty":1}}}`,
		} {
			status, raw := f.byToken(t, facet, "POST", path(id)+"/answer", []byte(body))
			want := "facet"
			if facet == Granter {
				want = map[bool]string{true: "invalid", false: "forbidden"}[strings.Contains(body, "by") || strings.Contains(body, "peer")]
			}
			if got := code(t, status, raw); got != want {
				t.Errorf("%s: %s: %s, want %s", facet, body, got, want)
			}
		}
	}
	f.still(t, id, "answer "+id+": ")
}

// user starts a process that uses what it is told to.
func (f *fixture) user(t *testing.T) func(line string) string {
	t.Helper()
	cmd := as(t.Context(), "user", "SOCKETS="+f.dir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	tell, says := talk(t, cmd)
	says()
	return func(line string) string {
		tell(line)
		return says()
	}
}

// Naming the session of another gives nothing of it: not by hook, not as holder.
func TestAdversarial07TheSessionOfAnotherProcess(t *testing.T) {
	t.Parallel()
	f := start(t)
	owner, thief := f.user(t), f.user(t)
	grant := f.granted(t, owner, "a")
	for _, r := range must[[]assent.Request](t)(f.Requests(t.Context(), assent.RequestFilter{})) {
		if r.Grant == grant && (r.Case.Session != "s1" || r.Case.Agent != assent.AgentBroker) {
			t.Fatalf("%+v", r.Case.Event)
		}
	}
	for _, line := range []string{"hook s1 b", "hook s1 c"} { // it claims the session
		thief(line)
	}
	for line, want := range map[string]string{"usable s1": "0 ok", "use s1 a": "ask"} {
		if got := thief(line); got != want {
			t.Errorf("thief: %s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{"usable s2": "1 ok", "use s2 a": "allow"} { // what it says counts for nothing either
		if got := owner(line); got != want {
			t.Errorf("owner: %s: %q, want %q", line, got, want)
		}
	}
}

// granted has the owner ask for something that it is given for a while, and returns the
// grant.
func (f *fixture) granted(t *testing.T, owner func(string) string, word string) string {
	t.Helper()
	owner("hook s1 " + word)
	id := strings.TrimPrefix(owner("ask s1 "+word), "ask ")
	a := f.signed(t, assent.Answer{Request: id, Decision: assent.Allow, Width: assent.ForTurns, Uses: 5, For: assent.Duration(time.Minute)})
	status, raw := f.http(t, "POST", path(id)+"/answer", a)
	var r assent.Request
	if err := json.Unmarshal(raw, &r); err != nil || status != 200 || r.Grant == "" {
		t.Fatalf("%d %s", status, raw)
	}
	return r.Grant
}

// handle makes a handle of a grant, as a person with a key does.
func (f *fixture) handle(t *testing.T, grant string, h assent.Holder) string {
	t.Helper()
	w := assent.Handling{Grant: grant, Holder: h, At: time.Now()}
	w.Proof = f.key.Prove(must[[]byte](t)(w.Signed()))
	status, raw := f.http(t, "POST", "/v1/grants/"+grant+"/handle", w)
	var out Handled
	if err := json.Unmarshal(raw, &out); err != nil || status != 200 || !strings.HasPrefix(out.Handle, assent.HandlePrefix) {
		t.Fatalf("%d %s", status, raw)
	}
	return out.Handle
}

// A handle is its holder's: another process has nothing of it, and over HTTP it counts
// only where it is a session's.
func TestAdversarial07TheHandleOfAnother(t *testing.T) {
	t.Parallel()
	f := start(t)
	owner, thief := f.user(t), f.user(t)
	grant := f.granted(t, owner, "a")
	var process assent.Process
	for _, s := range must[[]assent.Session](t)(f.engine.Store().Sessions(t.Context())) {
		if s.ID == "s1" {
			process = s.Process
		}
	}
	bySession, byProcess := f.handle(t, grant, assent.Holder{Session: "s1"}), f.handle(t, grant, assent.Holder{Process: &process})
	for name, h := range map[string]string{"of the session": bySession, "of the process": byProcess} {
		if got := owner("show " + h + " a"); got != "allow" {
			t.Errorf("the handle %s, by its holder: %s", name, got)
		}
		if got := thief("show " + h + " a"); got != "forbidden" {
			t.Errorf("the handle %s, by a thief: %s", name, got)
		}
		e := shell("a", "touch a")
		e.ID, e.Call, e.Session = "http-"+name, "http-"+name, "s1"
		status, raw := f.http(t, "POST", "/v1/use", assent.Use{Event: e, Handle: h})
		want := map[string]string{bySession: "ok", byProcess: "forbidden"}[h]
		if got := code(t, status, raw); got != want {
			t.Errorf("the handle %s over HTTP: %d %s", name, status, raw)
		}
	}
}

// A handle is looked for wherever it could be read again.
func TestAdversarial20AHandleIsInNoRecord(t *testing.T) {
	t.Parallel()
	f := start(t)
	owner := f.user(t)
	h := f.handle(t, f.granted(t, owner, "a"), assent.Holder{Session: "s1"})
	for _, word := range []string{"a", "b"} {
		owner("show " + h + " " + word)
	}
	status, raw := f.http(t, "POST", "/v1/use", []byte(`{"handle":"`+h+`","event":{"Name":1}}`))
	if strings.Contains(string(raw), h) {
		t.Errorf("%d %s", status, raw)
	}
	for _, l := range must[[]assent.Line](t)(f.engine.Store().Lines(t.Context(), 0, 1000)) {
		if strings.Contains(string(l.Leaf)+string(l.Payload), h[:len(h)-8]) {
			t.Errorf("record %d has it: %s", l.N, l.Leaf)
		}
	}
}

// playHeir asks for everything to be revoked, on a connection that it was given.
func playHeir() {
	conn := os.NewFile(3, "conn")
	fmt.Fprint(conn, os.Getenv("SAYS"))
	raw, _ := io.ReadAll(conn)
	fmt.Printf("%q\n", raw)
}

// A connection is of the process that made it: whoever inherits it, or takes it from
// another, writes into the void, and is found out.
func TestAdversarial07AnInheritedConnection(t *testing.T) {
	t.Parallel()
	f := start(t)
	for facet, path := range f.at {
		conn := must[net.Conn](t)(net.Dial("unix", path))
		defer conn.Close()
		file := must[*os.File](t)(conn.(*net.UnixConn).File())
		defer file.Close()
		cmd := as(t.Context(), "heir", "SAYS=GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
		cmd.ExtraFiles = []*os.File{file}
		if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), " 400 ") {
			t.Errorf("%s: the heir was told %s, %v", Facet(facet), out, err)
		}
		want := fmt.Sprintf("the %s's door: process %d writes on a connection of process %d", Facet(facet), cmd.Process.Pid, os.Getpid())
		soon(t, "it is recorded", func() bool { return strings.Contains(f.refusals(t), want) })
	}
}

// What assent executes is used at the holder's door, where it is seen who does.
func TestAdversarial07AUseByTheRequestersDoor(t *testing.T) {
	t.Parallel()
	f := start(t)
	e := shell("e1", "ls")
	e.Agent = assent.AgentBroker
	for _, at := range []string{"/v1/events", "/v1/check"} {
		if status, raw := f.http(t, "POST", at, e); status != 403 {
			t.Errorf("%s: %d %s", at, status, raw)
		}
	}
}

// Over HTTP there is no process, and so no session: only a handle could count.
func TestAdversarial07ATokenIsNoHolder(t *testing.T) {
	t.Parallel()
	f := start(t)
	e := shell("e1", "ls")
	for path, body := range map[string]any{
		"/v1/use":   assent.Use{Event: e},
		"/v1/begin": assent.Start{Session: "s1", Call: "e1", Digest: "x", Child: &assent.Process{PID: os.Getpid()}},
	} {
		status, raw := f.http(t, "POST", path, body)
		if got := code(t, status, raw); got != "forbidden" {
			t.Errorf("%s: %d %s", path, status, raw)
		}
	}
	if status, raw := f.http(t, "GET", "/v1/usable", nil); status == 200 {
		t.Errorf("%s", raw)
	}
}

// Nobody has another's process ended by naming it as his own.
func TestAdversarial07AnothersProcessIsNobodysChild(t *testing.T) {
	t.Parallel()
	f := start(t)
	self := peer.Self()
	c := &call{Server: f.server}
	for _, by := range []*assent.Peer{nil, {Process: self}, {Process: assent.Process{PID: 1 << 29}}} {
		if p, err := c.child(self, by); !errors.Is(err, assent.ErrForbidden) || p != nil {
			t.Errorf("%+v: %+v, %v", by, p, err)
		}
	}
	cmd := as(t.Context(), "user", "SOCKETS="+f.dir())
	_, says := talk(t, cmd)
	says()
	said := assent.Process{PID: cmd.Process.Pid, UID: 4711, Group: 1}
	if p, err := c.child(said, &assent.Peer{Process: self}); err != nil || p == nil || p.Group == 1 || p.UID != os.Getuid() || p.Start == 0 {
		t.Errorf("a child of its own: %+v, %v", p, err)
	}
	said.Start = 1
	if p, err := c.child(said, &assent.Peer{Process: self}); p != nil || err != nil {
		t.Errorf("one that is over: %+v, %v", p, err)
	}
}

// Two yeses at once are one, and what was signed once does nothing twice.
func TestAdversarial11DoubleClickAndReplay(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	a := must[[]byte](t)(encode(f.signed(t, assent.Answer{Request: id, Decision: assent.Allow})))
	codes := make([]string, 16)
	var wg sync.WaitGroup
	for i := range codes {
		wg.Go(func() {
			status, raw := f.byToken(t, Granter, "POST", path(id)+"/answer", a)
			codes[i] = code(t, status, raw)
		})
	}
	wg.Wait()
	slices.Sort(codes)
	if want := append([]string{"ok"}, slices.Repeat([]string{"settled"}, 15)...); !slices.Equal(codes, want) {
		t.Fatal(codes)
	}
	grants := must[[]assent.Grant](t)(f.Grants(t.Context(), assent.GrantFilter{}))
	if len(grants) != 1 {
		t.Fatalf("%+v", grants)
	}
	e := shell("e2", "ls")
	if status, raw := f.http(t, "POST", "/v1/events", shell("e1", "ls")); status != 200 || !strings.Contains(string(raw), `"allow"`) {
		t.Fatalf("%d %s", status, raw)
	}
	next := f.ask(t, e) // the same thing once more: another request
	status, raw := f.byToken(t, Granter, "POST", path(next)+"/answer", a)
	if got := code(t, status, raw); got != "invalid" {
		t.Errorf("the old yes to the new request: %s", got)
	}
	var replayed assent.Answer
	if err := json.Unmarshal(a, &replayed); err != nil {
		t.Fatal(err)
	}
	replayed.Request = next
	status, raw = f.http(t, "POST", path(next)+"/answer", replayed)
	if got := code(t, status, raw); got != "forbidden" {
		t.Errorf("the old signature under the new request: %s", got)
	}
	f.still(t, next, "answer "+next)
}

// A yes that comes after the agent has gone, or the time is up, gives nothing.
func TestAdversarial11AYesThatComesTooLate(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	if _, err := f.engine.Store().Expire(t.Context(), time.Now().Add(1000*time.Hour), 10); err != nil {
		t.Fatal(err)
	}
	status, raw := f.http(t, "POST", path(id)+"/answer", f.signed(t, assent.Answer{Request: id, Decision: assent.Allow}))
	if got := code(t, status, raw); got != "settled" {
		t.Errorf("%d %s", status, raw)
	}
	if grants := must[[]assent.Grant](t)(f.Grants(t.Context(), assent.GrantFilter{})); len(grants) != 0 {
		t.Errorf("%+v", grants)
	}
}

// Who comes again comes as whoever he is then: what one call on a connection was
// allowed, the next is not.
func TestAdversarial14AConnectionCarriesNothingOn(t *testing.T) {
	t.Parallel()
	f := start(t)
	conn := must[net.Conn](t)(net.Dial("tcp", strings.TrimPrefix(f.url, "http://")))
	defer conn.Close()
	in := bufio.NewReader(conn)
	for i, c := range []struct {
		token string
		want  int
	}{{testTokens[Auditor], 200}, {testTokens[Requester], 403}, {"", 401}, {testTokens[Auditor] + ", Bearer " + testTokens[Requester], 401}, {testTokens[Auditor], 200}} {
		fmt.Fprintf(conn, "GET /v1/requests HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", conn.RemoteAddr(), c.token)
		resp := must[*http.Response](t)(http.ReadResponse(in, nil))
		_, _ = io.Copy(io.Discard, resp.Body)
		if resp.StatusCode != c.want {
			t.Errorf("call %d: %d, want %d", i, resp.StatusCode, c.want)
		}
	}
}

// Two headers are one too many: which of them counts is nobody's to choose.
func TestAdversarial14TwoTokensAreNone(t *testing.T) {
	t.Parallel()
	f := start(t)
	status, raw := f.http(t, "GET", "/v1/requests", nil, func(r *http.Request) {
		r.Header["Authorization"] = []string{"Bearer " + testTokens[Auditor], "Bearer " + testTokens[Granter]}
	})
	if got := code(t, status, raw); got != "token" {
		t.Errorf("%d %s", status, raw)
	}
}

// A process whose session has ended has nothing of it, however often it comes back; and
// a server that starts anew believes no more than the last one did.
func TestAdversarial14ReconnectingNeverWidens(t *testing.T) {
	t.Parallel()
	f := start(t)
	owner := f.user(t)
	f.granted(t, owner, "a")
	other := f.user(t)
	for range 2 {
		if mine, theirs := owner("usable s1"), other("usable s1"); mine != "1 ok" || theirs != "0 ok" {
			t.Fatalf("owner %s, another %s", mine, theirs)
		}
		f.again(t)
	}
	end := assent.Event{ID: "end", Name: assent.SessionEnd, Agent: "plain", Session: "s1"}
	if status, raw := f.http(t, "POST", "/v1/events", end); status != 200 {
		t.Fatalf("%d %s", status, raw)
	}
	for range 3 {
		if got := owner("usable s1"); got != "0 ok" {
			t.Fatal(got)
		}
	}
}
