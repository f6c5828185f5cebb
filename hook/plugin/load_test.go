package plugin

// Plugins at work: with a real interpreter, through the Dispatcher.

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/python"
)

// bench is a dispatcher of plugins.
type bench struct {
	*hook.Dispatcher
	set  Set
	host *python.Host
	data string

	mu    sync.Mutex
	notes []string
}

func begin(t testing.TB, root string, enabled ...string) *bench {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 was not found")
	}
	b := &bench{data: t.TempDir()}
	b.host = python.New(python.Options{Command: []string{interpreter}, Log: func(string) {}, Note: b.note})
	t.Cleanup(func() { _ = b.host.Close(context.WithoutCancel(t.Context())) })
	o := Options{
		Roots: []string{root}, Enabled: enabled, Data: b.data, Profile: "work",
		Entries: map[string]Entry{"guardrails": {Settings: json.RawMessage(`{"forbidden":["rm -rf /"]}`)}},
	}
	found, err := Discover(o)
	if err != nil {
		t.Fatal(err)
	}
	b.set = Load(t.Context(), b.host, o, found)
	b.Dispatcher = hook.New(hook.Options{}, b.set.Entries...)
	return b
}

func (b *bench) note(unit, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, unit+": "+text)
}

func (b *bench) noted() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.notes, "\n")
}

func (b *bench) fire(t *testing.T, e assent.Event) assent.Reply {
	t.Helper()
	r, err := b.Judge(t.Context(), assent.Case{Event: e})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Drain(t.Context(), 20*time.Second); err != nil {
		t.Fatal(err)
	}
	for _, s := range b.Stats() {
		if s.Failed > 0 {
			t.Errorf("%s at %s: %s", s.ID, s.Event, s.Fault)
		}
	}
	return r
}

// event is one of a call in a terminal, or of none.
func event(name, tool, input string, extra map[string]any) assent.Event {
	e := assent.Event{ID: "e", Name: name, Agent: "claude", Session: "s1", Tool: tool, Input: json.RawMessage(input), Extra: map[string]json.RawMessage{}}
	for k, v := range extra {
		e.Extra[k], _ = json.Marshal(v)
	}
	return e
}

