package engine_test

// The laws of handing on: a session starts with nothing, and has what a person handed
// to it, and nothing besides.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/engine"
)

// holding is a world in which the session "s" holds a grant of danger, and its sub-agent
// "s/a", the sibling "s/b" and the session "t" are known.
func holding(t interface{ Fatal(...any) }, width assent.Width) (*world, string) {
	w := newWorld(engine.Options{})
	for _, other := range []string{"s/a", "s/b", "t"} {
		w.starts(t, other)
	}
	v := ok(w.Handle(context.Background(), w.call("s", danger)))
	a := yes(v.Request)
	if a.Width = width; width == assent.ForTurns {
		a.Uses, a.For = 5, assent.Duration(time.Hour)
	}
	r, err := w.Answer(context.Background(), a)
	must(t, err)
	return w, r.Grant
}

// starts tells of a session, as an agent's process does.
func (w *world) starts(t interface{ Fatal(...any) }, session string) {
	e := w.call(session, input{Command: "true"})
	e.Process = &assent.Process{PID: 100 + len(session), Start: 7, Boot: "boot-1"}
	if parent, _, child := strings.Cut(session, "/"); child {
		e.ParentSession = parent
	}
	_, err := w.Handle(context.Background(), e)
	must(t, err)
}

func forwarding(w *world, grant, to string) assent.Forwarding {
	return assent.Forwarding{Grant: grant, To: to, At: w.now(), Proof: assent.Proof{Key: "owner"}}
}

// tries is what becomes of danger in a session.
func (w *world) tries(session string) assent.Decision {
	return ok(w.Handle(context.Background(), w.call(session, danger))).Decision
}

// spends is the grant error of danger in a session: nil, a use was taken.
func (w *world) spends(session string) error {
	e := w.call(session, danger)
	c := analyse(e)
	call := assent.Call{Session: session, ID: e.Call, Digest: c.Digest(), Opened: w.now()}
	_, err := w.Store().Spend(context.Background(), c, call, w.now(), w.Boot(), assent.Draft{Record: assent.Record{At: w.now(), Kind: assent.KindEvent}})
	return err
}

// A child session starts with nothing although its parent holds a session grant; what
// is handed to it, it can use so often; nobody else has any of it.
func TestAdversarial07AChildSessionHasWhatIsHandedToIt(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.InSess)
	if w.tries("s") != assent.Allow || w.tries("s/a") != assent.Ask {
		t.Fatal("before")
	}
	g, err := w.Forward(context.Background(), forwarding(w, id, "s/a"))
	must(t, err)
	if g.Parent != id || g.Scope.Session != "s/a" || g.Scope.Uses != 1 || g.Width != assent.InSess || g.Boot != "boot-1" || g.By.ID != "owner" {
		t.Fatalf("%+v", g)
	}
	for _, nobody := range []string{"s/b", "t", "s/a/x", "s/", "s/a ", "S/a", "s/guess"} {
		if d := w.tries(nobody); d != assent.Ask {
			t.Errorf("%q: %v", nobody, d)
		}
	}
	if first, second := w.tries("s/a"), w.tries("s/a"); first != assent.Allow || second != assent.Ask {
		t.Errorf("the child's first call %v, its second %v", first, second)
	}
	if err := w.spends("s/a"); !errors.Is(err, assent.ErrExhausted) {
		t.Errorf("used up: %v", err)
	}
	if d := w.tries("s"); d != assent.Allow {
		t.Errorf("the parent: %v", d)
	}
	if all := mustGrants(w, assent.GrantFilter{}); all[0].Used != 3 || all[1].Used != 1 {
		t.Errorf("used %d and %d", all[0].Used, all[1].Used)
	}
}

// The record of it has the word with its proof, and vouches for the grant.
func TestLaw9AForwardingIsRecordedWithItsProof(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.InSess)
	f := forwarding(w, id, "s/a")
	f.Note = "to help"
	g, err := w.Forward(context.Background(), f)
	must(t, err)
	rec := w.lastRecord(t)
	var said assent.Forwarding
	if err := json.Unmarshal(rec.Data, &said); err != nil || said.Grant != id || said.To != "s/a" || said.Proof.Key != "owner" {
		t.Fatalf("%v, %s", err, rec.Data)
	}
	if !g.VouchedBy(rec) || rec.By != "key:owner" || rec.Note != "to help" || rec.Session != "s/a" || rec.Decision != assent.Allow {
		t.Errorf("%+v", rec)
	}
}

