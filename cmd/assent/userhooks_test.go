//go:build unix

package main

// The user's hooks from outside: which of them run, and what becomes of a call whose
// hook cannot be asked.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// newHooked is a home with hooks that are allowed, and nobody who waits for a person.
func newHooked(t *testing.T, file string) *gate {
	t.Helper()
	return newGate(t, "approvals: {wait: 0}", "hooks_auto_accept: true", file)
}

// script writes a program of the user's, who calls it ~/NAME.
func (g *gate) script(name, body string) {
	g.Helper()
	g.try(os.WriteFile(filepath.Join(g.dir, name), []byte("#!/bin/sh\n"+body), 0o700))
}

// lines are those of a file in the user's directory.
func (g *gate) lines(name string) []string {
	g.Helper()
	raw, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil && !os.IsNotExist(err) {
		g.Fatal(err)
	}
	whole := raw[:strings.LastIndexByte(string(raw), '\n')+1]
	return strings.FieldsFunc(string(whole), func(r rune) bool { return r == '\n' })
}

// pids waits for n process numbers, which hooks write into ~/pids.
func (g *gate) pids(n int) []int {
	g.Helper()
	g.until(fmt.Sprint(n, " processes of hooks"), func() bool { return len(g.lines("pids")) >= n })
	var out []int
	for _, l := range g.lines("pids") {
		pid, err := strconv.Atoi(l)
		g.try(err)
		out = append(out, pid)
	}
	return out
}

// gone waits until none of the processes runs.
func (g *gate) gone(pids []int) {
	g.Helper()
	for _, pid := range pids {
		g.until(fmt.Sprint("the end of ", pid), func() bool { return exited(pid) })
	}
}

// exited reports whether a process is no more, or only waits to be collected.
func exited(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// let checks that nobody has an opinion on a call.
func (g *gate) let(s said) {
	g.Helper()
	if s.out != "{}\n" || s.code != 0 {
		g.Errorf("want no opinion: %s", s)
	}
}

// both runs a test with a server, and without one.
func both(t *testing.T, test func(t *testing.T, serve func(*gate))) {
	t.Parallel()
	for name, serve := range map[string]func(*gate){"served": func(g *gate) { g.serve() }, "alone": func(*gate) {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, serve)
		})
	}
}

const guard = "hooks:\n  pre_tool_call:\n  - {matcher: terminal, command: ~/guard.sh}\n"

// blocking says no to deployments.
const blocking = `case "$(cat)" in *deploy*) echo '{"decision": "block", "reason": "no deployments"}' ;; esac` + "\n"

// write is what Claude Code tells of a tool that no hook here guards.
func write(call string) *strings.Reader {
	return strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Write",` +
		`"tool_input":{"file_path":"/w/a","content":"x"},"tool_use_id":"` + call + `"}`)
}

// TestAdversarial16AGuardThatNobodyAllowedIsMissed: the calls that it guards are asked about, and no
// others. Once it is allowed it runs, at once and in whatever process; once it is
// edited it is missed again. The agent's environment allows nothing.
func TestAdversarial16AGuardThatNobodyAllowedIsMissed(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newGate(t, "approvals: {wait: 0}", guard)
		g.script("guard.sh", blocking)
		serve(g)
		g.env = append(g.env, "ASSENT_ACCEPT_HOOKS=1", "HERMES_ACCEPT_HOOKS=1", "HERMES_YOLO_MODE=1")
		missed := func(call, why string) {
			t.Helper()
			g.denied(g.hook("ls "+call, call)(), why, own)
			g.let(g.begin(write(call+"w"), "agent", "assent", "hook", "claude", "--event", "PreToolUse")())
		}
		allow := func() {
			t.Helper()
			g.must("hooks", "allow", "~/guard.sh", "--yes")
		}
		missed("t1", "it is not allowed to run yet: assent hooks allow '~/guard.sh'")
		allow()
		g.let(g.hook("ls", "t2")())
		g.denied(g.hook("make deploy", "t3")(), "no deployments", own)
		g.script("guard.sh", "true\n")
		missed("t4", "its script has changed since it was allowed")
		g.denied(g.hook("make deploy", "t5")(), "its script has changed since it was allowed", own)
		allow()
		g.let(g.hook("make deploy", "t6")())
		g.must("hooks", "revoke", "~/guard.sh")
		missed("t7", "it is not allowed to run yet")
		g.try(os.Remove(filepath.Join(g.dir, "guard.sh")))
		missed("t8", "script not found: "+filepath.Join(g.dir, "guard.sh"))
	})
}

