package claude

// What Claude Code tells beside the tool, under the names that the catalogue has
// for it. Its own names stay, but for the result of a call, which may be large.

import (
	"encoding/json"
	"strings"

	"assent"
)

// extraResult is a key of Event.Extra that restore reads too.
const extraResult = "result" // string: JSON, what came of a call

// alias is a field that the catalogue calls by another name.
type alias struct{ theirs, ours string }

var aliases = map[string][]alias{
	"PostToolUseFailure": {{"error", "error_message"}},
	"UserPromptSubmit":   {{"prompt", "user_message"}},
	"Stop":               {{"last_assistant_message", "assistant_response"}, {"last_assistant_message", "final_response"}},
	"SubagentStart":      {{"agent_type", "child_role"}},
	"SubagentStop":       {{"agent_type", "child_role"}, {"last_assistant_message", "child_summary"}},
}

// facts are what the event itself says, without a field for it.
var facts = map[string]map[string]json.RawMessage{
	"PostToolUse":        {"status": json.RawMessage(`"ok"`)},
	"PostToolUseFailure": {"status": json.RawMessage(`"error"`), "error_type": json.RawMessage(`"tool_error"`)},
	"UserPromptSubmit":   {"platform": json.RawMessage(`"cli"`)},
	"SessionStart":       {"platform": json.RawMessage(`"cli"`)},
	"SessionEnd":         {"platform": json.RawMessage(`"cli"`)},
	"Stop": {
		"platform": json.RawMessage(`"cli"`), "completed": json.RawMessage("true"), "failed": json.RawMessage("false"),
		"interrupted": json.RawMessage("false"), "attempt": json.RawMessage("0"),
	},
	"SubagentStop": {"child_status": json.RawMessage(`"completed"`)},
}

// told adds to e.Extra what an event's fields are called in the catalogue.
func told(native string, e *assent.Event) {
	for name, value := range facts[native] {
		e.Extra[name] = value
	}
	for _, a := range aliases[native] {
		if v, ok := e.Extra[a.theirs]; ok {
			e.Extra[a.ours] = v
		}
	}
	switch native {
	case "PostToolUse":
		if v, ok := e.Extra["tool_response"]; ok {
			e.Extra[extraResult] = result(v)
			delete(e.Extra, "tool_response")
		}
	case "PostToolUseFailure":
		if v, ok := e.Extra["error"]; ok {
			e.Extra[extraResult] = result(json.RawMessage(`{"error":` + string(v) + `}`))
		}
		if string(e.Extra["is_interrupt"]) == "true" {
			e.Extra["error_type"] = json.RawMessage(`"interrupted"`)
		}
	case "Stop":
		if string(e.Extra["stop_hook_active"]) == "true" {
			e.Extra["attempt"] = json.RawMessage("1")
		}
	case "SubagentStart", "SubagentStop":
		child(e)
	}
	if e.Name == assent.UnmappedEvent {
		e.Extra["native"] = quoted(native)
	}
}

// child names a sub-agent and the turn that it belongs to.
func child(e *assent.Event) {
	if e.ParentSession == "" {
		return
	}
	e.Extra["child_session_id"] = quoted(e.Session)
	e.Extra["child_subagent_id"] = quoted(strings.TrimPrefix(e.Session, e.ParentSession+"/"))
	if e.Turn != "" {
		e.Extra["parent_turn_id"] = quoted(e.Turn)
	}
}

// result is what came of a call, as a string that holds JSON.
func result(v json.RawMessage) json.RawMessage { return quoted(string(v)) }

func quoted(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string can always be written
	return raw
}
