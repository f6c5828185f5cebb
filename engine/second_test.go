package engine_test

// The second gate of a call: hooks are not asked again, and do not change its input
// once more.

import (
	"context"
	"encoding/json"
	"testing"

	"assent"
	"assent/engine"
)

func TestHooksAreAskedAtTheFirstGateOfACall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	longer := assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		var in input
		if c.Name != assent.PreToolCall {
			return assent.Reply{}, nil
		}
		must(t, json.Unmarshal(c.Input, &in))
		in.Command += "!"
		raw, _ := json.Marshal(in)
		return assent.Reply{Parts: []assent.Reply{{By: "longer", Rewrite: raw}}, Rewrite: raw}, nil
	})
	w := newWorld(engine.Options{Users: longer})
	tell := func(name, session, call string, in json.RawMessage) assent.Verdict {
		e := w.call(session, input{Command: "ls"})
		e.Name, e.Call, e.Again = name, call, call == ""
		if in != nil {
			e.Input = in
		}
		return ok(w.Handle(ctx, e))
	}
	made := tell(assent.PreToolCall, "s", "c1", nil).Rewrite
	if made == nil {
		t.Fatal("the hook changed nothing")
	}
	asked := func(session, call string, want bool, what string) {
		t.Helper()
		if v := tell(assent.PreToolCall, session, call, made); (v.Rewrite != nil) != want {
			t.Errorf("%s: asked %v", what, !want)
		}
	}
	asked("s", "", false, "its second gate")
	asked("s", "", true, "another one that calls itself so")
	asked("s2", "", true, "one of another session")
	tell(assent.PostToolCall, "s", "c1", made)
	asked("s", "", true, "one after the call has run")
	tell(assent.PreToolCall, "s", "c2", nil)
	asked("s", "", false, "that of the next call")
	tell(assent.TurnEnd, "s", "", nil)
	asked("s", "", true, "one after the turn")
	asked("s", "c3", true, "a call of its own")
}

// What hooks denied at its first gate is not let through at what calls itself the
// second.
func TestADenialStandsAtTheSecondGate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{Users: assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) {
		return assent.Reply{Parts: []assent.Reply{{By: "no", Decision: assent.Deny, Reason: "no"}}}, nil
	})})
	first := w.call("s", input{Command: "ls"})
	second := first
	second.ID, second.Call, second.Again = "second", "", true
	for _, e := range []assent.Event{first, second} {
		if v := ok(w.Handle(ctx, e)); v.Decision != assent.Deny {
			t.Errorf("%q: %+v", e.Call, v)
		}
	}
}

// One yes for one call is not for as many as leave out their names.
func TestAnotherCallWithoutANameIsNoSecondGate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	first := w.call("s", danger)
	v := ok(w.Handle(ctx, first))
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	ok(w.Handle(ctx, first))
	for i, again := range []bool{true, true, false} {
		e := w.call("s", danger)
		e.Call, e.Again = "", again
		want := assent.Ask
		if i == 0 {
			want = assent.Allow // the second gate of the first
		}
		if v := ok(w.Handle(ctx, e)); v.Decision != want {
			t.Errorf("%d: %+v, want %s", i, v, want)
		}
	}
}

// A canary is not the first gate of anything.
func TestASyntheticCallIsNoFirstGate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	asked := 0
	w := newWorld(engine.Options{Users: assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		asked++
		return assent.Reply{}, nil
	})})
	canary := w.call("s", input{Command: "ls"})
	canary.Synthetic = true
	ok(w.Handle(ctx, canary))
	e := canary
	e.ID, e.Call, e.Synthetic, e.Again = "real", "", false, true
	if ok(w.Handle(ctx, e)); asked != 2 {
		t.Errorf("hooks were asked %d times", asked)
	}
}