// What ends the parent's ends what came of it.
func TestAdversarial02WhatWasHandedOnEndsWithIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	ends := map[string]func(w *world, parent, child string) error{
		"the parent's is revoked": func(w *world, parent, _ string) error {
			_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{ID: parent}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
			return err
		},
		"it is revoked": func(w *world, _, child string) error {
			_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{ID: child}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
			return err
		},
		"the parent's session ends": func(w *world, _, _ string) error {
			e := w.call("s", input{})
			e.Name = assent.SessionEnd
			_, err := w.Handle(ctx, e)
			return err
		},
	}
	for what, end := range ends {
		for _, to := range []string{"s/a", "t"} {
			w, id := holding(t, assent.InSess)
			f := forwarding(w, id, to)
			f.Uses = 3
			g, err := w.Forward(ctx, f)
			must(t, err)
			onward, err := w.Forward(ctx, forwarding(w, g.ID, "s/b"))
			must(t, err)
			if d := w.tries(to); d != assent.Allow {
				t.Fatalf("%s: before: %v", what, d)
			}
			must(t, end(w, id, g.ID))
			for _, session := range []string{to, "s/b"} {
				if err := w.spends(session); !errors.Is(err, assent.ErrRevoked) {
					t.Errorf("%s: %s: %v", what, session, err)
				}
				if d := w.tries(session); d != assent.Ask {
					t.Errorf("%s: %s: %v", what, session, d)
				}
			}
			for _, dead := range []string{g.ID, onward.ID} {
				if _, err := w.Forward(ctx, forwarding(w, dead, "t/x")); !errors.Is(err, assent.ErrRevoked) {
					t.Errorf("%s: handed on: %v", what, err)
				}
			}
		}
	}
}

// A sub-agent's end ends what it was handed, and leaves the parent's alone.
func TestWhatWasHandedOnEndsWithItsHolder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w, id := holding(t, assent.InSess)
	_, err := w.Forward(ctx, forwarding(w, id, "s/a"))
	must(t, err)
	w.tries("s/a")
	w.tries("s/a") // asks, so that there is a request of it too
	e := w.call("s/a", input{})
	e.Name, e.ParentSession = assent.SubagentStop, "s"
	ok(w.Handle(ctx, e))
	if err := w.spends("s/a"); !errors.Is(err, assent.ErrRevoked) {
		t.Error(err)
	}
	if d := w.tries("s"); d != assent.Allow {
		t.Errorf("the parent: %v", d)
	}
	w.pass(time.Second)
	if _, err := w.Forward(ctx, forwarding(w, id, "s/a")); !errors.Is(err, assent.ErrNotFound) {
		t.Errorf("to a session that has ended: %v", err)
	}
}

// On a new boot it is void, as its parent's.
func TestAdversarial03WhatWasHandedOnDiesWithTheBootAndTheDeadline(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.InSess)
	f := forwarding(w, id, "s/a")
	f.For = assent.Duration(time.Minute)
	g, err := w.Forward(context.Background(), f)
	must(t, err)
	if err := g.Check(w.now(), "boot-2"); !errors.Is(err, assent.ErrExpired) {
		t.Errorf("another boot: %v", err)
	}
	w.pass(time.Minute - 1)
	if err := g.Check(w.now(), "boot-1"); err != nil {
		t.Errorf("before its end: %v", err)
	}
	w.pass(1)
	if err := w.spends("s/a"); !errors.Is(err, assent.ErrExpired) {
		t.Errorf("at its end: %v", err)
	}
	if err := w.spends("s"); err != nil {
		t.Errorf("the parent: %v", err)
	}
}

