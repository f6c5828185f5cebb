package engine_test

// Law 12: every wait ends and every queue has a bound. And what ends calls.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/engine"
)

func recordOf(t *testing.T, w *world, n uint64) assent.Record {
	lines, err := w.Store().Lines(context.Background(), n-1, 1)
	if err != nil || len(lines) != 1 {
		t.Fatal("no such record", n, err)
	}
	var r assent.Record
	must(t, json.Unmarshal(lines[0].Leaf, &r))
	return r
}

func TestLaw12EveryWaitEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(engine.Options{})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	if r, err := w.Wait(ctx, v.Request, 0); err != nil || r.State != assent.Pending {
		t.Fatalf("no hold: %v, %v", r, err)
	}
	answered := make(chan assent.Request, 1)
	go func() {
		r, _ := w.Wait(ctx, v.Request, time.Hour)
		answered <- r
	}()
	_, err := w.Answer(ctx, no(v.Request))
	must(t, err)
	if r := <-answered; r.State != assent.Denied {
		t.Fatalf("answered: %v", r)
	}
	second := ok(w.Handle(ctx, w.call("s", danger)))
	go func() {
		r, _ := w.Wait(ctx, second.Request, time.Hour)
		answered <- r
	}()
	cancel()
	if r := <-answered; r.State != assent.Pending {
		t.Fatalf("cancelled: %v", r)
	}
	w.pass(engine.DefaultExpires)
	if r, err := w.Wait(context.Background(), second.Request, time.Hour); err != nil || r.State != assent.Expired {
		t.Fatalf("out of time: %v, %v", r, err)
	}
	if _, err := w.Wait(context.Background(), "req_99", time.Hour); !errors.Is(err, assent.ErrNotFound) {
		t.Fatal(err)
	}
}

func TestLaw12EveryQueueHasABound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	for i := range engine.MaxPerSession {
		ok(w.Handle(ctx, w.call("s", input{Command: fmt.Sprint(i), Facts: danger.Facts})))
	}
	if v, err := w.Handle(ctx, w.call("s", danger)); !errors.Is(err, assent.ErrFull) || v.Decision != assent.None {
		t.Fatalf("%v, %v", v, err)
	}
	ok(w.Handle(ctx, w.call("another", danger))) // the bound is of a session
}

// Nobody to ask is an immediate denial: a synthetic event asks nobody.
func TestLaw12NobodyToAskIsADenial(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	e := w.call("s", danger)
	e.Synthetic = true
	if v := ok(w.Handle(context.Background(), e)); v.Decision != assent.Deny || v.Request != "" {
		t.Fatalf("%v", v)
	}
	list, err := w.Store().Requests(context.Background(), assent.RequestFilter{})
	if err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	v := ok(w.Handle(context.Background(), w.call("s", danger)))
	_, err = w.Answer(context.Background(), yes(v.Request))
	must(t, err)
	e.ID, e.Call = "again", "again"
	if v := ok(w.Handle(context.Background(), e)); v.Decision != assent.Deny || mustGrants(w, assent.GrantFilter{})[0].Used != 0 {
		t.Fatalf("a canary spent a grant: %v", v)
	}
}

// A call that stopped waiting is denied with its request's name, and the same
// call passes once after a yes.
func TestLapsedCallPassesOnceAfterAYes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	e := w.call("s", danger)
	v := ok(w.Handle(ctx, e))
	e.Lapsed = true
	if l := ok(w.Handle(ctx, e)); l.Decision != assent.Deny || l.Request != v.Request || l.Tell == "" {
		t.Fatalf("lapsed: %v", l)
	}
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	if a := ok(w.Handle(ctx, w.call("s", danger))); a.Decision != assent.Allow {
		t.Fatalf("after the yes: %v", a)
	}
	if a := ok(w.Handle(ctx, w.call("s", danger))); a.Decision != assent.Ask {
		t.Fatalf("once more: %v", a)
	}
}

