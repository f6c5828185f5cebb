package claude

// A parsed settings file: where in its text the hooks stand, and which of them
// are ours.

import (
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"

	"assent"
)

// document is a settings file and its syntax tree, which knows its offsets.
type document struct {
	text   []byte
	root   hujson.Value
	object *hujson.Object
	hooks  *hujson.ObjectMember // nil: there is none
}

// parse reads settings. ErrInvalid when they are not an object, or when what
// stands under "hooks" could be read in two ways.
func parse(text []byte) (document, error) {
	d := document{text: text}
	var err error
	if d.root, err = hujson.Parse(text); err != nil {
		return d, fmt.Errorf("the settings are not JSON (%v): %w", err, assent.ErrInvalid)
	}
	var ok bool
	if d.object, ok = d.root.Value.(*hujson.Object); !ok {
		return d, fmt.Errorf("the settings are not a JSON object: %w", assent.ErrInvalid)
	}
	if d.hooks, err = only(d.object, "hooks"); err != nil || d.hooks == nil {
		return d, err
	}
	events, ok := d.hooks.Value.Value.(*hujson.Object)
	if !ok {
		return d, fmt.Errorf(`"hooks" in the settings is not an object: %w`, assent.ErrInvalid)
	}
	for _, r := range rows {
		m, err := only(events, r.event)
		if err != nil {
			return d, err
		}
		if m != nil && m.Value.Value.Kind() != '[' {
			return d, fmt.Errorf("hooks.%s in the settings is not a list: %w", r.event, assent.ErrInvalid)
		}
	}
	return d, nil
}

// only returns the one member of that name, nil if there is none.
func only(o *hujson.Object, name string) (*hujson.ObjectMember, error) {
	var found *hujson.ObjectMember
	for i := range o.Members {
		if key(o.Members[i]) != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the key %q stands twice in the settings: %w", name, assent.ErrInvalid)
		}
		found = &o.Members[i]
	}
	return found, nil
}

func key(m hujson.ObjectMember) string {
	lit, _ := m.Name.Value.(hujson.Literal)
	return lit.String()
}

// events is the object under "hooks", empty if there is none.
func (d document) events() *hujson.Object {
	if d.hooks == nil {
		return &hujson.Object{}
	}
	return d.hooks.Value.Value.(*hujson.Object)
}

// entry is one hook of a settings file, as far as assent cares.
type entry struct {
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Args      []string        `json:"args"`
	Timeout   json.RawMessage `json:"timeout"`
	OnFailure string          `json:"onFailure"`

	If          json.RawMessage `json:"if"`
	Async       json.RawMessage `json:"async"`
	AsyncRewake json.RawMessage `json:"asyncRewake"`
	Once        json.RawMessage `json:"once"`
}

// place is where an entry of ours stands.
type place struct {
	event   string
	member  int // of the event in hooks
	index   int // of the group in the event's list
	inner   int // of the entry in the group's list
	group   hujson.Value
	entry   entry
	matcher string
	alone   bool // its group holds nothing else
}

// own finds the entries of ours under one event, or with "" under all: those that
// run an assent program with "hook claude --event X" under the event X. Where
// among the others they stand does not matter.
func (d document) own(event string) []place {
	var found []place
	for mi, m := range d.events().Members {
		list, _ := m.Value.Value.(*hujson.Array)
		if list == nil || event != "" && key(m) != event {
			continue
		}
		for gi, g := range list.Elements {
			for _, p := range ownIn(g, key(m)) {
				p.member, p.index = mi, gi
				found = append(found, p)
			}
		}
	}
	return found
}

func ownIn(group hujson.Value, event string) []place {
	raw, err := canonicalValue(group)
	var g struct {
		Matcher string            `json:"matcher"`
		Hooks   []json.RawMessage `json:"hooks"`
	}
	if err != nil || json.Unmarshal(raw, &g) != nil {
		return nil
	}
	var found []place
	for i, h := range g.Hooks {
		var e entry
		if json.Unmarshal(h, &e) != nil || !e.ours(event) {
			continue
		}
		found = append(found, place{
			event: event, inner: i, group: group, entry: e, matcher: g.Matcher, alone: len(g.Hooks) == 1,
		})
	}
	return found
}

// ours reports whether an entry under the event is one that Wire writes.
func (e entry) ours(event string) bool {
	if e.Type != "command" || !ownProgram(e.Command) || len(e.Args) < 4 {
		return false
	}
	return e.Args[0] == "hook" && e.Args[1] == Name && e.Args[2] == "--event" && e.Args[3] == event
}
