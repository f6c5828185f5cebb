//go:build unix

package script

// Shell hooks that really run: what they are given, what their answers and failures
// count as, and what is left of them.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/consent"
)

// far is a deadline that no test is to reach.
const far = time.Minute

func anyone(string, string, string) consent.State { return consent.Allowed }

// call is a shell command that an agent is about to run.
func call(t *testing.T, command string) assent.Case {
	t.Helper()
	in, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	return assent.Case{Event: assent.Event{
		Name: assent.PreToolCall, Agent: "plain", Session: "s1", Call: "c1", Dir: t.TempDir(), Tool: assent.ToolShell, Input: in,
	}}
}

// file writes a script and returns the path to it.
func file(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// ask sends a case through a dispatcher with one hook.
func ask(t *testing.T, s Spec, h Host, c assent.Case) assent.Reply {
	t.Helper()
	if s.Event == "" {
		s.Event = c.Name
	}
	if s.Timeout == 0 {
		s.Timeout = far
	}
	e, warning := New(s, h)
	if warning != "" {
		t.Fatal(warning)
	}
	r, err := hook.New(hook.Options{}, e).Judge(t.Context(), c)
	if err != nil || len(r.Parts) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.Parts[0]
}

func TestAHookIsToldOfTheCallInItsOwnWords(t *testing.T) {
	t.Parallel()
	c := call(t, "ls ä")
	for dialect, want := range map[hook.Dialect]string{
		hook.Hermes: `{"cwd":"DIR","extra":{"agent":"plain","telemetry_schema_version":"hermes.observer.v1","tool_call_id":"c1"},"hook_event_name":"pre_tool_call","profile":"default","session_id":"s1","tool_input":{"command":"ls ä"},"tool_name":"terminal"}`,
		hook.Claude: `{"cwd":"DIR","hook_event_name":"PreToolUse","permission_mode":"default","session_id":"s1","tool_input":{"command":"ls ä"},"tool_name":"Bash","tool_use_id":"c1","transcript_path":""}`,
	} {
		given := filepath.Join(t.TempDir(), "given")
		r := ask(t, Spec{Command: "/bin/sh -c 'cat >\"$0\"' " + given, Dialect: dialect}, Host{Consent: anyone}, c)
		if r.Fault != "" {
			t.Fatal(r.Fault)
		}
		raw, err := os.ReadFile(given)
		if err != nil {
			t.Fatal(err)
		}
		canon, err := assent.Canonical(raw)
		if got := strings.ReplaceAll(string(canon), c.Dir, "DIR"); err != nil || got != want {
			t.Errorf("%s, %v\n got %s\nwant %s", dialect, err, got, want)
		}
	}
}

func TestAHookRunsWhereTheAgentIsAndKnowsIt(t *testing.T) {
	t.Parallel()
	c := call(t, "ls")
	h := Host{Home: "/home/u", AssentHome: "/h/assent", HermesHome: "/h/hermes", Consent: anyone,
		Env: []string{"PATH=" + os.Getenv("PATH"), "WORD=kept", "ASSENT_TOKEN=t", "ASSENT_KEY_PASSPHRASE=p", "PROJECT_DIR=old", "ASSENT_HOME=old"}}
	trial := Try(t.Context(), Spec{Command: `/bin/sh -c 'pwd -P; env' ~/x "$PROJECT_DIR"`}, h, c)
	lines := strings.Split(string(trial.Result.Stdout), "\n")
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil || lines[0] != dir {
		t.Errorf("it ran in %q, not in %q", lines[0], dir)
	}
	got := "\n" + strings.Join(lines, "\n")
	for _, want := range []string{"WORD=kept", "ASSENT_HOME=/h/assent", "HERMES_HOME=/h/hermes", "PROJECT_DIR=" + c.Dir, "CLAUDE_PROJECT_DIR=" + c.Dir, "ASSENT_HOOK_EVENT=pre_tool_call"} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("%s is not in its environment", want)
		}
	}
	for _, never := range []string{"ASSENT_TOKEN", "PASSPHRASE", "=old"} {
		if strings.Contains(got, never) {
			t.Errorf("%s is in its environment", never)
		}
	}
	if fmt.Sprintf("%q", trial.Args[3:]) != fmt.Sprintf("%q", []string{"/home/u/x", c.Dir}) {
		t.Errorf("%q", trial.Args)
	}
	c.Dir = filepath.Join(c.Dir, "gone")
	if trial := Try(t.Context(), Spec{Command: "/bin/sh -c pwd"}, h, c); trial.Result.Exit != 0 || len(trial.Result.Stdout) < 2 {
		t.Errorf("a directory that is gone stops the hook: %+v", trial)
	}
}

