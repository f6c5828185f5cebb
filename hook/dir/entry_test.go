package dir

// Hooks at work: with a real interpreter, through the Dispatcher.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/python"
	"assent/hook/script"
)

// bench is a dispatcher of the hooks of a directory.
type bench struct {
	*hook.Dispatcher
	host *python.Host
	out  string

	mu    sync.Mutex
	posts []map[string]any
	lines []string
}

func set(t *testing.T, root string) *bench {
	t.Helper()
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 was not found")
	}
	b := &bench{out: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(b.post))
	t.Cleanup(server.Close)
	env := append(os.Environ(), "HOOKS_OUT="+b.out, "HERMES_HOME="+b.out, "ALERT_URL="+server.URL+"/alert", "WEBHOOK_URL="+server.URL+"/session", "BOOT_AGENT=cat", "NO_PROXY=*")
	b.host = python.New(python.Options{Command: []string{interpreter}, Env: env, Log: b.log})
	t.Cleanup(func() { _ = b.host.Close(context.WithoutCancel(t.Context())) })
	found, err := Discover(root)
	if err != nil {
		t.Fatal(err)
	}
	b.Dispatcher = hook.New(hook.Options{}, Entries(b.host, script.Host{Home: b.out, Env: env}, found)...)
	return b
}

func (b *bench) post(_ http.ResponseWriter, r *http.Request) {
	var m map[string]any
	raw, _ := io.ReadAll(r.Body)
	if json.Unmarshal(raw, &m) == nil {
		m["at"] = r.URL.Path
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.posts = append(b.posts, m)
}

func (b *bench) log(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
}

// fire tells the hooks of events one after the other, and waits until they know.
func (b *bench) fire(t *testing.T, events ...assent.Event) assent.Reply {
	t.Helper()
	var r assent.Reply
	for _, e := range events {
		var err error
		if r, err = b.Judge(t.Context(), assent.Case{Event: e}); err != nil {
			t.Fatal(err)
		}
		if err := b.Drain(t.Context(), 20*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range b.Stats() {
		if s.Failed > 0 {
			t.Errorf("%s at %s: %s", s.ID, s.Event, s.Fault)
		}
	}
	return r
}

func (b *bench) rows(t *testing.T, file string) []map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.out, file))
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var m map[string]any
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func event(name string, extra map[string]any) assent.Event {
	e := assent.Event{ID: name, Name: name, Agent: "claude", Session: "s1", Principal: "uid:1000", Dir: "/w", Extra: map[string]json.RawMessage{}}
	for k, v := range extra {
		e.Extra[k], _ = json.Marshal(v)
	}
	return e
}

func toolCall(extra map[string]any) assent.Event {
	e := event(assent.PostToolCall, extra)
	e.Tool, e.Input = assent.ToolShell, json.RawMessage(`{"command":"ls"}`)
	return e
}

func TestActivityLog(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	b.fire(t, event(assent.SessionStart, nil), event(assent.PreLLMCall, map[string]any{"user_message": strings.Repeat("é", 600)}),
		toolCall(nil), event(assent.TurnEnd, map[string]any{"assistant_response": "done"}), event(assent.SessionEnd, nil))
	var events []string
	rows := b.rows(t, "activity.jsonl")
	for _, row := range rows {
		events = append(events, row["event"].(string))
	}
	if want := []string{"session:start", "agent:start", "agent:step", "agent:end", "session:end"}; !slices.Equal(events, want) {
		t.Fatalf("%v", events)
	}
	if m := rows[1]["message"].(string); m != strings.Repeat("é", 500) {
		t.Errorf("the message is %d bytes", len(m))
	}
	if rows[3]["message"] != rows[1]["message"] || rows[3]["response"] != "done" || rows[3]["thread_id"] != "" {
		t.Errorf("%v", rows[3])
	}
}

func TestLongTaskAlert(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	turn := []assent.Event{event(assent.PreLLMCall, nil), toolCall(nil), toolCall(nil)}
	b.fire(t, slices.Concat(turn, turn)...) // a new turn begins to count anew
	if len(b.posts) != 0 {
		t.Errorf("too early: %v", b.posts)
	}
	b.fire(t, toolCall(nil), toolCall(nil))
	if len(b.posts) != 1 || b.posts[0]["text"] != "3 steps so far in s1; the last used terminal" {
		t.Errorf("%v", b.posts)
	}
}

func TestSessionWebhook(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	b.fire(t, event(assent.SessionStart, nil))
	if len(b.posts) != 1 || b.posts[0]["event"] != "session:start" || b.posts[0]["session_id"] != "s1" || b.posts[0]["platform"] != "cli" || b.posts[0]["user_id"] != "uid:1000" {
		t.Errorf("%v", b.posts)
	}
}

func TestBoot(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	write(t, filepath.Join(b.out, "BOOT.md"), "- water the plants\n")
	b.fire(t, event("gateway:startup", map[string]any{"platforms": []string{"telegram"}}))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if raw, err := os.ReadFile(filepath.Join(b.out, "boot.txt")); err == nil && string(raw) == "- water the plants" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("never: %v", b.lines)
		}
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	say := func(command string) assent.Event {
		return event("command:"+command, map[string]any{"platform": "telegram", "user_id": "7", "command": command, "args": "now"})
	}
	if r := b.fire(t, say("status")); len(r.Directive) != 0 {
		t.Errorf("allow: %s", r.Directive)
	}
	if r := b.fire(t, say("wipe")); string(r.Directive) != `{"decision":"deny","message":"wiping is for administrators"}` {
		t.Errorf("deny: %s", r.Directive)
	}
	rows := b.rows(t, "commands.jsonl")
	if len(rows) != 2 || rows[0]["command"] != "status" || rows[1]["who"] != "7" || rows[1]["args"] != "now" {
		t.Errorf("%v", rows)
	}
}