// What cannot be handed on, and why. Nothing is given.
func TestWhatCannotBeHandedOn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, row := range map[string]struct {
		change func(w *world, f *assent.Forwarding)
		want   error
	}{
		"no grant":        {func(_ *world, f *assent.Forwarding) { f.Grant = "" }, assent.ErrInvalid},
		"no session":      {func(_ *world, f *assent.Forwarding) { f.To = "" }, assent.ErrInvalid},
		"negative uses":   {func(_ *world, f *assent.Forwarding) { f.Uses = -1 }, assent.ErrInvalid},
		"a negative time": {func(_ *world, f *assent.Forwarding) { f.For = -1 }, assent.ErrInvalid},
		"a long note":     {func(_ *world, f *assent.Forwarding) { f.Note = strings.Repeat("x", 2001) }, assent.ErrInvalid},
		"to its holder":   {func(_ *world, f *assent.Forwarding) { f.To = "s" }, assent.ErrInvalid},
		"no such grant":   {func(_ *world, f *assent.Forwarding) { f.Grant = "gr_9" }, assent.ErrNoSuchGrant},
		"no such session": {func(_ *world, f *assent.Forwarding) { f.To = "s/guess" }, assent.ErrNotFound},
		"too many uses":   {func(_ *world, f *assent.Forwarding) { f.Uses = 6 }, assent.ErrScope},
		"too long":        {func(_ *world, f *assent.Forwarding) { f.For = assent.Duration(time.Hour + 1) }, assent.ErrScope},
		"signed long ago": {func(w *world, f *assent.Forwarding) { f.At = w.now().Add(-11 * time.Minute) }, assent.ErrStale},
		"by nobody":       {func(_ *world, f *assent.Forwarding) { f.Proof = assent.Proof{} }, assent.ErrForbidden},
		"used up": {func(w *world, _ *assent.Forwarding) {
			for range 5 {
				w.tries("s")
			}
		}, assent.ErrExhausted},
		"one use too many":  {func(w *world, f *assent.Forwarding) { w.tries("s"); f.Uses = 5 }, assent.ErrScope},
		"over":              {func(w *world, f *assent.Forwarding) { w.pass(time.Hour); f.At = w.now() }, assent.ErrExpired},
		"too long by a bit": {func(w *world, f *assent.Forwarding) { w.pass(1); f.At, f.For = w.now(), assent.Duration(time.Hour) }, assent.ErrScope},
		"revoked and over": {func(w *world, f *assent.Forwarding) {
			_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{All: true}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
			must(t, err)
			w.pass(time.Hour)
			f.At = w.now()
		}, assent.ErrRevoked},
	} {
		w, id := holding(t, assent.ForTurns)
		f := forwarding(w, id, "s/a")
		row.change(w, &f)
		if g, err := w.Forward(ctx, f); !errors.Is(err, row.want) || g.ID != "" {
			t.Errorf("%s: %v, %v", name, g, err)
		}
		if all := mustGrants(w, assent.GrantFilter{}); len(all) != 1 {
			t.Errorf("%s: %d grants", name, len(all))
		}
	}
}

// Who asks cannot hand on, whatever else it shows, and that it tried is recorded.
func TestAdversarial04TheOneWhoAsksCannotHandOn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w, id := holding(t, assent.InSess)
	for name, p := range map[string]assent.Proof{
		"agent's child, with the key": {Key: "owner", Peer: &assent.Peer{Agent: "child of test, process 1"}},
		"nobody":                      {}, "unknown key": {Key: "stranger"},
	} {
		f := forwarding(w, id, "s/a")
		f.Proof = p
		if _, err := w.Forward(ctx, f); !errors.Is(err, assent.ErrSelfApproval) && !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
		if r := w.lastRecord(t); r.Kind != assent.KindRefused || !strings.Contains(r.Note, "forward "+id) {
			t.Errorf("%s: not recorded: %+v", name, r)
		}
	}
	if d := w.tries("s/a"); d != assent.Ask {
		t.Error(d)
	}
}

// Where it is not known which process asks, only a signature is proof.
func TestAdversarial04AnUnseenAskerCannotHandOn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{})
	e := w.call("s", danger)
	e.Principal = assent.PrincipalToken
	a := yes(ok(w.Handle(ctx, e)).Request)
	a.Proof.Signature = []byte("signed")
	r, err := w.Answer(ctx, a)
	must(t, err)
	w.starts(t, "s/a")
	f := forwarding(w, r.Grant, "s/a")
	if _, err := w.Forward(ctx, f); !errors.Is(err, assent.ErrForbidden) || w.lastRecord(t).Kind != assent.KindRefused {
		t.Fatalf("%v, %+v", err, w.lastRecord(t))
	}
	f.Proof.Signature = []byte("signed")
	if _, err := w.Forward(ctx, f); err != nil {
		t.Fatal(err)
	}
}