// TestEachFailureCountsAsOnErrorSays is the table of failures.
func TestEachFailureCountsAsOnErrorSays(t *testing.T) {
	t.Parallel()
	plain := file(t, "plain.txt", "#!/bin/sh\n", 0o600)
	missing := filepath.Join(t.TempDir(), "none.py")
	sh := func(script string) string { return "/bin/sh -c '" + script + "'" }
	for _, row := range []struct {
		name, command   string
		ask, deny, skip assent.Decision // for each value of OnError
		reason          string          // part of the reason where there is a decision
		fault           string          // part of the fault; empty = none at all
	}{
		{"nothing to say", sh("exit 0"), assent.None, assent.None, assent.None, "", ""},
		{"no-op JSON", sh("echo {}"), assent.None, assent.None, assent.None, "", ""},
		{"exit 2", sh("echo too risky >&2; exit 2"), assent.Deny, assent.Deny, assent.Deny, "too risky", ""},
		{"exit 2 and a block", sh(`echo "{\"action\":\"block\",\"message\":\"out\"}"; echo err >&2; exit 2`), assent.Deny, assent.Deny, assent.Deny, "out", ""},
		{"exit 2 and no word", sh("exit 2"), assent.Deny, assent.Deny, assent.Deny, "blocked by a hook", ""},
		{"exit 1", sh("echo offline >&2; exit 1"), assent.Ask, assent.Deny, assent.None, "exit status 1: offline", "offline"},
		{"exit 1 and a block", sh(`echo "{\"decision\":\"block\",\"reason\":\"no\"}"; exit 1`), assent.Deny, assent.Deny, assent.Deny, "no", "exit status 1"},
		{"exit 1 and an allow", sh(`echo "{\"permissionDecision\":\"allow\"}"; exit 1`), assent.Ask, assent.Deny, assent.None, "exit status 1", "exit status 1"},
		{"a signal", sh("kill -9 $$"), assent.Ask, assent.Deny, assent.None, "killed", "killed"},
		{"no program", "/no/such/guard", assent.Ask, assent.Deny, assent.None, "/no/such/guard: not found", "not found"},
		{"no program by name", "no-such-guard-anywhere", assent.Ask, assent.Deny, assent.None, "not found", "not found"},
		{"not executable", plain, assent.Ask, assent.Deny, assent.None, "not executable", "not executable"},
		{"no words", `"`, assent.Ask, assent.Deny, assent.None, "quote", "quote"},
		{"no script", "/bin/sh " + missing, assent.Ask, assent.Deny, assent.None, "script not found: " + missing, "script not found"},
		{"no JSON", sh("echo fine"), assent.Ask, assent.Deny, assent.None, "no JSON object: fine", "no JSON object"},
		{"two answers", sh(`echo "{\"decision\":\"ask\"}"; echo "{\"decision\":\"allow\"}"`), assent.Ask, assent.Deny, assent.None, "2 JSON answers", "2 JSON answers"},
		{"too much", sh("head -c 2000000 /dev/zero"), assent.Ask, assent.Deny, assent.None, "too long", "too long"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for on, want := range map[hook.OnError]assent.Decision{"": row.ask, hook.FailAsk: row.ask, hook.FailDeny: row.deny, hook.FailIgnore: row.skip} {
				r := ask(t, Spec{Command: row.command, OnError: on}, Host{Consent: anyone}, call(t, "ls"))
				if r.Decision != want || want != assent.None && !strings.Contains(r.Reason, row.reason) {
					t.Errorf("on_error %q: %s %q, want %s …%s…", on, r.Decision, r.Reason, want, row.reason)
				}
				if !strings.Contains(r.Fault, row.fault) || row.fault == "" && r.Fault != "" {
					t.Errorf("on_error %q: fault %q, want …%s…", on, r.Fault, row.fault)
				}
			}
		})
	}
}

