package serve

// Law 11, with real processes: the one who asks can never answer. The test
// binary plays the agent, its helpers, and the person.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assent"
	"assent/internal/peer"
	"assent/roster"
)

func TestMain(m *testing.M) {
	play, ok := map[string]func(){
		"agent": playAgent, "helper": playHelper, "answer": playAnswer,
		"impostor": playImpostor, "user": playUser, "heir": playHeir,
	}[os.Getenv("ROLE")]
	if !ok {
		os.Exit(m.Run())
	}
	play()
}

func fail(err error) {
	fmt.Println("failed:", err)
	os.Exit(1)
}

// playAgent asks for a command, then tries to have it answered in the way WAY.
func playAgent() {
	ctx := context.Background()
	c := Dial(paths(os.Getenv("SOCKETS")), nil)
	e := shell(fmt.Sprintf("e%d", os.Getpid()), "rm -rf build")
	e.Session = e.ID
	e.Extra = map[string]json.RawMessage{"agent_pid": fmt.Append(nil, os.Getpid())}
	v, err := c.Handle(ctx, e)
	if err != nil {
		fail(err)
	}
	os.Setenv("REQUEST", v.Request)
	fmt.Println(v.Request)
	switch way := os.Getenv("WAY"); way {
	case "itself":
		playAnswer()
	case "child", "child with the key":
		run("answer", nil)
	case "child with its own terminal":
		run("answer", terminal())
	case "session ended":
		end := assent.Event{ID: "end", Name: assent.SessionEnd, Agent: "plain", Session: e.Session, Extra: e.Extra}
		if _, err := c.Handle(ctx, end); err != nil {
			fail(err)
		}
		run("answer", terminal())
	case "orphan":
		run("helper", nil)
	case "every door":
		run("user", nil)
	case "orphan in its own session":
		os.Setenv("ASSENT_AGENT_SESSION", e.Session)
		run("helper", terminal())
	case "wait":
	default:
		fail(errors.New(way))
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // the agent lives on
}

// playHelper starts a process that answers, and ends: its child is an orphan.
func playHelper() {
	cmd := as(context.Background(), "answer", "ORPHAN="+fmt.Sprint(os.Getpid()))
	cmd.Stdout = os.Stdout
	signal.Ignore(syscall.SIGHUP) // which the end of a session's leader sends
	if err := cmd.Start(); err != nil {
		fail(err)
	}
	os.Exit(0)
}

// playAnswer says yes over the socket and prints what came of it.
func playAnswer() {
	for os.Getenv("ORPHAN") == fmt.Sprint(os.Getppid()) { // until the helper is gone
	}
	a := assent.Answer{Request: os.Getenv("REQUEST"), Decision: assent.Allow, At: time.Now()}
	if file := os.Getenv("KEY"); file != "" {
		key, err := roster.Load(file, nil)
		if err != nil {
			fail(err)
		}
		msg, err := a.Signed()
		if err != nil {
			fail(err)
		}
		a.Proof = key.Prove(msg)
	}
	_, err := Dial(paths(os.Getenv("SOCKETS")), nil).Answer(context.Background(), a)
	var p *Problem
	switch {
	case err == nil:
		fmt.Println("ok")
	case errors.As(err, &p):
		fmt.Println(p.Code)
	default:
		fail(err)
	}
}

// as is this program in another role.
func as(ctx context.Context, role string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "ROLE="+role, "GORACE=atexit_sleep_ms=0")...)
	return cmd
}

// run starts this program in a role, on a terminal of its own if there is one,
// and waits for it.
func run(role string, on *tty) {
	cmd := as(context.Background(), role)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	if on != nil {
		defer on.close()
		on.give(cmd)
	}
	if err := cmd.Run(); err != nil {
		fail(err)
	}
}

// tty is both ends of a terminal.
type tty struct{ master, slave *os.File }