// What was signed stands in the log: whoever finds it there gets nothing for it.
func TestAdversarial11AForwardingCountsOnce(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.InSess)
	f := forwarding(w, id, "s/a")
	var wg sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		wg.Go(func() { _, errs[i] = w.Forward(context.Background(), f) })
	}
	wg.Wait()
	given := 0
	for _, err := range errs {
		if err == nil {
			given++
		} else if !errors.Is(err, assent.ErrSettled) {
			t.Error(err)
		}
	}
	w.tries("s/a") // used up
	w.pass(5 * time.Minute)
	if _, err := w.Forward(context.Background(), f); given != 1 || !errors.Is(err, assent.ErrSettled) {
		t.Errorf("given %d times; once more: %v", given, err)
	}
	f.At = w.now()
	if _, err := w.Forward(context.Background(), f); err != nil {
		t.Errorf("a word of its own: %v", err)
	}
}

// What the configuration gives is for everybody, or for an approver.
func TestTheOwnersOwnIsNotHandedOn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, mints := range []bool{false, true} {
		w, _ := holding(t, assent.InSess)
		g := assent.Grant{Width: assent.Owner, From: w.now(), Until: w.now().Add(time.Hour), Mints: mints, Scope: assent.Scope{Tool: assent.AnyTool, Uses: 9}}
		g, err := w.Store().Give(ctx, g, assent.Draft{Record: assent.Record{At: w.now(), Kind: assent.KindAnswer, Decision: assent.Allow}})
		must(t, err)
		if _, err := w.Forward(ctx, forwarding(w, g.ID, "s/a")); !errors.Is(err, assent.ErrScope) {
			t.Errorf("mints %v: %v", mints, err)
		}
	}
}

// A grant goes on eight times in a row at most, each time by a person.
func TestHandingOnHasABound(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.InSess)
	for i := range 9 {
		to := fmt.Sprintf("n%d", i)
		w.starts(t, to)
		g, err := w.Forward(context.Background(), forwarding(w, id, to))
		if i == 8 {
			if !errors.Is(err, assent.ErrScope) {
				t.Errorf("the ninth time: %v", err)
			}
			return
		}
		must(t, err)
		id = g.ID
	}
}

// A standing grant, which is of nobody in particular, is handed on for a time.
func TestAStandingGrantIsHandedOnForATime(t *testing.T) {
	t.Parallel()
	w, id := holding(t, assent.Always)
	g, err := w.Forward(context.Background(), forwarding(w, id, "s/a"))
	must(t, err)
	if g.Width != assent.ForTurns || g.Lapse != 0 || g.Scope.Session != "s/a" {
		t.Errorf("%+v", g)
	}
}

// Whatever is handed on is a part of what it came out of: it covers nothing for its
// holder that the parent's would not, were that the holder, has no more uses and no
// more time; and at no moment can more be spent than the root has.
func TestAdversarial08WhatIsHandedOnIsAPart(t *testing.T) {
	t.Parallel()
	widths := []assent.Width{assent.Once, assent.InSess, assent.ForTurns, assent.Always}
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		width := rapid.SampledFrom(widths).Draw(t, "width")
		w, root := holding(t, width)
		if rapid.Bool().Draw(t, "class") {
			w, root = minted(t, width)
		}
		all := mustGrants(w, assent.GrantFilter{})
		grants := map[string]assent.Grant{}
		for _, g := range all {
			grants[g.ID] = g
		}
		ids, spent := []string{root}, 0
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			session := rapid.SampledFrom([]string{"s", "s/a", "s/b", "t"}).Draw(t, "session")
			switch rapid.SampledFrom([]string{"forward", "forward", "spend", "later"}).Draw(t, "step") {
			case "forward":
				f := forwarding(w, rapid.SampledFrom(ids).Draw(t, "grant"), session)
				f.Uses = rapid.IntRange(0, 101).Draw(t, "uses")
				f.For = assent.Duration(rapid.Int64Range(0, int64(9*time.Hour)).Draw(t, "for"))
				f.At = f.At.Add(time.Duration(rapid.IntRange(-600, 600).Draw(t, "signed")) * time.Second)
				g, err := w.Forward(ctx, f)
				if err != nil {
					continue
				}
				part(t, g, grants[f.Grant])
				for id := g.Parent; id != ""; id = grants[id].Parent {
					if g.Until.After(grants[id].Until) || g.Scope.Uses > grants[id].Scope.Uses {
						t.Fatalf("%+v has more than %+v", g, grants[id])
					}
				}
				grants[g.ID], ids = g, append(ids, g.ID)
			case "spend":
				if w.spends(session) == nil {
					spent++
				}
			case "later":
				w.pass(time.Duration(rapid.IntRange(0, 300).Draw(t, "seconds")) * time.Second)
			}
		}
		if most := grants[root].Scope.Uses; spent > most {
			t.Fatalf("%d of %d uses were spent", spent, most)
		}
	})
}

