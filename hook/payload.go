package hook

// The payload: an event as hooks of other products read it.

import (
	"encoding/json"
	"maps"

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
	for name, text := range map[string]string{
		"tool_call_id": e.Call, "turn_id": e.Turn, "parent_session_id": e.ParentSession, "telemetry_schema_version": Schema, "agent": e.Agent,
	} {
		if _, there := p.Extra[name]; !there && text != "" {
			p.Extra[name], _ = json.Marshal(text)
		}
	}
	return p
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
