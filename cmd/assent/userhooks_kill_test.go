//go:build unix

package main

// Sudden ends: of the server, of the hook's process and of the Python host, in the
// middle of a call. Nothing is let through, and nothing is left running.

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sleeper is a hook that never answers, with a child of its own. It says so once it
// has run for some time, for then it is watched over.
const sleeper = `sleep 0.3
echo $$ >> "$HOME/pids"
sh -c 'echo $$ >> "$HOME/pids"; exec sleep 1000'
`

const sleeping = "hooks:\n  pre_tool_call:\n  - {matcher: terminal, command: ~/guard.sh, timeout: 60}\n"

// TestKilledServerWhileAHookIsAsked: the call is denied, the hook is not asked a second
// time, and ends with what it started.
func TestKilledServerWhileAHookIsAsked(t *testing.T) {
	t.Parallel()
	g := newHooked(t, sleeping)
	g.script("guard.sh", sleeper)
	s := g.serve()
	end := g.hook("ls", "t1")
	pids := g.pids(2)
	s.kill()
	g.denied(end(), "assent serve went away", own)
	g.gone(pids)
	if n := len(g.lines("pids")); n != 2 {
		t.Errorf("%d processes of hooks were started", n)
	}
	if out := g.must("log", "--session", "s1"); !strings.Contains(out, "deny") {
		t.Errorf("the denial is not recorded: %s", out)
	}
}

// TestKilledHookProcess: without a server it is the hook's process that asks. Its end
// is Claude Code's to answer; what it started ends with it.
func TestKilledHookProcess(t *testing.T) {
	t.Parallel()
	g := newHooked(t, sleeping)
	g.script("guard.sh", sleeper)
	cmd := g.command("assent", "hook", "claude", "--event", "PreToolUse")
	cmd.Stdin = payload("ls", "t1")
	var out strings.Builder
	cmd.Stdout = &out
	g.try(cmd.Start())
	pids := g.pids(2)
	g.try(cmd.Process.Kill())
	_ = cmd.Wait()
	g.gone(pids)
	if out.Len() > 0 {
		t.Errorf("it said %q", out.String())
	}
}

// TestATimeoutLeavesNothingRunning.
func TestATimeoutLeavesNothingRunning(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, "hooks:\n  pre_tool_call:\n  - {matcher: terminal, command: ~/guard.sh, timeout: 1}\n")
		g.script("guard.sh", sleeper)
		serve(g)
		g.denied(g.hook("ls", "t1")(), "no answer in time", own)
		g.gone(g.pids(2))
	})
}

// TestKilledWhileAnApproverIsAsked: the call is denied, its request stays, and the
// approval hook ends.
func TestKilledWhileAnApproverIsAsked(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	g := newGate(t, "hooks_auto_accept: true\napprovals: {mode: custom, hook: ~/guard.sh, timeout: 60}")
	g.script("guard.sh", sleeper)
	s := g.serve()
	end := g.hook("git push --force origin main", "t1")
	pids := g.pids(2)
	s.kill()
	g.denied(end(), "assent serve went away while req_1 waited", time.Minute)
	g.gone(pids)
	if list := g.pending(); len(list) != 1 {
		t.Errorf("%d requests wait", len(list))
	}
}

// TestKilledPythonHost: a plugin that guards is killed while it is asked. The call is
// asked about, and the next one is looked at again.
func TestKilledPythonHost(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, "plugins: {enabled: [guard]}\n")
		g.plugin("guard", `import os, time

def register(ctx):
    def check(tool_name, args, **_):
        if "slow" in args["command"]:
            with open(os.environ["HOME"] + "/pids", "a") as f:
                f.write("%d\n" % os.getpid())
            time.sleep(1000)
        if "deploy" in args["command"]:
            return {"action": "block", "message": "no deployments"}
    ctx.register_hook("pre_tool_call", check)
`)
		serve(g)
		end := g.hook("slow", "t1")
		pids := g.pids(1)
		g.try(syscall.Kill(pids[0], syscall.SIGKILL))
		g.denied(end(), "should have looked at this and could not", own)
		g.gone(pids)
		g.until("it looks again", func() bool {
			_, reason := g.told(g.hook("make deploy", "t2")())
			return strings.Contains(reason, "no deployments")
		})
	})
}

// TestTheInterpreterEndsWithItsServer, however that ends.
func TestTheInterpreterEndsWithItsServer(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*server){
		"killed":  (*server).kill,
		"stopped": func(s *server) { _ = s.Process.Signal(os.Interrupt); <-s.ended },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newHooked(t, "plugins: {enabled: [guard]}\n")
			g.plugin("guard", `import os
def register(ctx):
    def check(**_):
        with open(os.environ["HOME"] + "/pids", "a") as f:
            f.write("%d\n" % os.getpid())
    ctx.register_hook("pre_tool_call", check)
`)
			s := g.serve()
			g.let(g.hook("ls", "t1")())
			pids := g.pids(1)
			stop(s)
			g.gone(pids)
		})
	}
}

// TestAServerThatStopsWhileAHookIsAsked in the ordinary way lets nothing through either.
func TestAServerThatStopsWhileAHookIsAsked(t *testing.T) {
	t.Parallel()
	g := newHooked(t, sleeping)
	g.script("guard.sh", sleeper)
	s := g.serve()
	end := g.hook("ls", "t1")
	pids := g.pids(2)
	g.try(s.Process.Signal(os.Interrupt))
	if s := end(); s.took > 30*time.Second {
		t.Errorf("%s", s)
	} else {
		g.denied(s, "", 30*time.Second)
	}
	<-s.ended
	g.gone(pids)
}