// A denial reaches the call with the person's note, and stays for that call.
func TestADenialReachesTheCall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	e := w.call("s", danger)
	v := ok(w.Handle(ctx, e))
	a := no(v.Request)
	a.Note = "use trash"
	_, err := w.Answer(ctx, a)
	must(t, err)
	for range 2 {
		d := ok(w.Handle(ctx, e))
		if d.Decision != assent.Deny || d.Request != v.Request {
			t.Fatalf("%v", d)
		}
		if want := `denied by key:owner`; !strings.Contains(d.Tell, want) || !strings.Contains(d.Tell, "use trash") {
			t.Fatalf("tell %q", d.Tell)
		}
	}
	if again := ok(w.Handle(ctx, w.call("s", danger))); again.Decision != assent.Ask {
		t.Fatalf("a person may be asked anew by a new call: %v", again)
	}
}

// The agent's own prompt was answered: the request is withdrawn.
func TestACallThatRanWithdrawsItsRequest(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{Ask: assent.AskAgent, Analyse: func(e assent.Event) assent.Case {
		c := analyse(e)
		if e.Name == assent.PreToolCall { // as analyze does
			c.Operands = []assent.Operand{{Path: "/w/x.sh", SHA256: "00"}}
		}
		return c
	}})
	e := w.call("s", danger)
	v := ok(w.Handle(ctx, e))
	done := e
	done.ID, done.Name = "done", assent.PostToolCall
	ok(w.Handle(ctx, done))
	if r, err := w.Request(ctx, v.Request); err != nil || r.State != assent.Withdrawn {
		t.Fatalf("%v, %v", r, err)
	}
	if _, err := w.Answer(ctx, yes(v.Request)); !errors.Is(err, assent.ErrSettled) {
		t.Fatal(err)
	}
}

// A sub-agent's session ends when it stops, and with its parent's at the latest.
func TestASubagentsGrantsEndWithIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, end := range map[string]func(*assent.Event){
		"it stops":         func(e *assent.Event) { e.Name, e.Session, e.ParentSession = assent.SubagentStop, "s/a", "s" },
		"its parent ends":  func(e *assent.Event) { e.Name, e.Session = assent.SessionEnd, "s" },
		"somebody stops":   func(e *assent.Event) { e.Name, e.Session = assent.SubagentStop, "s" },
		"another one ends": func(e *assent.Event) { e.Name, e.Session, e.ParentSession = assent.SubagentStop, "s/ab", "s" },
	} {
		w := newWorld(engine.Options{})
		v := ok(w.Handle(ctx, w.call("s/a", danger)))
		a := yes(v.Request)
		a.Width = assent.InSess
		_, err := w.Answer(ctx, a)
		must(t, err)
		e := w.call("s", input{})
		end(&e)
		ok(w.Handle(ctx, e))
		want := assent.Ask
		if name == "somebody stops" || name == "another one ends" {
			want = assent.Allow
		}
		if v := ok(w.Handle(ctx, w.call("s/a", danger))); v.Decision != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
}

func TestSessionGrantsEndWithTheSession(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	a := yes(v.Request)
	a.Width = assent.InSess
	_, err := w.Answer(ctx, a)
	must(t, err)
	for range 3 {
		if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow {
			t.Fatalf("in the session: %v", v)
		}
	}
	if v := ok(w.Handle(ctx, w.call("t", danger))); v.Decision != assent.Ask {
		t.Fatalf("another session: %v", v)
	}
	end := w.call("s", input{})
	end.Name = assent.SessionEnd
	ok(w.Handle(ctx, end))
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Ask {
		t.Fatalf("after the session: %v", v)
	}
}

// Where the agent's own prompt asks, a turn that goes on without the call was
// answered there, with a no.
func TestAnAgentsOwnPromptWithdrawsWhatItRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{assent.TurnEnd, assent.PreLLMCall} {
		for mode, want := range map[assent.AskMode]assent.State{assent.AskAgent: assent.Withdrawn, assent.AskHold: assent.Pending} {
			ctx := context.Background()
			w := newWorld(engine.Options{Ask: mode})
			v := ok(w.Handle(ctx, w.call("s", danger)))
			other := ok(w.Handle(ctx, w.call("t", danger)))
			next := w.call("s", input{})
			next.Name, next.Call = name, ""
			ok(w.Handle(ctx, next))
			if r, err := w.Request(ctx, v.Request); err != nil || r.State != want {
				t.Errorf("%s, %s: %v, %v", name, mode, r.State, err)
			}
			if r, err := w.Request(ctx, other.Request); err != nil || r.State != assent.Pending {
				t.Errorf("%s, %s: another session's: %v, %v", name, mode, r.State, err)
			}
		}
	}
}
