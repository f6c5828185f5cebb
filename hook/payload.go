package hook

// The payload: an event as hooks of other products read it.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"assent"
)

// Schema is the value of telemetry_schema_version.
const Schema = "hermes.observer.v1"

// Payload is what a hook is told of an event, in the shape that shell hooks of
// Hermes Agent read on standard input.
type Payload struct {
	Event   string                     `json:"hook_event_name"`
	Tool    *string                    `json:"tool_name"`  // null where there is none
	Input   json.RawMessage            `json:"tool_input"` // an object, or null
	Session string                     `json:"session_id"`
	Dir     string                     `json:"cwd"`
	Profile string                     `json:"profile"`
	Extra   map[string]json.RawMessage `json:"extra"`
}

// PayloadOf is an event in the words of a dialect.
func PayloadOf(e assent.Event, d Dialect) Payload {
	p := Payload{Event: d.event(e), Session: e.Session, Dir: e.Dir, Profile: e.Profile, Extra: maps.Clone(e.Extra)}
	if p.Session == "" {
		p.Session = e.ParentSession
	}
	if p.Profile == "" {
		p.Profile = "default"
	}
	if p.Extra == nil {
		p.Extra = map[string]json.RawMessage{}
	}
	if e.Tool != "" {
		name := d.Tool(e.Tool)
		p.Tool, p.Input = &name, d.Input(e.Tool, e.Input)
	}
	maps.DeleteFunc(p.Extra, func(name string, _ json.RawMessage) bool {
		return Own(name) || name == "args" && e.Tool != "" // which a command has of its own
	})
	for name, text := range map[string]string{
		"tool_call_id": e.Call, "turn_id": e.Turn, "parent_session_id": e.ParentSession, "telemetry_schema_version": Schema, "agent": e.Agent,
	} {
		if text != "" {
			p.Extra[name], _ = json.Marshal(text)
		}
	}
	return p
}

// Own reports whether a name is of what is told of every event. No sender's field of
// the same name comes in its place.
func Own(name string) bool {
	return slices.Contains([]string{
		"hook_event_name", "tool_name", "tool_input", "session_id", "cwd", "profile", "extra",
		"tool_call_id", "turn_id", "parent_session_id", "telemetry_schema_version", "agent",
	}, name)
}

// Native is what the agent itself calls the tool of an event, where that is known.
func Native(e assent.Event) string {
	var name string
	if e.Agent != string(Claude) || json.Unmarshal(e.Extra["tool_name"], &name) != nil {
		return ""
	}
	for _, n := range append(Names(e.Tool), strings.TrimPrefix(e.Tool, e.Agent+"/")) {
		if name != "" && strings.EqualFold(n, name) {
			return name
		}
	}
	return ""
}

// Kwargs is the event as keyword arguments of a Python callback: the payload's
// extra fields, and those that callbacks know by other names.
func Kwargs(e assent.Event) map[string]json.RawMessage {
	p := PayloadOf(e, Hermes)
	out := p.Extra
	set := func(name string, v any) { out[name], _ = json.Marshal(v) }
	set("session_id", p.Session)
	if p.Tool != nil {
		set("tool_name", *p.Tool)
		set("args", p.Input)
	}
	for _, name := range []string{"task_id", "turn_id", "api_request_id", "tool_call_id"} {
		if _, there := out[name]; !there && e.Tool != "" {
			set(name, "")
		}
	}
	return out
}
