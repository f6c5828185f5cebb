package script

// Payloads: the event as the hook's product would have written it.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assent"
	"assent/hook"
)

func payload(e assent.Event, d hook.Dialect) ([]byte, error) {
	var what any = hook.PayloadOf(e, d)
	if d == hook.Claude {
		what = flat(e)
	}
	raw, err := json.Marshal(what)
	if err != nil {
		return nil, fmt.Errorf("the payload: %w", err)
	}
	return raw, nil
}

// flat is an event as Claude Code writes it: all fields on one level. What other
// agents call by the names of Claude Code's own fields is not in their place.
func flat(e assent.Event) map[string]any {
	p := hook.PayloadOf(e, hook.Claude)
	session, agent, child := strings.Cut(p.Session, "/")
	out := map[string]any{}
	for k, v := range p.Extra {
		if !hook.Own(k) && !slices.Contains(own, k) && (e.Agent == string(hook.Claude) || !slices.Contains(native, k)) {
			out[k] = v
		}
	}
	maps.Copy(out, map[string]any{"hook_event_name": p.Event, "session_id": session, "cwd": e.Dir})
	if child {
		out["agent_id"] = agent
	}
	if p.Tool != nil {
		out["tool_name"], out["tool_input"] = cmp.Or(hook.Native(e), *p.Tool), p.Input
	}
	otherwise(out, e)
	return out
}

// own are the fields that no sender's come in the place of; native are those that
// Claude Code alone can say.
var (
	own    = []string{"agent_id", "tool_use_id", "prompt_id"}
	native = []string{"permission_mode", "transcript_path", "agent_type", "tool_response"}
)

// otherwise fills in what Claude Code always says, from what other agents say.
func otherwise(out map[string]any, e assent.Event) {
	for _, c := range []struct {
		event, name, from string
		value             any
	}{
		{"", "transcript_path", "", ""},
		{"", "permission_mode", "", "default"},
		{"", "tool_use_id", "", e.Call},
		{"", "prompt_id", "", e.Turn},
		{assent.PostToolCall, "tool_response", "result", nil},
		{assent.TransformResult, "tool_response", "result", nil},
		{assent.PreLLMCall, "prompt", "user_message", ""},
		{assent.SessionStart, "source", "", "startup"},
		{assent.SessionEnd, "reason", "", "other"},
		{assent.PreVerify, "stop_hook_active", "", false},
		{assent.PreVerify, "last_assistant_message", "final_response", ""},
	} {
		_, there := out[c.name]
		if there || c.event != "" && c.event != e.Name || (c.name == "tool_use_id" || c.name == "prompt_id") && c.value == "" {
			continue
		}
		out[c.name] = c.value
		if v, ok := e.Extra[c.from]; ok {
			out[c.name] = v
			if c.name == "tool_response" {
				out[c.name] = unquoted(v)
			}
		}
	}
}

// unquoted is a result as it came: ours is a string that holds its JSON.
func unquoted(v json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(v, &text) == nil && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return v
}