func TestAnInterpreterWithoutItsScriptHasDecidedNothing(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 here, whose exit status for this is 2")
	}
	c := call(t, "echo hi")
	r := ask(t, Spec{Command: `python3 "$PROJECT_DIR"/.hooks/gate.py`}, Host{Consent: anyone}, c)
	if want := "script not found: " + filepath.Join(c.Dir, ".hooks/gate.py"); r.Decision != assent.Ask || !strings.Contains(r.Fault, want) {
		t.Errorf("%s %q, want ask and %q", r.Decision, r.Fault, want)
	}
}

func TestATimeoutEndsTheHookWithAllItStarted(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	e, _ := New(Spec{Event: assent.PreToolCall, Timeout: 300 * time.Millisecond, Command: "/bin/sh -c 'sleep 1000 & echo $! $$ >\"$0\"; wait' " + pids}, Host{Consent: anyone})
	r, err := hook.New(hook.Options{}, e).Judge(t.Context(), call(t, "ls"))
	if err != nil || r.Parts[0].Decision != assent.Ask || !strings.Contains(r.Parts[0].Fault, "no answer in time") {
		t.Errorf("%+v, %v", r, err)
	}
	raw, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(raw)) {
		for end := time.Now().Add(far); alive(pid); time.Sleep(2 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s still runs", pid)
			}
		}
	}
}

// alive reports whether a process runs, and does not only wait to be collected.
func alive(pid string) bool {
	var n int
	if _, err := fmt.Sscan(pid, &n); err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestWhoGivesUpGetsAnErrorAndNoAnswer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	trial := Try(ctx, Spec{Command: "/bin/sh -c 'exit 2'"}, Host{}, call(t, "ls"))
	if !errors.Is(trial.Err, context.Canceled) || trial.Reply.Decision != assent.None {
		t.Errorf("%+v", trial)
	}
}

func TestNoHookRunsThatNobodyAllowed(t *testing.T) {
	t.Parallel()
	ran := filepath.Join(t.TempDir(), "ran")
	guard := file(t, "guard.sh", "#!/bin/sh\ntouch "+ran+"\n", 0o700)
	list := consent.Open(filepath.Join(t.TempDir(), consent.Name), "")
	look := func(want assent.Decision, on hook.OnError, text string) {
		t.Helper()
		r := ask(t, Spec{Command: guard, OnError: on}, Host{Consent: list.Look}, call(t, "ls"))
		if r.Decision != want || !strings.Contains(r.Fault, text) || text == "" && r.Fault != "" {
			t.Errorf("%s, fault %q; want %s …%s…", r.Decision, r.Fault, want, text)
		}
		_, err := os.Stat(ran)
		if done := err == nil; done != (want == assent.None && text == "") {
			t.Errorf("it ran: %v", done)
		}
	}
	look(assent.Ask, "", "not allowed to run yet: assent hooks allow '"+guard+"'")
	look(assent.Deny, hook.FailDeny, "not allowed to run yet")
	if err := list.Allow(assent.PreToolCall, guard, ""); err != nil {
		t.Fatal(err)
	}
	look(assent.None, "", "")
	if err := errors.Join(os.Remove(ran), os.WriteFile(guard, []byte("#!/bin/sh\nexit 0\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	look(assent.Ask, "", "changed since it was allowed")
	e, _ := New(Spec{Event: assent.PreToolCall, Command: guard}, Host{})
	if _, err := e.Call(t.Context(), call(t, "ls")); err == nil {
		t.Error("with nobody to say so, it ran")
	}
	if got := quoted("it's"); got != `'it'\''s'` {
		t.Error(got)
	}
}

func TestWindowsRunsScriptsByTheirInterpreter(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"guard.py":       "[python guard.py -x]",
		"C:/h/guard.PS1": "[powershell -NoProfile -File C:/h/guard.PS1 -x]",
		"guard.exe":      "[guard.exe -x]",
	} {
		if got := fmt.Sprint(interpreted([]string{in, "-x"}, "windows")); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fmt.Sprint(interpreted([]string{"guard.py"}, "linux")); got != "[guard.py]" {
		t.Error(got)
	}
}
