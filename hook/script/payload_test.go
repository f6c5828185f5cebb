package script

// Payloads in the shape of Claude Code, event by event.

import (
	"encoding/json"
	"testing"

	"assent"
	"assent/hook"
)

func TestClaudeCodesHooksReadWhatTheyReadAtHome(t *testing.T) {
	t.Parallel()
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	type extra = map[string]json.RawMessage
	for _, c := range []struct {
		event assent.Event
		want  string
	}{
		{assent.Event{Name: assent.PreToolCall, Agent: "claude", Session: "s/child", Turn: "p1", Call: "t1", Tool: assent.ToolWrite, Input: raw(`{"path":"/a","content":"x"}`), Dir: "/w",
			Extra: extra{"permission_mode": raw(`"plan"`), "transcript_path": raw(`"/t"`)}},
			`{"agent_id":"child","cwd":"/w","hook_event_name":"PreToolUse","permission_mode":"plan","prompt_id":"p1","session_id":"s","tool_input":{"content":"x","file_path":"/a"},"tool_name":"Write","tool_use_id":"t1","transcript_path":"/t"}`},
		{assent.Event{Name: assent.PreToolCall, Agent: "claude", Session: "s", Tool: assent.ToolEdit, Input: raw(`{"path":"/a"}`), Extra: extra{"tool_name": raw(`"MultiEdit"`)}},
			`{"cwd":"","hook_event_name":"PreToolUse","permission_mode":"default","session_id":"s","tool_input":{"file_path":"/a"},"tool_name":"MultiEdit","transcript_path":""}`},
		{assent.Event{Name: assent.PostToolCall, Session: "s", Call: "t1", Tool: "mcp/git/log", Input: raw(`{}`), Extra: extra{"result": raw(`{"ok":true}`)}},
			`{"cwd":"","hook_event_name":"PostToolUse","permission_mode":"default","result":{"ok":true},"session_id":"s","tool_input":{},"tool_name":"mcp__git__log","tool_response":{"ok":true},"tool_use_id":"t1","transcript_path":""}`},
		{assent.Event{Name: assent.TransformResult, Session: "s", Tool: assent.ToolShell, Input: raw(`{"command":"ls"}`), Extra: extra{"result": raw(`"{\"stdout\":\"a\"}"`)}},
			`{"cwd":"","hook_event_name":"PostToolUse","permission_mode":"default","result":"{\"stdout\":\"a\"}","session_id":"s","tool_input":{"command":"ls"},"tool_name":"Bash","tool_response":{"stdout":"a"},"transcript_path":""}`},
		{assent.Event{Name: assent.PreLLMCall, Session: "s", Extra: extra{"user_message": raw(`"hi"`)}},
			`{"cwd":"","hook_event_name":"UserPromptSubmit","permission_mode":"default","prompt":"hi","session_id":"s","transcript_path":"","user_message":"hi"}`},
		{assent.Event{Name: assent.PreVerify, Session: "s", Extra: extra{"stop_hook_active": raw(`true`)}},
			`{"cwd":"","hook_event_name":"Stop","last_assistant_message":"","permission_mode":"default","session_id":"s","stop_hook_active":true,"transcript_path":""}`},
		{assent.Event{Name: assent.SessionStart, ParentSession: "s"},
			`{"cwd":"","hook_event_name":"SessionStart","permission_mode":"default","session_id":"s","source":"startup","transcript_path":""}`},
		{assent.Event{Name: "agent:end", Session: "s", Extra: extra{"response": raw(`"done"`)}},
			`{"cwd":"","hook_event_name":"agent:end","permission_mode":"default","response":"done","session_id":"s","transcript_path":""}`},
	} {
		got, err := payload(c.event, hook.Claude)
		if err == nil {
			got, err = assent.Canonical(got)
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.event.Name, err, got, c.want)
		}
	}
	if _, err := payload(assent.Event{Name: assent.PreLLMCall, Extra: extra{"x": raw(`{`)}}, hook.Claude); err == nil {
		t.Error("an event that is no JSON was sent")
	}
}

// What a sender calls by the names of our own fields is not in their place.
func TestNoSenderSpeaksInOurPlace(t *testing.T) {
	t.Parallel()
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Session: "s", Turn: "t", Call: "c", Tool: assent.ToolShell, Input: json.RawMessage(`{"command":"ls"}`), Dir: "/w", Extra: map[string]json.RawMessage{"kept": json.RawMessage("1")}}
	for _, name := range []string{"tool_name", "tool_input", "args", "hook_event_name", "session_id", "cwd", "agent", "agent_id", "agent_type", "tool_call_id", "turn_id", "prompt_id", "tool_use_id", "parent_session_id", "permission_mode", "transcript_path", "profile", "telemetry_schema_version"} {
		e.Extra[name] = json.RawMessage(`"forged"`)
	}
	for d, want := range map[hook.Dialect]string{
		hook.Hermes: `{"cwd":"/w","extra":{"agent":"plain","agent_id":"forged","agent_type":"forged","kept":1,"permission_mode":"forged","prompt_id":"forged","telemetry_schema_version":"hermes.observer.v1","tool_call_id":"c","tool_use_id":"forged","transcript_path":"forged","turn_id":"t"},"hook_event_name":"pre_tool_call","profile":"default","session_id":"s","tool_input":{"command":"ls"},"tool_name":"terminal"}`,
		hook.Claude: `{"cwd":"/w","hook_event_name":"PreToolUse","kept":1,"permission_mode":"default","prompt_id":"t","session_id":"s","tool_input":{"command":"ls"},"tool_name":"Bash","tool_use_id":"c","transcript_path":""}`,
	} {
		got, err := payload(e, d)
		if err == nil {
			got, err = assent.Canonical(got)
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n got %s\nwant %s", d, err, got, want)
		}
	}
}

// Claude Code's own name of a tool is told where it is one of that tool's.
func TestClaudeCodesOwnNameOfAToolIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ agent, tool, native, want string }{
		{"claude", assent.ToolEdit, "NotebookEdit", "NotebookEdit"},
		{"claude", "powershell", "PowerShell", "PowerShell"},
		{"claude", "glob", "Glob", "Glob"},
		{"claude", "claude/shell", "Shell", "Shell"},
		{"claude", "mcp/git/log", "mcp__git__log", "mcp__git__log"},
		{"claude", assent.ToolShell, "Read", "Bash"},
		{"claude", "mcp/git/log", "mcp__git__push", "mcp__git__log"},
		{"plain", assent.ToolEdit, "MultiEdit", "Edit"},
	} {
		e := assent.Event{Name: assent.PreToolCall, Agent: c.agent, Tool: c.tool, Extra: map[string]json.RawMessage{"tool_name": json.RawMessage(`"` + c.native + `"`)}}
		if got := flat(e)["tool_name"]; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
