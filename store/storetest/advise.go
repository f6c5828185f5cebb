package storetest

// Promises about advice: an approver is asked once, and what it said is kept.

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

// claim is that an approver is being asked.
func (k *kit) claim(id string) assent.Advice {
	return assent.Advice{By: assent.Identity{Surface: "hook", ID: id, Name: "approve.py"}, At: k.now}
}

// said is what it said then.
func said(a assent.Advice) assent.Advice {
	a.Decision, a.Reason, a.Done = assent.Allow, "looks <fine> & \u2028 safe", true
	a.Offer, a.Width, a.Uses, a.For = 1, assent.ForTurns, 3, assent.Duration(time.Minute)
	a.Fault, a.Exit, a.Took = "noise on standard output", -1, assent.Duration(1500*time.Millisecond)
	return a
}

func (k *kit) advise(id string, a assent.Advice) (assent.Request, error) {
	return k.Advise(k.Context(), id, a, k.draft(assent.KindAdvice))
}

func advises(k *kit) {
	r := k.ask(shell("x"))
	equal(k, "advice of a fresh request", r.Advice == nil, true)
	claim := k.claim("a")
	for _, a := range []assent.Advice{claim, said(claim)} {
		before := k.head()
		got, err := k.advise(r.ID, a)
		k.must(err)
		r.Advice = &a
		if diff := cmp.Diff(r, got); diff != "" {
			k.Fatalf("advised (-want +got):\n%s", diff)
		}
		rec := k.wrote(before, 1)
		equal(k, "request in the record", rec.Request, r.ID)
		equal(k, "kind", rec.Kind, assent.KindAdvice)
		k.kept(r)
	}
	r.State, r.Settled = assent.Denied, k.now
	_, _, err := k.Settle(k.Context(), assent.Settlement{Request: r.ID, State: r.State, At: k.now}, k.answer(assent.Deny))
	k.must(err)
	k.kept(r) // also when it is settled
	equal(k, "the same question anew", k.ask(shell("x")).Advice == nil, true)
}

// adviseBefore: who opens a request that was advised on before says so.
func adviseBefore(k *kit) {
	a := said(k.claim("a"))
	r := k.request(shell("x"))
	r.Advice = &a
	got, err := k.Ask(k.Context(), r, k.call(r.Case), wide, k.draft(assent.KindEvent))
	k.must(err)
	r.ID, r.State, r.Asked = "req_1", assent.Pending, 1
	if diff := cmp.Diff(r, got); diff != "" {
		k.Fatalf("asked (-want +got):\n%s", diff)
	}
	k.kept(r)
	_, err = k.advise(r.ID, k.claim("b"))
	k.is(err, assent.ErrSettled)
	joined := k.request(shell("x"))
	other := k.claim("b")
	joined.Advice = &other
	_, err = k.Ask(k.Context(), joined, k.call(r.Case), wide, k.draft(assent.KindEvent))
	k.must(err)
	r.Asked = 2
	k.kept(r) // who joins says nothing
	a.Decision, a.Reason = assent.Ask, "it may not say yes"
	_, err = k.advise(r.ID, a)
	k.must(err)
	k.kept(r)
}

// kept fails unless every way to see the only request shows want.
func (k *kit) kept(want assent.Request) {
	k.Helper()
	one, err := k.Request(k.Context(), want.ID)
	k.must(err)
	seen := []assent.Request{one}
	for _, f := range []assent.RequestFilter{{}, {State: want.State}, {Session: "s1"}} {
		some, err := k.Requests(k.Context(), f)
		k.must(err)
		equal(k, fmt.Sprintf("listed by %+v", f), len(some), 1)
		seen = append(seen, some...)
	}
	for _, got := range seen {
		if diff := cmp.Diff(want, got); diff != "" {
			k.Fatalf("kept (-want +got):\n%s", diff)
		}
	}
}

func adviseRace(k *kit) {
	r := k.ask(shell("x"))
	before := k.head()
	var won, lost atomic.Int64
	ctx := context.WithoutCancel(k.Context())
	k.together(64, func(i int) {
		// half of them are the same approver, asked at the same time by two processes
		a := k.claim(fmt.Sprint(i % 32))
		got, err := k.Advise(ctx, r.ID, a, k.draft(assent.KindAdvice))
		switch {
		case err == nil && got.Advice != nil && got.Advice.By == a.By:
			won.Add(1)
		case errors.Is(err, assent.ErrSettled) && got.ID == r.ID && got.Advice != nil && !got.Advice.Done:
			lost.Add(1)
		}
	})
	equal(k, "won", won.Load(), 1)
	equal(k, "told so", lost.Load(), 63)
	k.wrote(before, 1)
}

