package engine_test

// The laws about yeses: what a grant is, what it covers, who gives it.

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/engine"
)

func TestLaw5AYesIsAGrant(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	first := w.call("s", danger)
	v := ok(w.Handle(ctx, first))
	if v.Decision != assent.Ask {
		t.Fatalf("first: %v", v)
	}
	r, err := w.Answer(ctx, yes(v.Request))
	if err != nil || r.State != assent.Approved || r.Grant == "" {
		t.Fatalf("answer: %v, %v", r, err)
	}
	for range 3 { // one call, one use: the same event again is that event again
		if v := ok(w.Handle(ctx, first)); v.Decision != assent.Allow || v.Grant != r.Grant {
			t.Fatalf("after the yes: %v", v)
		}
	}
	again := ok(w.Handle(ctx, w.call("s", danger)))
	if again.Decision != assent.Ask || again.Request == v.Request {
		t.Fatalf("the same call again: %v", again)
	}
	g := mustGrants(w, assent.GrantFilter{})[0]
	if g.Used != 1 || !g.VouchedBy(recordOf(t, w, g.Record)) {
		t.Fatalf("grant %+v", g)
	}
}

// The second gate of one call (the agent's own prompt) is the same call.
func TestLaw5OneCallOneUseAcrossItsTwoGates(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	before := w.call("s", danger)
	v := ok(w.Handle(ctx, before))
	prompt := before
	prompt.ID, prompt.Call, prompt.Again = "prompt", "", true
	if p := ok(w.Handle(ctx, prompt)); p.Request != v.Request {
		t.Fatalf("%v asks apart from %v", p, v)
	}
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	for _, e := range []assent.Event{prompt, before, prompt} {
		if v := ok(w.Handle(ctx, e)); v.Decision != assent.Allow {
			t.Fatalf("%s: %v", e.ID, v)
		}
	}
	if g := mustGrants(w, assent.GrantFilter{})[0]; g.Used != 1 {
		t.Fatalf("used %d times", g.Used)
	}
	done := before
	done.ID, done.Name = "done", assent.PostToolCall
	ok(w.Handle(ctx, done))
	if v := ok(w.Handle(ctx, prompt)); v.Decision != assent.Ask {
		t.Fatalf("after its result: %v", v)
	}
}

// Without names for its calls an agent has no two gates of one call: every event
// is a call by itself, and a retry of it is that event again.
func TestLaw5OneUseIsOneUseWithoutNamesOfCalls(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	nameless := func() assent.Event {
		e := w.call("s", danger)
		e.Call = ""
		return e
	}
	first := nameless()
	v := ok(w.Handle(ctx, first))
	if other := ok(w.Handle(ctx, nameless())); other.Request != v.Request {
		t.Fatalf("the same action asks twice: %v, %v", v, other)
	}
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	for range 3 {
		if v := ok(w.Handle(ctx, first)); v.Decision != assent.Allow {
			t.Fatalf("the same event: %v", v)
		}
		if v := ok(w.Handle(ctx, nameless())); v.Decision != assent.Ask {
			t.Fatalf("another event: %v", v)
		}
	}
}

// A canary's end ends nothing.
func TestASyntheticEventEndsNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, name := range []string{assent.SessionEnd, assent.PostToolCall, assent.TurnEnd} {
		w := newWorld(engine.Options{})
		e := w.call("s", danger)
		v := ok(w.Handle(ctx, e))
		end := e
		end.ID, end.Name, end.Synthetic = "end", name, true
		ok(w.Handle(ctx, end))
		if w.lastRecord(t).EventID != "end" {
			t.Errorf("%s is not recorded", name)
		}
		if r, err := w.Request(ctx, v.Request); err != nil || r.State != assent.Pending {
			t.Errorf("%s: %v, %v", name, r.State, err)
		}
		if c, err := w.Store().Call(ctx, "s", e.Call, digestOf(e)); err != nil || !c.Closed.IsZero() {
			t.Errorf("%s closed the call: %v, %v", name, c, err)
		}
	}
}

func digestOf(e assent.Event) string { return assent.Case{Event: e}.Digest() }

