package engine

// Inputs that hooks have made: a call that comes again with one, at its second gate
// or after a wait, is judged with it, and not changed once more.

import (
	"context"
	"encoding/json"

	"assent"
)

// remembered is how many of the newest records are looked through for a call.
const remembered = 1000

// saying is what the record of an event has of the user's hooks.
type saying struct {
	Hooks  []assent.Heard `json:"hooks"`
	Remade bool           `json:"remade,omitempty"` // what was judged is the input that they made
}

// madeBefore reports whether the case's input is what hooks have made of this call
// before. An event that names no call is the second gate of one of its session. What
// cannot be looked up was not.
func (e *Engine) madeBefore(ctx context.Context, m matter) bool {
	head, err := e.o.Store.Head(ctx)
	if err != nil {
		return false
	}
	lines, err := e.o.Store.Lines(ctx, head.N-min(head.N, remembered), remembered)
	for _, l := range lines {
		var r assent.Record
		var said saying
		if json.Unmarshal(l.Leaf, &r) != nil || r.Digest != m.digest || r.Session != m.Session || m.Call != "" && r.Call != m.Call {
			continue
		}
		if json.Unmarshal(r.Data, &said) == nil && said.Remade {
			return err == nil
		}
	}
	return false
}