// minted is a world in which an approver's authority, of few uses and little time, was
// the source of a grant of a class, which has more of both.
func minted(t *rapid.T, width assent.Width) (*world, string) {
	w, _ := holding(t, assent.Once)
	vouch := func() assent.Draft {
		return assent.Draft{Record: assent.Record{At: w.now(), Kind: assent.KindAnswer, Decision: assent.Allow}}
	}
	source := assent.Grant{
		Width: assent.Owner, Mints: true, From: w.now(), Until: w.now().Add(time.Duration(rapid.IntRange(1, 60).Draw(t, "minutes")) * time.Minute),
		Scope: assent.Scope{Tool: assent.AnyTool, Uses: rapid.IntRange(1, 9).Draw(t, "source")},
	}
	source, err := w.Store().Give(context.Background(), source, vouch())
	must(t, err)
	g, err := w.Store().Give(context.Background(), assent.Grant{
		Parent: source.ID, Width: width, From: w.now(), Until: w.now().Add(time.Hour),
		Scope: assent.Scope{
			Tool: assent.ToolWrite, Codes: []string{"danger", "more"}, Under: "/w", Uses: 50, For: assent.Duration(time.Hour),
			Session: rapid.SampledFrom([]string{"", "s"}).Draw(t, "holder"), Principal: rapid.SampledFrom([]string{"", "uid:1"}).Draw(t, "for whom"),
		},
	}, vouch())
	must(t, err)
	return w, g.ID
}

// part fails unless g is a part of its parent, with another holder.
func part(t *rapid.T, g, parent assent.Grant) {
	if g.Parent != parent.ID || g.Scope.Uses < 1 || g.Scope.Uses > parent.Scope.Uses || g.From.Before(parent.From) || g.Until.After(parent.Until) || g.Scope.For > parent.Scope.For || g.Boot != parent.Boot || g.Mints || g.Width == assent.Owner || g.Width == assent.Always {
		t.Fatalf("%+v of %+v", g, parent)
	}
	held := parent.Scope
	held.Session = g.Scope.Session
	for range 8 {
		c := analyse(assent.Event{
			Name: assent.PreToolCall, Agent: rapid.SampledFrom([]string{"test", "other"}).Draw(t, "agent"), Principal: rapid.SampledFrom([]string{"uid:1", "uid:2"}).Draw(t, "principal"),
			Session: rapid.SampledFrom([]string{"s", "s/a", "s/b", "t"}).Draw(t, "of"), Dir: rapid.SampledFrom([]string{"/w", "/"}).Draw(t, "dir"), Tool: rapid.SampledFrom([]string{assent.ToolShell, assent.ToolWrite}).Draw(t, "tool"),
			Input: rapid.SampledFrom([]json.RawMessage{[]byte(`{"command":"rm -r x","facts":["danger"]}`), []byte(`{"command":"ls"}`)}).Draw(t, "input"),
		})
		if g.Covers(c) && !held.Covers(c) {
			t.Fatalf("%+v covers %+v, and %+v would not", g.Scope, c, held)
		}
		if g.Covers(c) && c.Session != g.Scope.Session {
			t.Fatalf("%+v covers the session %q", g.Scope, c.Session)
		}
	}
}
