package engine

// Nudges: how often hooks may keep an agent from ending its turn.

import (
	"context"
	"encoding/json"
	"slices"

	"assent"
)

// maxNudges is how often an agent is kept going in one turn, as Hermes Agent has it:
// what is not done by then, more of the same will not do.
const maxNudges = 3

// nudged reports whether hooks have kept the session's agent going as often as they may
// since its turn began. What cannot be looked up counts as often enough.
func (e *Engine) nudged(ctx context.Context, session string) bool {
	head, err := e.o.Store.Head(ctx)
	if err != nil {
		return true
	}
	lines, err := e.o.Store.Lines(ctx, head.N-min(head.N, remembered), remembered)
	if err != nil {
		return true
	}
	n := 0
	for _, l := range slices.Backward(lines) {
		var r assent.Record
		if json.Unmarshal(l.Leaf, &r) != nil || r.Kind != assent.KindEvent || r.Session != session {
			continue
		}
		switch r.Event {
		case assent.PreLLMCall, assent.TurnEnd, assent.SessionStart:
			return false
		case assent.PreVerify:
			if n++; n >= maxNudges {
				return true
			}
		}
	}
	return false
}