func terminal() *tty {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		fail(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		fail(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		fail(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		fail(err)
	}
	return &tty{master, slave}
}

// give makes it the controlling terminal of what cmd will start.
func (t *tty) give(cmd *exec.Cmd) {
	cmd.ExtraFiles = []*os.File{t.slave}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
}

func (t *tty) close() {
	t.slave.Close()
	t.master.Close()
}

// play starts an agent and returns the lines it prints.
func (f *fixture) play(t *testing.T, way string, env ...string) func() string {
	t.Helper()
	cmd := as(t.Context(), "agent", append(env, "WAY="+way, "SOCKETS="+f.dir())...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	_, says := talk(t, cmd)
	return says
}

// talk starts a process, and returns what writes lines to it and what reads the next of
// those it prints: "" when there are no more.
func talk(t *testing.T, cmd *exec.Cmd) (tell func(string), says func() string) {
	t.Helper()
	in := must[io.WriteCloser](t)(cmd.StdinPipe())
	out := bufio.NewReader(must[io.ReadCloser](t)(cmd.StdoutPipe()))
	cmd.Cancel, cmd.WaitDelay = nil, 0
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	tell = func(line string) { _, _ = io.WriteString(in, line+"\n") }
	return tell, func() string {
		line, _ := out.ReadString('\n')
		return strings.TrimSpace(line)
	}
}

// still checks that the request was not answered, and why that was recorded.
func (f *fixture) still(t *testing.T, id, why string) {
	t.Helper()
	if r := must[assent.Request](t)(f.Request(t.Context(), id)); r.State != assent.Pending {
		t.Errorf("%s is %s", id, r.State)
	}
	if notes := f.refusals(t); !strings.Contains(notes, why) {
		t.Errorf("%q is not recorded: %s", why, notes)
	}
}

func TestTheOneWhoAsksCanNeverAnswerBySocket(t *testing.T) {
	t.Parallel()
	f := start(t)
	for way, why := range map[string]string{
		"itself":                      "the process of plain, process ",
		"child":                       "child of plain, process ",
		"child with the key":          "child of plain, process ",
		"child with its own terminal": "child of plain, process ",
		"session ended":               "child of plain, process ",
		"orphan":                      "in the same session as plain, process ",
		"orphan in its own session":   "carries ASSENT_AGENT_SESSION",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			key := ""
			if strings.Contains(way, "key") {
				key = "KEY=" + f.keys
			}
			says := f.play(t, way, key)
			id := says()
			if got := says(); got != "self-approval" {
				t.Fatalf("answering %s: %q", id, got)
			}
			f.still(t, id, "/"+id+"/answer: ")
			f.still(t, id, why)
		})
	}
}

// The control: the same answer, from a terminal that no agent shares.
func TestAPersonsTerminalCanAnswerBySocket(t *testing.T) {
	t.Parallel()
	if how := peer.Lead(peer.Self(), nil); how != "" {
		t.Skip("this test itself runs under an agent: " + how)
	}
	f := start(t)
	id := f.play(t, "wait")()
	for _, c := range []struct {
		terminal bool
		want     string
	}{{false, "forbidden"}, {true, "ok"}, {true, "settled"}} {
		cmd := as(t.Context(), "answer", "SOCKETS="+f.dir(), "REQUEST="+id)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if c.terminal {
			own := terminal()
			defer own.close()
			own.give(cmd)
		}
		out, err := cmd.Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Fatalf("terminal %v: %q, %v", c.terminal, got, err)
		}
	}
	if r := must[assent.Request](t)(f.Request(t.Context(), id)); r.Answer.By.Surface != "terminal" {
		t.Fatalf("%+v", r.Answer)
	}
}

