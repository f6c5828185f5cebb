package python

// The wire: what is said to the interpreter, and what it says.

import (
	"encoding/json"
	"fmt"
)

// Kind is what a unit is.
type Kind string

// The kinds.
const (
	Handler Kind = "handler" // a file with handle(event_type, context); its callback is the unit's Key
	Plugin  Kind = "plugin"  // a package with register(ctx); its callbacks stand in Loaded
)

// Unit is something to load.
type Unit struct {
	Kind   Kind   `json:"kind"`
	Key    string `json:"key"`    // names it
	Module string `json:"module"` // the name it has as a Python module
	Path   string `json:"path"`   // a handler's file, a plugin's directory; absolute

	Profile  string          `json:"profile,omitempty"`
	Manifest json.RawMessage `json:"manifest,omitempty"` // what ctx.manifest shows
	Settings json.RawMessage `json:"settings,omitempty"` // what ctx.get_config reads
	Data     string          `json:"data,omitempty"`     // the directory of ctx.state
	Granted  []string        `json:"granted,omitempty"`  // capabilities
	Plugins  []string        `json:"plugins,omitempty"`  // names and keys of all that are enabled
}

// Loaded is what a plugin registered, in its order.
type Loaded struct {
	Hooks    []Registered `json:"hooks"`
	Commands []Registered `json:"commands"`
	Tools    []Registered `json:"tools"`
	Notes    []string     `json:"notes"` // what it asked for that is not here
}

// Registered is one callback of a plugin.
type Registered struct {
	Callback    string          `json:"callback"`
	Event       string          `json:"event"` // of a hook
	Name        string          `json:"name"`  // of the command or tool; of a hook, its function's
	Description string          `json:"description"`
	ArgsHint    string          `json:"args_hint"`
	Toolset     string          `json:"toolset"`
	Schema      json.RawMessage `json:"schema"`
}

// Args are the arguments of one call. A callback is given those of Kwargs that it
// declares.
type Args struct {
	Args   []any                      `json:"args,omitempty"`
	Kwargs map[string]json.RawMessage `json:"kwargs,omitempty"`
}

type request struct {
	ID       uint64 `json:"id"`
	Op       string `json:"op"`
	Callback string `json:"callback,omitempty"`
	Args
	Calls []Args `json:"calls,omitempty"`
	Unit  *Unit  `json:"unit,omitempty"`
	Call  uint64 `json:"call,omitempty"` // which one to cancel
}

type message struct {
	ID    uint64          `json:"id"`
	Value json.RawMessage `json:"value"`
	Error *raised         `json:"error"`
	Hello string          `json:"hello"` // its version, once, at the start
	Unit  string          `json:"unit"`
	Note  string          `json:"note"`
}

// raised is an exception.
type raised struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Where string `json:"where"`
}

func (r *raised) err(what string) error {
	where := ""
	if r.Where != "" {
		where = " (" + r.Where + ")"
	}
	return fmt.Errorf("%s: %s: %s%s", what, r.Type, r.Text, where)
}
