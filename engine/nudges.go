package engine

// Nudges: how often hooks may keep an agent from ending its turn.

import (
	"context"

	"assent"
)

// maxNudges is how often an agent is kept going in one turn, as Hermes Agent has it:
// what is not done by then, more of the same will not do.
const maxNudges = 3

// nudged reports whether hooks have kept the session's agent going as often as they may
// since its turn began. What cannot be looked up counts as often enough.
func (e *Engine) nudged(ctx context.Context, session string) bool {
	events, err := e.recent(ctx, session)
	if err != nil {
		return true
	}
	n := 0
	for r := range events {
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