func TestTheOneWhoAsksCanNeverAnswerByHTTP(t *testing.T) {
	t.Parallel()
	f := start(t)
	id := f.ask(t, shell("e1", "ls"))
	signed := f.signed(t, assent.Answer{Request: id, Decision: assent.Deny})
	other := f.signed(t, assent.Answer{Request: "req_999", Decision: assent.Allow})
	for name, a := range map[string]assent.Answer{
		"the token alone":       {Decision: assent.Allow},
		"a key's name":          {Decision: assent.Allow, Proof: assent.Proof{Key: f.key.Fingerprint()}},
		"another's signature":   {Decision: assent.Allow, Proof: assent.Proof{Key: "SHA256:x", Signature: make([]byte, 64)}},
		"a no turned into yes":  {Decision: assent.Allow, At: signed.At, Proof: signed.Proof},
		"a yes to another":      {Decision: assent.Allow, At: other.At, Proof: other.Proof},
		"a yes without its day": {Decision: assent.Deny, Proof: signed.Proof},
	} {
		a.Request = id
		code, raw := f.http(t, "POST", path(id)+"/answer", a)
		if code != 403 || problem(t, raw).Code != "forbidden" {
			t.Errorf("%s: %d %s", name, code, raw)
		}
	}
	for header, value := range map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-User": "root", "Authorization": "Bearer "} {
		code, raw := f.http(t, "POST", path(id)+"/answer", assent.Answer{Decision: assent.Allow}, func(r *http.Request) { r.Header.Set(header, value) })
		if code != 403 && code != 401 {
			t.Errorf("%s: %d %s", header, code, raw)
		}
	}
	f.still(t, id, "answer "+id+": ")
}

// An agent that writes into assent's home is found out when it answers.
func TestTheOneWhoAsksCanNeverAnswerByFile(t *testing.T) {
	t.Parallel()
	f := start(t)
	dir := f.dir()
	says := f.play(t, "child with the key", "KEY="+agentsKey(t, dir))
	id := says()
	if got := says(); got != "self-approval" {
		t.Fatalf("with a key of its own: %q", got)
	}
	f.still(t, id, "child of plain")
}

// agentsKey registers a key as an agent would that can write here.
func agentsKey(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "mine.key")
	if _, err := roster.Create(filepath.Join(dir, "approvers"), "mine", file, nil); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheOneWhoAsksCanNeverRevokeOrAnswerByHelper(t *testing.T) {
	t.Parallel()
	f := start(t)
	grant := f.say(t, f.ask(t, shell("e1", "ls")), assent.Allow).Grant
	// This test asks by the socket, so whatever it starts is a helper of its.
	e := shell("e2", "ls")
	v := must[assent.Verdict](t)(f.Handle(t.Context(), e))
	a := f.signed(t, assent.Answer{Request: v.Request, Decision: assent.Allow})
	if _, err := f.Answer(t.Context(), a); !errors.Is(err, assent.ErrSelfApproval) {
		t.Error(err)
	}
	r := assent.Revocation{Selection: assent.Selection{ID: grant}, At: time.Now()}
	r.Proof = f.key.Prove(must[[]byte](t)(r.Signed()))
	if _, err := f.Revoke(t.Context(), r); !errors.Is(err, assent.ErrSelfApproval) {
		t.Error(err)
	}
	cmd := as(t.Context(), "answer", "SOCKETS="+f.dir(), "REQUEST="+v.Request, "KEY="+f.keys)
	if err := f.Enroll(t.Context(), assent.Enrollment{Name: "mine", Key: "SHA256:x", Public: []byte("x")}); !errors.Is(err, assent.ErrSelfApproval) {
		t.Error(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != "self-approval" {
		t.Errorf("%q, %v", out, err)
	}
	f.still(t, v.Request, "child of plain")
}

// Who leaves before it is looked at has shown nothing of itself.
func TestWhoHasLeftIsNobody(t *testing.T) {
	t.Parallel()
	f := start(t)
	gone := peer.Self()
	gone.Start++
	for _, p := range []assent.Process{gone, {UID: os.Getuid()}, {}} {
		c := &call{Server: f.server, r: must[*http.Request](t)(http.NewRequestWithContext(t.Context(), "GET", "/", nil)), who: caller{local: true, process: p}}
		if who, err := c.peer(); who != nil || err != nil {
			t.Errorf("%+v: %+v, %v", p, who, err)
		}
		if who, err := c.holder(); err != nil || who == nil || who.PID != 0 || who.Sessions != nil {
			t.Errorf("%+v as a holder: %+v, %v", p, who, err)
		}
	}
}
