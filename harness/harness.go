// Package harness is the list of agents that assent understands: one codec for
// each, a value made of pure functions.
//
// It reads no file, starts nothing and decides nothing. A new agent is a package
// beside claude and plain, and one line in All.
//
//	codec, ok := harness.Named("claude")
//	event, err := codec.Decode("PreToolUse", stdin, os.Getenv)
//	verdict, err := decider.Handle(ctx, event)
//	verdict, err = codec.Restore(event, verdict)
//	os.Stdout.Write(codec.Encode("PreToolUse", verdict))
package harness

import (
	"slices"
	"strings"

	"assent"
	"assent/harness/claude"
	"assent/harness/plain"
)

// All holds every codec, in the order in which they are shown. Do not change it.
var All = []assent.Codec{claude.Codec, plain.Codec}

// Named returns the codec of an agent by its short name, as it stands in
// commands and in Event.Agent.
func Named(name string) (assent.Codec, bool) {
	for _, c := range All {
		if c.Name == name {
			return c, true
		}
	}
	return assent.Codec{}, false
}

// Source is an event of an agent's own.
type Source struct {
	Agent  string `json:"agent"`  // the codec's short name
	Native string `json:"native"` // what the agent calls it
}

// Sources are the agents' events that an event of the catalogue is made of. The
// neutral JSON is none of them: with it everybody can send every event.
func Sources(event string) []Source {
	var out []Source
	for _, c := range All {
		for _, r := range c.Rows {
			if c.Name != plain.Name && (r.Name == event || slices.Contains(r.Also, event)) {
				out = append(out, Source{c.Name, r.Event})
			}
		}
	}
	return out
}

// Origin says for people where an event of the catalogue comes from: which agents'
// events it is made of, assent itself, or a part that is yet to come.
func Origin(t assent.EventType) string {
	sources := Sources(t.Name)
	switch {
	case t.Later != "":
		return "later: " + t.Later
	case len(sources) == 0:
		return "assent itself"
	}
	var texts []string
	for _, c := range All {
		var natives []string
		for _, s := range sources {
			if s.Agent == c.Name {
				natives = append(natives, s.Native)
			}
		}
		if len(natives) > 0 {
			texts = append(texts, c.Agent+": "+strings.Join(natives, ", "))
		}
	}
	return strings.Join(texts, "; ")
}