func TestLaw5NoAskIsAllowedWithoutALiveGrant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		w := newWorld(engine.Options{Default: silent(assent.Allow)})
		uses := 0 // what people have allowed and nobody has spent
		var open string
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"call", "call", "yes", "no", "revoke", "later"}).Draw(t, "step") {
			case "call":
				v := ok(w.Handle(ctx, w.call("s", danger)))
				if allowed := v.Decision == assent.Allow; allowed != (uses > 0) {
					t.Fatalf("%v with %d uses", v, uses)
				}
				if v.Decision == assent.Allow {
					uses--
				} else {
					open = v.Request
				}
			case "yes":
				if _, err := w.Answer(ctx, yes(open)); err == nil {
					uses++
				}
			case "no":
				_, _ = w.Answer(ctx, no(open))
			case "revoke":
				_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{All: true}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
				must(t, err)
				uses = 0
			case "later":
				w.pass(11 * time.Minute)
				uses = 0
			}
		}
	})
}

func TestLaw7TheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	var wg sync.WaitGroup
	errs := make([]error, 32)
	for i := range errs {
		wg.Go(func() {
			a := yes(v.Request)
			if i%2 == 0 {
				a = no(v.Request)
			}
			_, errs[i] = w.Answer(ctx, a)
		})
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, assent.ErrSettled) {
			t.Errorf("a later answer was told %v", err)
		}
	}
	r, err := w.Request(ctx, v.Request)
	if won != 1 || err != nil || (r.State == assent.Approved) != (len(mustGrants(w, assent.GrantFilter{})) == 1) {
		t.Fatalf("%d won; %v, %v", won, r, err)
	}
}

func TestLaw8WhatRunsIsWhatWasJudged(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*assent.Event){
		"input":     func(e *assent.Event) { e.Input = []byte(`{"command":"rm -r x ","facts":["danger"]}`) },
		"directory": func(e *assent.Event) { e.Dir = "/w2" },
		"tool":      func(e *assent.Event) { e.Tool = "other" },
		"agent":     func(e *assent.Event) { e.Agent = "other" },
		"principal": func(e *assent.Event) { e.Principal = "uid:2" },
		"session":   func(e *assent.Event) { e.Session = "other" },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			w := newWorld(engine.Options{})
			e := w.call("s", danger)
			v := ok(w.Handle(ctx, e))
			_, err := w.Answer(ctx, yes(v.Request))
			must(t, err)
			other := e
			change(&other)
			if v := ok(w.Handle(ctx, other)); v.Decision != assent.Ask {
				t.Errorf("changed: %v", v)
			}
			if v := ok(w.Handle(ctx, e)); v.Decision != assent.Allow {
				t.Errorf("unchanged: %v", v)
			}
		})
	}
}

// An answer is bound to what was shown.
func TestLaw8AnAnswerToSomethingElseIsStale(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	a := yes(v.Request)
	a.Digest = "of something else"
	if _, err := w.Answer(ctx, a); !errors.Is(err, assent.ErrStale) {
		t.Fatal(err)
	}
	a = yes(v.Request)
	a.Version = 2
	if _, err := w.Answer(ctx, a); !errors.Is(err, assent.ErrStale) {
		t.Fatal(err)
	}
}

func TestLaw11TheOneWhoAsksCanNeverAnswer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	for name, p := range map[string]assent.Proof{
		"agent's child, with the key": {Key: "owner", Peer: &assent.Peer{Agent: "child of test, process 1"}},
		"nobody":                      {},
		"unknown key":                 {Key: "stranger"},
	} {
		a := yes(v.Request)
		a.Proof = p
		if _, err := w.Answer(ctx, a); !errors.Is(err, assent.ErrSelfApproval) && !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%s answered: %v", name, err)
		}
		if r := w.lastRecord(t); r.Kind != assent.KindRefused {
			t.Errorf("%s: not recorded: %+v", name, r)
		}
		if _, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{All: true}, Proof: p}); err == nil {
			t.Errorf("%s revoked", name)
		}
	}
	if r, err := w.Request(ctx, v.Request); err != nil || r.State != assent.Pending {
		t.Fatalf("%v, %v", r, err)
	}
}

