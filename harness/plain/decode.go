package plain

// Decode: the neutral JSON becomes an Event, strictly.

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"assent"
)

// keys are the members an event may have. Principal is not one: the door knows
// who is at the other end, and the sender is not asked.
var keys = []string{
	"id", "name", "at", "agent", "profile", "session", "parent_session", "turn", "call", "dir", "tool", "input",
	"extra", "synthetic",
}

// needs are the members of an input that must be strings, by tool: what is judged
// by them must not be missing.
var needs = map[string]string{
	assent.ToolShell: "command",
	assent.ToolRead:  "path",
	assent.ToolWrite: "path",
	assent.ToolEdit:  "path",
	assent.ToolFetch: "url",
}

func decode(native string, raw []byte, _ func(string) string) (assent.Event, error) {
	e := assent.Event{Name: native, Agent: Name, Raw: raw}
	if _, ok := assent.EventNamed(native); !ok {
		e.Name = assent.UnmappedEvent
	}
	canon, err := assent.Canonical(raw)
	if err != nil {
		return e, err
	}
	if err := checkKeys(canon); err != nil {
		return e, err
	}
	var in assent.Event
	if err := json.Unmarshal(canon, &in); err != nil {
		return e, fmt.Errorf("%v: %w", err, assent.ErrInvalid)
	}
	in.Raw = raw
	if in.Agent == "" {
		in.Agent = Name
	}
	if in.ID == "" {
		in.ID = identity(in)
	}
	return in, check(native, in)
}

// checkKeys refuses members that an event does not have. encoding/json would
// also take a key in another case for one of ours.
func checkKeys(canon []byte) error {
	var m map[string]json.RawMessage
	if canon[0] != '{' || json.Unmarshal(canon, &m) != nil {
		return fmt.Errorf("an object was expected: %w", assent.ErrInvalid)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(keys, k) {
			return fmt.Errorf("an event has no %q: %w", k, assent.ErrInvalid)
		}
	}
	return nil
}

// check says what is wrong with an event.
func check(native string, e assent.Event) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), assent.ErrInvalid)
	}
	_, known := assent.EventNamed(e.Name)
	switch {
	case e.Name == "":
		return fail("name is missing")
	case !known:
		return fail("there is no event %q", e.Name)
	case native != "" && e.Name != native:
		return fail("it is a %q event, not %q", e.Name, native)
	case e.Agent != Name:
		return fail("agent is %q, not %q", e.Agent, Name)
	case e.Dir != "" && !filepath.IsAbs(e.Dir):
		return fail("dir is not an absolute path")
	case e.Name == assent.PreToolCall && e.Tool == "":
		return fail("tool is missing")
	}
	if key, ok := needs[e.Tool]; ok && e.Name == assent.PreToolCall {
		var in map[string]json.RawMessage
		var s string
		if json.Unmarshal(e.Input, &in) != nil || in[key] == nil || json.Unmarshal(in[key], &s) != nil || string(in[key]) == "null" {
			return fail("input of %s has no %s that is a string", e.Tool, key)
		}
	}
	return nil
}

// identity names an event that came without a name, by its call. One without a
// call stays without: two that say the same may be two, and one yes is for one.
func identity(e assent.Event) string {
	if e.Call == "" {
		return ""
	}
	return e.Session + "/" + e.Name + "/" + e.Call
}
