package engine

// Second gates: an agent may ask about one call twice, before it runs and before its
// own prompt. Hooks are asked at the first.

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"assent"
)

// synthetic is the note of an event that nothing came of, in its record.
const synthetic = "synthetic"

// remembered is how many of the newest records are looked through for a first gate.
const remembered = 1000

// recent are the records of a session's events among the newest, the newest first.
func (e *Engine) recent(ctx context.Context, session string) (iter.Seq[assent.Record], error) {
	all, err := e.newest(ctx)
	return func(yield func(assent.Record) bool) {
		for r := range all {
			if r.Kind == assent.KindEvent && r.Session == session && !yield(r) {
				return
			}
		}
	}, err
}

// newest are the newest records, the newest first.
func (e *Engine) newest(ctx context.Context) (iter.Seq[assent.Record], error) {
	head, err := e.o.Store.Head(ctx)
	if err != nil {
		return nil, err
	}
	lines, err := e.o.Store.Lines(ctx, head.N-min(head.N, remembered), remembered)
	return func(yield func(assent.Record) bool) {
		for _, l := range slices.Backward(lines) {
			var r assent.Record
			if json.Unmarshal(l.Leaf, &r) == nil && !yield(r) {
				return
			}
		}
	}, err
}

// secondGate reports whether an event is the second gate of a call, which it does not
// name: its codec says so, the call had its first gate with the input as it is now, was
// not denied there, is still open, and had no other second gate. What cannot be looked
// up had none.
func (e *Engine) secondGate(ctx context.Context, m matter) bool {
	if !m.Again || m.Call != "" || m.Name != assent.PreToolCall {
		return false
	}
	events, err := e.recent(ctx, m.Session)
	if err != nil {
		return false
	}
	over := map[string]bool{} // calls that have ended
	for r := range events {
		switch {
		case r.Event == assent.TurnEnd:
			return false
		case r.Event == assent.PostToolCall:
			over[r.Call] = true
		case r.Event != assent.PreToolCall, r.Digest != m.digest, r.EventID == m.ID, r.Note == synthetic:
		case r.Call == "":
			return false // another's
		default:
			return !over[r.Call] && r.Decision != assent.Deny // what was denied then is looked at again
		}
	}
	return false
}
