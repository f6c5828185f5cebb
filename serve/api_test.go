package serve

// The API through both doors: what it answers, and how waiting ends.

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assent"
)

func TestBothDoorsGiveTheEnginesAnswers(t *testing.T) {
	t.Parallel()
	f := start(t)
	for tool, want := range map[string]assent.Decision{"read": assent.None, assent.ToolShell: assent.Ask, assent.ToolWrite: assent.Deny} {
		e := shell("e-"+tool, "ls")
		e.Tool = tool
		v, err := f.Handle(t.Context(), e)
		if err != nil || v.Decision != want {
			t.Errorf("socket: %s: %+v, %v", tool, v, err)
		}
		e.Session = "s2"
		code, raw := f.http(t, "POST", "/v1/events", e)
		if code != 200 || !strings.Contains(string(raw), `"decision":"`+want.String()+`"`) {
			t.Errorf("HTTP: %s: %d %s", tool, code, raw)
		}
		c, v, err := f.Check(t.Context(), e)
		if err != nil || v.Decision != want || c.Tool != tool || v.Request != "" {
			t.Errorf("check: %s: %+v %+v, %v", tool, c, v, err)
		}
	}
}

func TestCheckRecordsNothing(t *testing.T) {
	t.Parallel()
	f := start(t)
	before := must[assent.Head](t)(f.engine.Store().Head(t.Context()))
	if _, _, err := f.Check(t.Context(), shell("e", "ls")); err != nil {
		t.Fatal(err)
	}
	if after := must[assent.Head](t)(f.engine.Store().Head(t.Context())); before != after {
		t.Fatalf("%+v, then %+v", before, after)
	}
}

func TestAYesThroughTheDoorsIsAGrantThatIsSpentOnce(t *testing.T) {
	t.Parallel()
	f := start(t)
	e := shell("e1", "rm -rf build")
	id := f.ask(t, e)
	near := must[assent.Request](t)(f.engine.Store().Request(t.Context(), id))
	far := must[assent.Request](t)(f.Request(t.Context(), id))
	if d := cmp.Diff(near, far); d != "" {
		t.Fatal("the request changed on its way:\n" + d)
	}
	if r := f.say(t, id, assent.Allow); r.State != assent.Approved || r.Answer.By.Name != "anna" {
		t.Fatalf("%+v", r)
	}
	code, raw := f.http(t, "POST", "/v1/events", e)
	if code != 200 || !strings.Contains(string(raw), `"decision":"allow"`) {
		t.Fatalf("%d %s", code, raw)
	}
	e.ID, e.Call = "e2", "e2"
	if next := f.ask(t, e); next == id {
		t.Fatal("the same request again")
	}
	grants := must[[]assent.Grant](t)(f.Grants(t.Context(), assent.GrantFilter{}))
	live := must[[]assent.Grant](t)(f.Grants(t.Context(), assent.GrantFilter{Live: true}))
	if len(grants) != 1 || grants[0].Used != 1 || len(live) != 0 {
		t.Fatalf("%+v, live %+v", grants, live)
	}
}

func TestTheDoorSaysWhoAsksAndWhen(t *testing.T) {
	t.Parallel()
	f := start(t)
	e := shell("e1", "ls")
	e.Principal, e.At, e.Again = "root", time.Unix(1, 0), true
	id := f.ask(t, e)
	r := must[assent.Request](t)(f.Request(t.Context(), id))
	if r.Case.Principal != "token" || time.Since(r.Case.At) > time.Minute || r.Case.Again {
		t.Fatalf("%+v", r.Case.Event)
	}
	e.Session = "s2"
	v := must[assent.Verdict](t)(f.Handle(t.Context(), e))
	r = must[assent.Request](t)(f.Request(t.Context(), v.Request))
	if !strings.HasPrefix(r.Case.Principal, "uid:") {
		t.Fatalf("%+v", r.Case.Event)
	}
	sessions := must[[]assent.Session](t)(f.engine.Store().Sessions(t.Context()))
	if len(sessions) != 1 || sessions[0].ID != "s2" || sessions[0].Process.PID == 0 {
		t.Fatalf("%+v", sessions)
	}
}

