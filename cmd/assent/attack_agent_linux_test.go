package main

// An agent under test that means harm: a shell that asks by its hook, lives on, and
// runs whatever it is told.

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// attacker builds testdata/attacker beside the programs under test, once.
var attacker = sync.OnceValue(func() error {
	cmd := exec.Command("go", "build", "-o", filepath.Join(bin, "attacker"), "./testdata/attacker")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

// rogue is an agent that has asked to push by force: req_1 waits.
type rogue struct {
	*gate
	in    io.Writer
	out   *bufio.Reader
	calls int
}

// forced is the command that agents here ask for.
const forced = "git push --force origin main"

// attack runs a test of an agent that has asked, with a server and without one.
func attack(t *testing.T, test func(*rogue)) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) { test(g.rogue()) }, "approvals: {wait: 0}")
}

// rogue starts an agent, which asks.
func (g *gate) rogue() *rogue {
	g.Helper()
	a := g.idle()
	a.asks()
	return a
}

// idle starts an agent that has not asked yet.
func (g *gate) idle() *rogue {
	g.Helper()
	g.try(attacker())
	cmd := g.command("agent", "sh")
	in, err := cmd.StdinPipe()
	g.try(err)
	out, err := cmd.StdoutPipe()
	g.try(err)
	cmd.Stderr = os.Stderr
	g.try(cmd.Start())
	g.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &rogue{gate: g, in: in, out: bufio.NewReader(out)}
}

// does runs one line as a child of the agent's, or several; what they print comes
// together.
func (a *rogue) does(line string) (s said) {
	a.Helper()
	start := time.Now()
	_, err := fmt.Fprintf(a.in, "{ %s\n} </dev/null 2>&1; r=$?; echo; echo ::$r\n", line)
	a.try(err)
	for {
		text, err := a.out.ReadString('\n')
		if err != nil {
			a.Fatalf("the agent ended in %q: %v\n%s", line, err, s.out)
		}
		if _, err := fmt.Sscanf(text, "::%d", &s.code); err == nil {
			s.out, s.took = strings.TrimSuffix(s.out, "\n"), time.Since(start)
			return s
		}
		s.out += text
	}
}

// asks has the agent ask by its hook, with a call of its own, and returns what it was
// told.
func (a *rogue) asks() (decision, tell string) {
	a.Helper()
	s := a.hooked()
	var v struct{ Decision, Tell string }
	if err := json.Unmarshal([]byte(s.out), &v); err != nil || s.code != 0 {
		a.Fatalf("%v: %s", err, s)
	}
	return v.Decision, v.Tell
}

// hooked is what its hook prints of a call of its own.
func (a *rogue) hooked() said {
	a.Helper()
	a.calls++
	a.try(os.WriteFile(filepath.Join(a.dir, "call.json"), event(forced, fmt.Sprint("c", a.calls)), 0o600))
	return a.does("assent hook plain --event pre_tool_call <call.json")
}

// event is a call of the shell in the neutral form.
func event(command, call string) []byte {
	raw, err := json.Marshal(map[string]any{
		"name": "pre_tool_call", "session": "s1", "call": call, "dir": "/w", "tool": "shell", "input": map[string]string{"command": command},
	})
	if err != nil {
		panic(err)
	}
	return raw
}

// refused checks that an attack was refused with a code and one clear sentence.
func (a *rogue) refused(s said, code int, sentence string) {
	a.Helper()
	if s.code != code || strings.Count(s.out, sentence) != 1 || strings.Contains(s.out, "panic") {
		a.Errorf("want exit %d and %q: %s", code, sentence, s)
	}
}

// still checks that nothing came of an attack: the request waits, nothing was granted,
// and the agent's next call is not let through.
func (a *rogue) still() {
	a.Helper()
	if list := a.pending(); len(list) != 1 || list[0].ID != "req_1" {
		a.Errorf("pending: %+v", list)
	}
	if out := a.must("grants", "--all"); out != "no grants\n" {
		a.Errorf("granted: %s", out)
	}
	a.stopped()
}

// stopped checks that the agent's next call is not let through.
func (a *rogue) stopped() {
	a.Helper()
	if decision, tell := a.asks(); decision != "deny" && decision != "ask" {
		a.Errorf("let through: %s %s", decision, tell)
	}
}

// recorded checks that the log has an attempt that was refused, in the words that are
// used where there is no server and where there is one, and that it is whole.
func (a *rogue) recorded(alone, served string) {
	a.Helper()
	what := alone
	if a.health() == nil {
		what = served
	}
	out := a.must("log")
	for _, line := range strings.Split(out, "\n") {
		if strings.Contains(line, " refused ") && strings.Contains(line, what) {
			a.must("log", "verify")
			return
		}
	}
	a.Errorf("no refusal says %q: %s", what, out)
}

// broken checks that the log's verification fails and names the place.
func (a *rogue) broken(place string) {
	a.Helper()
	if s := a.assent("log", "verify"); s.code != exitFailed || !strings.Contains(s.err, place) {
		a.Errorf("log verify does not name %q: %s", place, s)
	}
}

// orphan has the agent run a line in a process that is nobody's child, in a session of
// its own, and returns what came of it. on is "setsid", or "pty" for a terminal too.
func (a *rogue) orphan(on, line string) (s said) {
	a.Helper()
	out := filepath.Join(a.dir, "orphan")
	a.try(errors.Join(os.RemoveAll(out), os.RemoveAll(out+".ended")))
	if s := a.does("attacker orphan " + out + " " + on + " " + line); s.code != 0 {
		a.Fatal(s)
	}
	return a.ended(out)
}

// ended waits for the end of what an orphan runs.
func (a *rogue) ended(out string) (s said) {
	a.Helper()
	a.until("the orphan's end", func() bool {
		raw, err := os.ReadFile(out + ".ended")
		_, bad := fmt.Sscan(string(raw), &s.code)
		return err == nil && bad == nil
	})
	raw, err := os.ReadFile(out)
	a.try(err)
	s.out = string(raw)
	return s
}