// TestAHookThatIsKilledCountsAsOnErrorSays.
func TestAHookThatIsKilledCountsAsOnErrorSays(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, `hooks:
  pre_tool_call:
  - {matcher: terminal, command: ~/killed.sh}
  - {matcher: write_file, command: ~/killed.sh, on_error: deny}
  - {matcher: read_file, command: ~/killed.sh, on_error: ignore}
  - {matcher: patch, command: ~/killed.sh, fail_closed: true}
  - {matcher: web_extract, command: ~/killed.sh, fail_closed: false}
`)
		g.script("killed.sh", "kill -9 $$\n")
		serve(g)
		for tool, c := range map[string]struct{ input, says string }{
			"Bash":     {`{"command":"ls"}`, "~/killed.sh should have looked at this and could not: "},
			"Write":    {`{"file_path":"/w/a","content":"x"}`, "hook script ~/killed.sh failed closed: "},
			"Edit":     {`{"file_path":"/w/a","old_string":"x","new_string":"y"}`, "hook script ~/killed.sh failed closed: "},
			"Read":     {`{"file_path":"/w/a"}`, ""},
			"WebFetch": {`{"url":"https://example.com","prompt":"p"}`, ""},
		} {
			in := fmt.Sprintf(`{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":"t-%s"}`, tool, c.input, tool)
			s := g.begin(strings.NewReader(in), "agent", "assent", "hook", "claude", "--event", "PreToolUse")()
			if c.says == "" {
				g.let(s)
			} else {
				g.denied(s, c.says, own)
			}
		}
		if list := g.pending(); len(list) != 1 {
			t.Errorf("%d requests wait: a person is asked about what ask says, and about nothing else", len(list))
		}
	})
}

// TestAHookMayTakeLongerThanAssentItself, with a server and without.
func TestAHookMayTakeLongerThanAssentItself(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, "hooks:\n  pre_tool_call:\n  - {command: ~/slow.sh, timeout: 30}\n")
		g.script("slow.sh", fmt.Sprintf("sleep %d; echo '{\"decision\": \"block\", \"reason\": \"after long thought\"}'\n", int(handleLimit/time.Second)+1))
		serve(g)
		s := g.hook("ls", "t1")()
		if g.denied(s, "after long thought", 30*time.Second); s.took < handleLimit {
			t.Errorf("it was not waited for: %s", s)
		}
	})
}

// TestWhatHooksPrintAndReadIsBounded: a hundred megabytes are no answer, and a hook
// need not read what it is told.
func TestWhatHooksPrintAndReadIsBounded(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, `hooks:
  pre_tool_call:
  - {matcher: terminal, command: ~/flood.sh}
  - {matcher: write_file, command: ~/deaf.sh}
  post_tool_call:
  - {command: ~/flood.sh}
  - {command: ~/after.sh}
`)
		g.script("flood.sh", "head -c 100000000 /dev/zero | tr '\\0' x\n")
		g.script("deaf.sh", "echo '{\"decision\": \"block\", \"reason\": \"never\"}'; exec 0<&-\n")
		g.script("after.sh", "echo told >> $HOME/told\n")
		serve(g)
		g.denied(g.hook("ls", "t1")(), "~/flood.sh should have looked at this and could not", own)
		big, err := json.Marshal(map[string]any{
			"session_id": "s1", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "t2",
			"tool_input": map[string]string{"file_path": "/w/a", "content": strings.Repeat("x", 3<<20)},
		})
		g.try(err)
		g.denied(g.begin(strings.NewReader(string(big)), "agent", "assent", "hook", "claude", "--event", "PreToolUse")(), "never", own)
		g.let(g.begin(result("t1"), "agent", "assent", "hook", "claude", "--event", "PostToolUse")())
		g.until("the one beside is told", func() bool { return len(g.lines("told")) == 1 })
	})
}

// result is what Claude Code tells of a call that has run.
func result(call string) *strings.Reader {
	return strings.NewReader(`{"session_id":"s1","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},` +
		`"tool_response":{"stdout":"a","stderr":"","interrupted":false},"tool_use_id":"` + call + `"}`)
}

// TestALogThatCannotBeWrittenHoldsNobodyUp.
func TestALogThatCannotBeWrittenHoldsNobodyUp(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		g := newHooked(t, guard+"plugins: {enabled: [talks]}\n")
		g.script("guard.sh", blocking)
		g.plugin("talks", "def register(ctx):\n    ctx.register_hook('pre_tool_call', lambda **_: print('words'))\n")
		g.try(os.Mkdir(g.path("hooks.log"), 0o700))
		serve(g)
		g.let(g.hook("ls", "t1")())
		g.denied(g.hook("make deploy", "t2")(), "no deployments", own)
	})
}

// plugin writes a Python plugin of the user's.
func (g *gate) plugin(name, body string) {
	g.Helper()
	dir := g.path("plugins/" + name)
	g.try(os.MkdirAll(dir, 0o700))
	g.try(os.WriteFile(filepath.Join(dir, "plugin.yaml"), []byte("name: "+name+"\nversion: 1.0.0\n"), 0o600))
	g.try(os.WriteFile(filepath.Join(dir, "__init__.py"), []byte(body), 0o600))
}