func TestRevokeThroughTheDoor(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	grant := f.say(t, id, assent.Allow).Grant
	r := assent.Revocation{Selection: assent.Selection{ID: grant}, At: time.Now()}
	if _, raw := f.http(t, "POST", "/v1/grants/"+grant+"/revoke", r); problem(t, raw).Code != "forbidden" {
		t.Fatalf("unsigned: %s", raw)
	}
	msg := must[[]byte](t)(r.Signed())
	r.Proof = f.key.Prove(msg)
	if code, raw := f.http(t, "POST", "/v1/grants/grant_999/revoke", r); code != 400 {
		t.Fatalf("path and body differ: %d %s", code, raw)
	}
	code, raw := f.http(t, "POST", "/v1/grants/"+grant+"/revoke", r)
	if code != 200 || !strings.Contains(string(raw), grant) {
		t.Fatalf("%d %s", code, raw)
	}
	e := shell("e1", "ls")
	f.ask(t, e) // asked again: the grant is gone

	all := assent.Revocation{Selection: assent.Selection{All: true}, At: time.Now()}
	all.Proof = f.key.Prove(must[[]byte](t)(all.Signed()))
	if code, raw := f.http(t, "POST", "/v1/revoke", all); code != 200 || string(raw) != `{"grants":[]}` {
		t.Fatalf("%d %s", code, raw)
	}
}

func TestForwardThroughTheDoor(t *testing.T) {
	t.Parallel()
	f := start(t)
	helper := shell("e2", "pwd")
	helper.Session += "/helper"
	f.ask(t, helper)
	id := f.ask(t, shell("e1", "ls"))
	grant := f.say(t, id, assent.Allow).Grant
	w := assent.Forwarding{Grant: grant, To: helper.Session, At: time.Now()}
	at := "/v1/grants/" + grant + "/forward"
	if _, raw := f.http(t, "POST", at, w); problem(t, raw).Code != "forbidden" {
		t.Fatalf("unsigned: %s", raw)
	}
	w.Proof = f.key.Prove(must[[]byte](t)(w.Signed()))
	if code, raw := f.http(t, "POST", "/v1/grants/gr_999/forward", w); code != 400 {
		t.Fatalf("path and body differ: %d %s", code, raw)
	}
	said := w
	said.Proof.Peer = &assent.Peer{}
	if _, raw := f.http(t, "POST", at, said); problem(t, raw).Code != "invalid" || !strings.Contains(string(raw), "proof.peer") {
		t.Fatalf("who it is, is said: %s", raw)
	}
	g, err := f.Forward(t.Context(), said) // the client does not say it
	if err != nil || g.Parent != grant || g.Scope.Session != helper.Session || g.Scope.Uses != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	if code, raw := f.http(t, "POST", at, w); code != 409 || problem(t, raw).Code != "settled" {
		t.Fatalf("once more: %d %s", code, raw)
	}
	w.To = "guess"
	w.Proof = f.key.Prove(must[[]byte](t)(w.Signed()))
	if _, err := f.Forward(t.Context(), w); !errors.Is(err, assent.ErrNotFound) {
		t.Fatal(err)
	}
	helper.ID, helper.Input = "e3", shell("e3", "ls").Input
	if _, raw := f.http(t, "POST", "/v1/events", helper); !strings.Contains(string(raw), `"decision":"allow"`) || !strings.Contains(string(raw), `"grant":"`+g.ID+`"`) {
		t.Fatalf("%s", raw)
	}
}

func TestTheFirstAnswerWinsAndLaterOnesAreToldSo(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	f.say(t, id, assent.Deny)
	code, raw := f.http(t, "POST", path(id)+"/answer", f.signed(t, assent.Answer{Request: id, Decision: assent.Allow}))
	p := problem(t, raw)
	if code != 409 || !errors.Is(p, assent.ErrSettled) || p.Request == nil || p.Request.State != assent.Denied {
		t.Fatalf("%d %s", code, raw)
	}
}

func TestWaitEndsWithTheAnswer(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	type end struct {
		r   assent.Request
		err error
		at  time.Time
	}
	done := make(chan end, 1)
	go func() {
		r, err := f.Wait(t.Context(), id, time.Minute)
		done <- end{r, err, time.Now()}
	}()
	soon(t, "the poll waits", func() bool { return len(f.server.polls) == 1 })
	f.say(t, id, assent.Allow)
	answered := time.Now()
	got := <-done
	if got.err != nil || got.r.State != assent.Approved {
		t.Fatalf("%+v, %v", got.r, got.err)
	}
	t.Logf("%v after the answer's own reply", got.at.Sub(answered))
	if late := got.at.Sub(answered); late > time.Second {
		t.Fatalf("%v after the answer", late)
	}
}

