//go:build unix

package main

// What hangs: assent's own deadline lies well under the agent's, which would run
// the call or lose it.

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// own is our deadline for everything but waiting for a person, with a margin for
// a busy machine. The agent's is ten minutes.
const own = handleLimit + 5*time.Second

func TestInputThatNeverEndsIsADenial(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	in, keep, err := os.Pipe()
	g.try(err)
	defer keep.Close()
	defer in.Close()
	_, err = keep.WriteString(`{"session_id":`)
	g.try(err)
	end := g.begin(in, "agent", "assent", "hook", "claude", "--event", "PreToolUse")
	g.denied(end(), "it came to no decision in time", own)
}

// stop stops a process where it stands, until the test's end.
func (g *gate) stop(s *server) {
	g.Helper()
	g.try(s.Process.Signal(syscall.SIGSTOP))
	g.Cleanup(func() { _ = s.Process.Signal(syscall.SIGCONT) })
}

// A server that was stopped still takes connections, and never answers.
func TestAdversarial16AServerThatWasStoppedHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	g.key()
	s := g.serve()
	held := g.hook("git push --force origin main", "t1")
	g.await(1)
	g.stop(s)
	call := g.hook("ls", "t2")
	people := map[string]func() said{}
	for _, command := range []string{"requests", "show 1", "approve 1 --key " + g.path("me.key"), "deny 1", "grants", "revoke --all", "keys create --name two"} {
		people[command] = g.begin(nil, "assent", strings.Fields(command)...)
	}
	doctor := g.begin(nil, "assent", "doctor")
	const says = " has not answered for 8s"
	g.denied(call(), says, own)
	for command, end := range people {
		if s := end(); s.code != exitConflict || !strings.Contains(s.err, says) || !strings.Contains(s.err, "assent serve (pid ") || s.took > own {
			t.Errorf("%s: %s", command, s)
		}
	}
	if s := doctor(); s.code != exitFailed || !strings.Contains(s.out, says) {
		t.Errorf("doctor: %s", s)
	}
	g.denied(held(), " has not answered for 18s", holdStep+own)

	// It goes on where it stood: what waited waits, and nothing was granted.
	g.try(s.Process.Signal(syscall.SIGCONT))
	if list := g.pending(); len(list) != 1 || list[0].ID != "req_1" {
		t.Errorf("pending: %+v", list)
	}
	if out := g.must("grants", "--all"); out != "no grants\n" {
		t.Error(out)
	}
}

// A command may be as long as it likes: it is judged whole, or not at all.
func TestAPaddedCommandIsJudgedInTime(t *testing.T) {
	t.Parallel()
	g := newGate(t, "approvals: {wait: 0}")
	g.serve()
	for name, c := range map[string]struct{ command, says string }{
		"25,000 commands before one that must not run": {strings.Repeat("true;", 25_000) + "rm -rf /", ""},
		"25,000 commands before a risky one":           {strings.Repeat("true;", 25_000) + "git push --force origin main", ""},
		"one word of 3 MB":                             {"rm -rf / " + strings.Repeat("a", 3<<20), ""},
		"a deep nest":                                  {strings.Repeat("$(", 20_000) + "rm -rf /" + strings.Repeat(")", 20_000), ""},
		"4 MB of quotes":                               {strings.Repeat("'", 4<<20-4096) + ";rm -rf /", ""},
		"more than is read":                            {strings.Repeat("true;", 1<<20) + "rm -rf /", "longer than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := *g
			g.T = t
			s := g.hook(c.command, name)()
			g.denied(s, c.says, own)
			t.Log("answered in", s.took.Round(time.Millisecond))
		})
	}
}

// A store that fails for a while is no reason for the server to end.
func TestAServerOutlivesALockedDatabase(t *testing.T) {
	t.Parallel()
	g := newGate(t, "approvals: {wait: 0, expires: 1}")
	g.serve()
	g.denied(g.hook("git push --force origin main", "t1")(), "req_1", own)
	free := g.exclusive()
	g.until("the server says what is wrong", func() bool {
		said, err := os.ReadFile(g.path("serve.err"))
		return err == nil && strings.Contains(string(said), "was busy for more than 2s")
	})
	free()
	g.until("the request runs out", func() bool { return strings.Contains(g.must("requests", "--all"), "expired") })
	g.try(g.health())
}

// Whoever takes the server's socket away has not taken its place.
func TestAServerWithoutItsSocketIsNamed(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	g.serve()
	g.try(os.Remove(g.path("assent.sock")))
	g.broken("assent serve (pid ", own)
}