// Where it is not known which process asks, a place in the process tree proves
// nothing: only a signature does. Anybody may still deny.
func TestLaw11TheOneWhoAsksCanNeverAnswerUnseen(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	e := w.call("s", danger)
	e.Principal = assent.PrincipalToken
	v := ok(w.Handle(ctx, e))
	a := yes(v.Request) // the roster of these tests knows its owner without a signature
	if _, err := w.Answer(ctx, a); !errors.Is(err, assent.ErrForbidden) || w.lastRecord(t).Kind != assent.KindRefused {
		t.Fatalf("a terminal answered: %v, %+v", err, w.lastRecord(t))
	}
	d := ok(w.Handle(ctx, e))
	if d.Decision != assent.Ask {
		t.Fatalf("%v", d)
	}
	a.Proof.Signature = []byte("signed")
	if r, err := w.Answer(ctx, a); err != nil || r.State != assent.Approved {
		t.Fatalf("a key: %v, %v", r, err)
	}
	e.ID, e.Call = "other", "other"
	v = ok(w.Handle(ctx, e)) // spends
	e.ID, e.Call = "third", "third"
	v = ok(w.Handle(ctx, e))
	if r, err := w.Answer(ctx, no(v.Request)); err != nil || r.State != assent.Denied {
		t.Fatalf("a denial: %v, %v", r, err)
	}
}

func mustGrants(w *world, f assent.GrantFilter) []assent.Grant {
	list, err := w.Store().Grants(context.Background(), f)
	if err != nil {
		panic(err)
	}
	return list
}

// What somebody signed stands in the log; it is of no use to others later.
func TestASignedRevocationGrowsOld(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	r := assent.Revocation{Selection: assent.Selection{All: true}, At: w.now(), Proof: assent.Proof{Key: "owner"}}
	w.pass(10 * time.Minute)
	if _, err := w.Revoke(ctx, r); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Second)
	if _, err := w.Revoke(ctx, r); !errors.Is(err, assent.ErrStale) {
		t.Fatal(err)
	}
}

// The first key needs nobody to vouch for it, and there is one first key.
func TestOnlyTheFirstKeyIsEnrolledUnvouched(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	other := newWorld(engine.Options{Store: w.store}) // another process on the same store
	key := func(name string) assent.Enrollment {
		return assent.Enrollment{Name: name, Key: "SHA256:" + name, Public: []byte(name), At: w.now(), Proof: assent.Proof{Peer: &assent.Peer{Process: assent.Process{PID: 7}}}}
	}
	for _, p := range []assent.Peer{{Agent: "child of test, process 1"}, {Asker: "on the terminal of assent, process 1"}} {
		n := key("eve")
		n.Proof.Peer = &p
		if err := w.Enroll(ctx, n); !errors.Is(err, assent.ErrSelfApproval) && !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%+v enrolls the first: %v", p, err)
		}
	}
	if err := w.Enroll(ctx, key("ann")); err != nil {
		t.Fatal(err)
	}
	if err := other.Enroll(ctx, key("bob")); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("a second key without a voucher: %v", err)
	}
	late := assent.Draft{Record: assent.Record{At: w.now(), Kind: assent.KindKey, By: "process:8 of uid 1", Data: []byte(`{"key":"SHA256:eve","public":"ZXZl"}`)}}
	if _, err := w.store.Append(ctx, late); err != nil { // who asked whether it is the first at the same moment
		t.Fatal(err)
	}
	if err := engine.Enrolled(ctx, w.store, "SHA256:eve", []byte("eve")); !errors.Is(err, assent.ErrForbidden) {
		t.Errorf("it counts: %v", err)
	}
	if err := engine.Enrolled(ctx, w.store, "SHA256:ann", []byte("ann")); err != nil {
		t.Error(err)
	}
	vouched := key("bob")
	vouched.Proof.Key = "owner"
	if err := w.Enroll(ctx, vouched); err != nil {
		t.Errorf("with a voucher: %v", err)
	}
}