func TestWaitEndsWithItsHold(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	for _, hold := range []string{"0", "0.001", "1ms", "0s"} {
		if code, raw := f.http(t, "GET", path(id)+"/wait?hold="+hold, nil); code != 200 || !strings.Contains(string(raw), `"state":"pending"`) {
			t.Errorf("%s: %d %s", hold, code, raw)
		}
	}
	for _, hold := range []string{"-1", "61", "61s", "soon", "1e9", "NaN", "-1s"} {
		if code, raw := f.http(t, "GET", path(id)+"/wait?hold="+hold, nil); code != 400 {
			t.Errorf("%s: %d %s", hold, code, raw)
		}
	}
	if _, err := f.Wait(t.Context(), "req_999", time.Minute); !errors.Is(err, assent.ErrNotFound) {
		t.Error(err)
	}
}

func TestWaitsAreBounded(t *testing.T) {
	t.Parallel()
	f := start(t, func(s *Server) { s.Polls = 1 })
	id := f.ask(t, shell("e1", "ls"))
	done := make(chan error, 1)
	go func() {
		_, err := f.Wait(t.Context(), id, time.Minute)
		done <- err
	}()
	soon(t, "the poll waits", func() bool { return len(f.server.polls) == 1 })
	if _, err := f.Wait(t.Context(), id, time.Minute); !errors.Is(err, assent.ErrFull) {
		t.Fatal(err)
	}
	code, _ := f.http(t, "GET", path(id)+"/wait?hold=1s", nil)
	if code != http.StatusServiceUnavailable {
		t.Fatal(code)
	}
	f.say(t, id, assent.Deny)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestListsAreReadInPages(t *testing.T) {
	t.Parallel()
	f := start(t)
	var ids []string
	for _, n := range []string{"1", "2", "3"} {
		ids = append(ids, f.ask(t, shell("e"+n, "ls "+n)))
	}
	f.say(t, ids[1], assent.Deny)
	list := func(filter assent.RequestFilter) (got []string) {
		for _, r := range must[[]assent.Request](t)(f.Requests(t.Context(), filter)) {
			got = append(got, r.ID)
		}
		return got
	}
	for _, c := range []struct {
		f    assent.RequestFilter
		want []string
	}{
		{assent.RequestFilter{}, ids},
		{assent.RequestFilter{Limit: 1}, ids[:1]},
		{assent.RequestFilter{After: ids[0], Limit: 1}, ids[1:2]},
		{assent.RequestFilter{State: assent.Denied}, ids[1:2]},
		{assent.RequestFilter{Session: "nobody"}, nil},
	} {
		if got := list(c.f); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
	for _, bad := range []string{"?state=maybe", "?limit=0", "?limit=1001", "?limit=x", "?after=a&after=b", "?sate=pending"} {
		if code, raw := f.http(t, "GET", "/v1/requests"+bad, nil); code != 400 || problem(t, raw).Code != "invalid" {
			t.Errorf("%s: %d %s", bad, code, raw)
		}
	}
}

func TestRecordsArriveByteForByte(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.ask(t, shell("e1", "echo '<a> & \u2028' > x"))
	near := must[[]assent.Line](t)(f.engine.Store().Lines(t.Context(), 0, 10))
	far := must[[]assent.Line](t)(f.Lines(t.Context(), 0, 10))
	if len(near) == 0 {
		t.Fatal("no records")
	}
	if d := cmp.Diff(near, far); d != "" {
		t.Fatal(d)
	}
	for _, l := range far {
		if assent.LeafHash(l.Leaf) != l.Hash {
			t.Errorf("record %d: its bytes do not have its hash", l.N)
		}
	}
	_, raw := f.http(t, "GET", "/v1/records", nil)
	if bytes.Contains(raw, []byte(`"payload":"`)) && !bytes.Contains(raw, []byte(near[0].Hash)) {
		t.Errorf("payloads that nobody asked for: %s", raw)
	}
}

func TestHealthNeedsNoToken(t *testing.T) {
	t.Parallel()
	f := start(t)
	for i, want := range []int{0, 1} {
		code, raw := f.http(t, "GET", "/healthz", nil, func(r *http.Request) { r.Header.Del("Authorization") })
		var h Health
		if err := json.Unmarshal(raw, &h); err != nil || code != 200 || h.Version != "test" || h.Pending != want {
			t.Fatalf("%d: %d %s", i, code, raw)
		}
		f.ask(t, shell("e1", "ls"))
	}
	if h, err := f.Health(t.Context()); err != nil || h.Pending != 1 || h.Uptime <= 0 {
		t.Fatalf("%+v, %v", h, err)
	}
}