func TestWhatAChatFiresIsToldOnce(t *testing.T) {
	t.Parallel()
	b := set(t, "testdata/hooks")
	chat := map[string]any{"platform": "telegram"}
	b.fire(t, event("session:start", map[string]any{"platform": "telegram", "session_key": "telegram:1"}), event(assent.SessionStart, chat))
	if len(b.posts) != 1 || b.posts[0]["session_key"] != "telegram:1" {
		t.Errorf("%v", b.posts)
	}
}

func TestAHandlerThatCannotBeLoadedFails(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "bad", "HOOK.yaml"), "events: [agent:start, 'command:*']\n")
	write(t, filepath.Join(root, "bad", "handler.py"), "def handle(:\n")
	b := set(t, root)
	found, err := Discover(root)
	if err != nil {
		t.Fatal(err)
	}
	checked := Check(t.Context(), b.host, found)
	if len(found[0].Problems) != 0 || len(checked[0].Problems) != 1 || !strings.Contains(checked[0].Problems[0], "dir bad: SyntaxError") {
		t.Errorf("%v", checked)
	}
	r, err := b.Judge(t.Context(), assent.Case{Event: event("command:x", nil)})
	if err != nil || len(r.Parts) != 1 || !strings.Contains(r.Parts[0].Fault, "SyntaxError") {
		t.Errorf("%+v, %v", r, err)
	}
	write(t, filepath.Join(root, "bad", "handler.py"), "def handle(e, c):\n    return {'decision': 'handled'}\n")
	if r, err = b.Judge(t.Context(), assent.Case{Event: event("command:x", nil)}); err != nil || string(r.Directive) != `{"decision":"handled"}` {
		t.Errorf("mended: %+v, %v", r, err)
	}
}

func TestExactNamesComeFirst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, events := range map[string]string{"a-all": "'agent:*'", "b-one": "agent:start"} {
		write(t, filepath.Join(root, name, "HOOK.yaml"), "events: ["+events+"]\n")
		write(t, filepath.Join(root, name, "handler.py"), "def handle(e, c):\n    pass\n")
	}
	found, err := Discover(root)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, e := range Entries(nil, script.Host{}, found) {
		if e.Event == assent.PreLLMCall {
			asked = append(asked, e.ID)
		}
	}
	if want := []string{"dir (turns)", "dir b-one", "dir a-all"}; !slices.Equal(asked, want) {
		t.Errorf("%v", asked)
	}
}

func TestADirectoryCanGuard(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "guard", "HOOK.yaml"), "events: [pre_tool_call]\n")
	write(t, filepath.Join(root, "guard", "handler.py"), `def handle(event_type, context):
    if "--force" in context["args"]["command"]:
        return {"action": "block", "message": "not by force, %s" % context["tool_name"]}
`)
	b := set(t, root)
	call := event(assent.PreToolCall, nil)
	for command, want := range map[string]assent.Decision{"git push": assent.None, "git push --force": assent.Deny} {
		call.Tool = assent.ToolShell
		call.Input, _ = json.Marshal(map[string]string{"command": command})
		r := b.fire(t, call)
		if len(r.Parts) != 1 || r.Parts[0].Decision != want || want == assent.Deny && r.Parts[0].Reason != "not by force, terminal" {
			t.Errorf("%s: %+v", command, r)
		}
	}
}

func TestHandlersInOtherLanguages(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no sh here")
	}
	root := t.TempDir()
	guard := "case $(cat) in *--force*) echo '{\"action\":\"block\",\"message\":\"by sh\"}';; esac\n"
	for name, handler := range map[string]string{"sh": "handler.sh", "itself": "handler"} {
		write(t, filepath.Join(root, name, "HOOK.yaml"), "events: [pre_tool_call, agent:step]\n")
		write(t, filepath.Join(root, name, handler), "#!/bin/sh\ntee -a \"$HOOKS_OUT/"+name+"\" | sh -c '"+strings.ReplaceAll(guard, "'", `'"'"'`)+"'\n")
	}
	if err := os.Chmod(filepath.Join(root, "sh", "handler.sh"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := set(t, root)
	call := event(assent.PreToolCall, nil)
	call.Tool, call.Input = assent.ToolShell, json.RawMessage(`{"command":"git push --force"}`)
	r := b.fire(t, call)
	for _, p := range r.Parts {
		if p.Decision != assent.Deny || p.Reason != "by sh" {
			t.Errorf("%+v", p)
		}
	}
	b.fire(t, toolCall(nil))
	for _, name := range []string{"sh", "itself"} {
		raw, err := os.ReadFile(filepath.Join(b.out, name))
		if err != nil || len(r.Parts) != 2 || !strings.Contains(string(raw), `"hook_event_name":"agent:step"`) || !strings.Contains(string(raw), `"tool_names":["terminal"]`) {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
}
