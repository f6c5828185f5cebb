//go:build unix

package script

// Hooks as people write them, under bash with jq.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assent"
	"assent/hook"
)

// needs skips the test where a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed here, and the scripts need it", p)
		}
	}
}

// example runs one of the scripts in testdata on an event.
func example(t *testing.T, name string, s Spec, h Host, e assent.Event) assent.Reply {
	t.Helper()
	needs(t, "bash", "jq")
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	s.Command, s.Event, s.Timeout, h.Consent = "'"+path+"'", e.Name, far, anyone
	entry, warning := New(s, h)
	if warning != "" {
		t.Fatal(warning)
	}
	r, err := entry.Call(t.Context(), assent.Case{Event: e})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestHooksThatDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		dialect hook.Dialect
		command string
		want    assent.Reply
	}{
		{"no-wipe.sh", hook.Hermes, "rm -rf /", assent.Reply{Decision: assent.Deny, Reason: "not from the top of the disk: rm -rf /"}},
		{"no-wipe.sh", hook.Hermes, "rm -rf build", assent.Reply{}},
		{"no-force.sh", hook.Claude, "git push --force", assent.Reply{Decision: assent.Deny, Reason: "forced pushes need a colleague (PreToolUse)"}},
		{"no-force.sh", hook.Claude, "git push", assent.Reply{}},
		{"noisy.sh", hook.Hermes, "make deploy", assent.Reply{Decision: assent.Deny, Reason: "no deploys on a Friday", Fault: "line 1 is not JSON (shell profile output?)"}},
		{"noisy.sh", hook.Hermes, "make", assent.Reply{Fault: "line 1 is not JSON (shell profile output?)"}},
		{"gentle.sh", hook.Hermes, "terraform apply -auto-approve", assent.Reply{Rewrite: json.RawMessage(`{"command":"terraform plan"}`)}},
		{"gentle.sh", hook.Hermes, "terraform destroy", assent.Reply{Decision: assent.Ask, Reason: "somebody should look"}},
		{"gentle.sh", hook.Hermes, "ls", assent.Reply{}},
	} {
		t.Run(c.name+" "+c.command, func(t *testing.T) {
			t.Parallel()
			r := example(t, c.name, Spec{Dialect: c.dialect}, Host{}, call(t, c.command).Event)
			if r.Decision != c.want.Decision || r.Reason != c.want.Reason || r.Fault != c.want.Fault || string(r.Rewrite) != string(c.want.Rewrite) {
				t.Errorf("%+v\nwant %+v", r, c.want)
			}
		})
	}
}

func TestAHookThatTidiesWhatWasWritten(t *testing.T) {
	t.Parallel()
	path := file(t, "notes.txt", "a  \nb\t\n", 0o600)
	in, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		t.Fatal(err)
	}
	r := example(t, "tidy.sh", Spec{Matcher: "write_file|patch"}, Host{}, assent.Event{Name: assent.PostToolCall, Tool: assent.ToolWrite, Input: in, Dir: t.TempDir()})
	if got, err := os.ReadFile(path); string(got) != "a\nb\n" || err != nil || r.Fault != "" {
		t.Errorf("%q, %v, %q", got, err, r.Fault)
	}
}

func TestAHookThatTellsTheModelOfTheBranch(t *testing.T) {
	t.Parallel()
	e := assent.Event{Name: assent.PreLLMCall, Dir: t.TempDir()}
	if r := example(t, "branch.sh", Spec{}, Host{}, e); r.Context != "" || r.Fault != "" {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(filepath.Join(e.Dir, "BRANCH"), []byte("topic\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := example(t, "branch.sh", Spec{}, Host{}, e); r.Context != "The branch is topic." {
		t.Errorf("%+v", r)
	}
}

func TestAHookThatKeepsALog(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	e := assent.Event{Name: assent.SubagentStop, Session: "s1", Extra: map[string]json.RawMessage{"child_status": json.RawMessage(`"completed"`)}}
	for range 2 {
		if r := example(t, "children.sh", Spec{}, Host{HermesHome: home}, e); r.Fault != "" {
			t.Error(r.Fault)
		}
	}
	got, err := os.ReadFile(filepath.Join(home, "children.jsonl"))
	if want := strings.Repeat(`{"session":"s1","status":"completed"}`+"\n", 2); string(got) != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAHookThatRedactsAResult(t *testing.T) {
	t.Parallel()
	e := assent.Event{Name: assent.TransformResult, Tool: assent.ToolShell, Extra: map[string]json.RawMessage{"result": json.RawMessage(`"it is key-123 now"`)}}
	if r := example(t, "redact.sh", Spec{}, Host{}, e); r.Text == nil || *r.Text != "it is key-… now" {
		t.Errorf("%+v", r)
	}
}
