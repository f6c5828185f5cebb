package engine

// Second gates: an agent may ask about one call twice, before it runs and before its
// own prompt. Hooks are asked at the first.

import (
	"context"
	"encoding/json"
	"slices"

	"assent"
)

// remembered is how many of the newest records are looked through for a first gate.
const remembered = 1000

// secondGate reports whether a case that names no call is one that had its first gate,
// by a name, with the input as it is now, and whose call is still open. What cannot be
// looked up had none.
func (e *Engine) secondGate(ctx context.Context, m matter) bool {
	if m.Call != "" || m.Name != assent.PreToolCall {
		return false
	}
	head, err := e.o.Store.Head(ctx)
	if err != nil {
		return false
	}
	lines, err := e.o.Store.Lines(ctx, head.N-min(head.N, remembered), remembered)
	if err != nil {
		return false
	}
	over := map[string]bool{} // calls that have ended
	for _, l := range slices.Backward(lines) {
		var r assent.Record
		if json.Unmarshal(l.Leaf, &r) != nil || r.Kind != assent.KindEvent || r.Session != m.Session {
			continue
		}
		switch {
		case r.Event == assent.TurnEnd:
			return false
		case r.Event == assent.PostToolCall:
			over[r.Call] = true
		case r.Event == assent.PreToolCall && r.Call != "" && r.Digest == m.digest:
			return !over[r.Call] && r.Decision != assent.Deny // what was denied then is looked at again
		}
	}
	return false
}