func adviseOwn(k *kit) {
	r := k.ask(shell("x"))
	claim, before := k.claim("a"), k.head()
	refused := func(what string, a assent.Advice, want *assent.Advice) {
		k.Helper()
		got, err := k.advise(r.ID, a)
		k.is(err, assent.ErrSettled)
		equal(k, what+": request", got.ID, r.ID)
		if diff := cmp.Diff(want, got.Advice); diff != "" {
			k.Fatalf("%s: as it stands (-want +got):\n%s", what, diff)
		}
	}
	refused("said without a claim", said(claim), nil)
	_, err := k.advise(r.ID, claim)
	k.must(err)
	other, later := claim, claim
	other.By.ID, later.At = "b", claim.At.Add(1)
	refused("claimed twice", claim, &claim)
	k.now = k.now.Add(time.Hour - 1) // whoever claimed it may be long dead: people decide
	refused("claimed by another, much later", k.claim("b"), &claim)
	refused("said by another", said(other), &claim)
	refused("said of another claim", said(later), &claim)
	k.wrote(before, 1)
	done := said(claim)
	done.At = done.At.UTC() // the same moment
	_, err = k.advise(r.ID, done)
	k.must(err)
	other = done
	other.By.Name = "somebody.py"
	refused("said by another when it was said", other, &done)
	refused("claimed when it was said", claim, &done)
	done.Decision, done.Fault = assent.Ask, "it may not say yes"
	got, err := k.advise(r.ID, done)
	k.must(err) // it takes its word back
	if diff := cmp.Diff(&done, got.Advice); diff != "" {
		k.Fatalf("said again (-want +got):\n%s", diff)
	}
	k.wrote(before, 3)
}

func adviseSettled(k *kit) {
	end := func(id string) {
		_, _, err := k.Settle(k.Context(), assent.Settlement{Request: id, State: assent.Withdrawn, At: k.now}, k.draft(assent.KindEvent))
		k.must(err)
	}
	bare, claimed := k.ask(shell("x")), k.ask(shell("y"))
	claim := k.claim("a")
	_, err := k.advise(claimed.ID, claim)
	k.must(err)
	end(bare.ID)
	end(claimed.ID)
	before := k.head()
	got, err := k.advise(bare.ID, claim)
	k.is(err, assent.ErrSettled)
	equal(k, "state", got.State, assent.Withdrawn)
	equal(k, "advice", got.Advice == nil, true)
	got, err = k.advise(claimed.ID, said(claim))
	k.is(err, assent.ErrSettled)
	equal(k, "state", got.State, assent.Withdrawn)
	equal(k, "said", got.Advice.Done, false)
	k.wrote(before, 0)

	late := k.request(shell("z"))
	late.Expires = k.now
	late, err = k.Ask(k.Context(), late, k.call(late.Case), wide, k.draft(assent.KindEvent))
	k.must(err)
	_, err = k.advise(late.ID, claim)
	k.must(err) // nobody has settled it yet
	out, err := k.Expire(k.Context(), k.now, 9)
	k.must(err)
	equal(k, "advice of what expired", out[0].Advice.By, claim.By)
	_, err = k.advise(late.ID, said(claim))
	k.is(err, assent.ErrSettled)
}

func adviseMissing(k *kit) {
	for _, id := range []string{"req_1", "req_x", "gr_1", ""} {
		_, err := k.advise(id, k.claim("a"))
		k.is(err, assent.ErrNotFound)
	}
	r := k.ask(shell("x"))
	before := k.head()
	_, err := k.Advise(k.Context(), r.ID, k.claim("a"), assent.Draft{Record: assent.Record{Kind: assent.KindAdvice}})
	k.is(err, assent.ErrInvalid) // a record needs its time
	k.wrote(before, 0)
	got, err := k.Request(k.Context(), r.ID)
	k.must(err)
	equal(k, "advice without a record", got.Advice == nil, true)
}