func (b *bench) file(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.data, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(raw)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestAudit(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "audit")
	b.fire(t, event(assent.PostToolCall, assent.ToolShell, `{"command":"ls"}`, map[string]any{"status": "ok", "duration_ms": 12, "result": "x"}))
	b.fire(t, event(assent.SubagentStop, "", "", map[string]any{"child_session_id": "s1/a", "child_status": "completed"}))
	if err := b.host.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.file(t, "audit/audit.jsonl")), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"tool": "terminal", "input": {"command": "ls"}, "status": "ok", "session": "s1", "ms": 12`) ||
		!strings.Contains(lines[1], `"child": "s1/a"`) || lines[2] != `{"closed": true}` {
		t.Errorf("%q", lines)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "metrics")
	for range 3 {
		b.fire(t, event(assent.PostToolCall, assent.ToolRead, `{"path":"a"}`, map[string]any{"duration_ms": 1}))
	}
	b.fire(t, event("post_api_request", "", "", map[string]any{"model": "m1", "usage": map[string]int{"total_tokens": 40}}))
	if len(b.set.Commands) != 1 || b.set.Commands[0].Name != "metrics" || len(b.set.Tools) != 1 || b.set.Tools[0].Name != "read_metrics" {
		t.Fatalf("%+v", b.set)
	}
	got, err := b.host.Call(t.Context(), b.set.Commands[0].Callback, python.Args{Args: []any{""}})
	if err != nil || string(got) != `"{\"calls.read_file\": 3, \"tokens.m1\": 40}"` {
		t.Errorf("%s, %v", got, err)
	}
	if state := b.file(t, "metrics/state.json"); !strings.Contains(state, `"calls.read_file": 3`) {
		t.Errorf("state: %s", state)
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "recall")
	r := b.fire(t, event(assent.PreLLMCall, "", "", map[string]any{"user_message": "hello, deploy it"}))
	if r.Context != "From memory:\n- Deployments go out on Tuesdays.\n\nThe user is at a terminal." {
		t.Errorf("%q", r.Context)
	}
	if r := b.fire(t, event(assent.PreLLMCall, "", "", map[string]any{"user_message": "good day"})); r.Context != "" {
		t.Errorf("%q", r.Context)
	}
}

func TestGuardrails(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "guardrails")
	for _, c := range []struct {
		tool, input, reason, rewrite string
		want                         assent.Decision
	}{
		{assent.ToolShell, `{"command":"ls"}`, "", "", assent.None},
		{assent.ToolShell, `{"command":"rm -rf / --now"}`, "'rm -rf /' is forbidden here", "", assent.Deny},
		{assent.ToolShell, `{"command":"deploy it"}`, "deployments need a person", "", assent.Ask},
		{assent.ToolWrite, `{"content":"x","path":"~/a"}`, "", `{"content":"x","path":"/home/me/a"}`, assent.None},
	} {
		r := b.fire(t, event(assent.PreToolCall, c.tool, c.input, nil))
		if p := r.Parts[0]; p.Decision != c.want || p.Reason != c.reason || string(r.Rewrite) != c.rewrite {
			t.Errorf("%s: %+v", c.input, r)
		}
	}
}

func TestRedaction(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "redaction")
	r := b.fire(t, event(assent.TransformResult, assent.ToolShell, `{"command":"env"}`, map[string]any{"result": "A=key-12345678 B=2"}))
	if r.Text == nil || *r.Text != "A=[removed] B=2" {
		t.Errorf("%+v", r)
	}
	if r := b.fire(t, event(assent.TransformResult, assent.ToolShell, `{"command":"env"}`, map[string]any{"result": "B=2"})); r.Text != nil {
		t.Errorf("%q", *r.Text)
	}
}

func TestTimingTellsThePluginThatRequiresIt(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/plugins", "timing", "aa-overtime", "audit")
	b.fire(t, event(assent.SessionStart, "", "", nil))
	b.fire(t, event(assent.SessionEnd, "", "", nil))
	eventually(t, "the other is told", func() bool { return strings.Contains(b.file(t, "watch_overtime/state.json"), `"s1"`) })
	state := b.file(t, "watch_overtime/state.json")
	for _, want := range []string{`"timing": true`, `"calendar": false`, `"id": "watch/overtime"`, `"profile": "work"`} {
		if !strings.Contains(state, want) {
			t.Errorf("%s has no %s", state, want)
		}
	}
	last := b.set.Found[len(b.set.Found)-1]
	told(t, last, []string{"it requires the plugin calendar, which is not there"})
}

func TestWhatAssentDoesNotHaveIsReported(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/odd", "strange")
	f := b.set.Found[len(b.set.Found)-2]
	if f.Key != "strange" || !f.Loaded {
		t.Fatalf("%+v", b.set.Found)
	}
	told(t, Found{Key: f.Key, Problems: f.Problems[4:]}, []string{
		"its setting endpoint is required", "it calls ctx.register_middleware, which assent does not have", "it calls ctx.llm.complete, which",
		"it sets retries.most with ctx.set_config", `it registers a hook for "pre_tool_cal", which is no event: it is never called; did you mean "pre_tool_call"?`,
	})
	b.fire(t, event(assent.PostToolCall, assent.ToolShell, `{"command":"ls"}`, nil))
	eventually(t, "the later one is noted", func() bool { return strings.Contains(b.noted(), "strange: it calls ctx.inject_message") })
}

// Whether a plugin that cannot be loaded was a guard, nobody can tell.
func TestAPluginThatCannotBeLoadedIsMissed(t *testing.T) {
	t.Parallel()
	b := begin(t, "testdata/odd", "broken", "silent")
	call := assent.Case{Event: event(assent.PreToolCall, assent.ToolShell, `{"command":"ls"}`, nil)}
	r, err := b.Judge(t.Context(), call)
	if err != nil || len(r.Parts) != 2 || !strings.Contains(r.Parts[0].Reason, "a_package_that_nobody_has") {
		t.Errorf("%+v, %v", r, err)
	}
	for _, p := range r.Parts {
		if p.Decision != assent.Ask {
			t.Errorf("%+v", p)
		}
	}
	for _, f := range b.set.Found {
		if f.Enabled && (f.Loaded || !strings.HasPrefix(f.Problems[len(f.Problems)-1], "it could not be loaded: ")) {
			t.Errorf("%+v", f)
		}
	}
}

func TestAPluginThatNeverFinishesRegistering(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "stuck", "plugin.yaml"), "name: stuck\nprovides_hooks: [pre_tool_call]\n")
	write(t, filepath.Join(root, "stuck", "__init__.py"), "import threading\ndef register(ctx):\n    threading.Event().wait()\n")
	b := begin(t, root)
	o := Options{Roots: []string{root}, Enabled: []string{"stuck"}, Timeout: 50 * time.Millisecond}
	found, err := Discover(o)
	if err != nil {
		t.Fatal(err)
	}
	set := Load(t.Context(), b.host, o, found)
	if len(set.Entries) != 1 || set.Entries[0].Event != assent.PreToolCall || set.Found[0].Loaded || len(set.Found[0].Problems) != 1 {
		t.Errorf("%+v", set)
	}
}
