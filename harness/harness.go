// Package harness is the list of agents that assent understands: one codec for
// each, a value made of pure functions.
//
// It reads no file, starts nothing and decides nothing. A new agent is a package
// beside claude and plain, and one line in All.
//
//	codec, ok := harness.Named("claude")
//	event, err := codec.Decode("PreToolUse", stdin, os.Getenv)
//	verdict, err := decider.Handle(ctx, event)
//	verdict.Rewrite, err = codec.Restore(event, verdict.Rewrite)
//	os.Stdout.Write(codec.Encode("PreToolUse", verdict))
package harness

import (
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

// Names lists the short names of every codec, in the order of All.
func Names() []string {
	names := make([]string, len(All))
	for i, c := range All {
		names[i] = c.Name
	}
	return names
}
