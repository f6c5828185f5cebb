package storetest

// Promises about settling.

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

func settles(k *kit) {
	r := k.ask(shell("x"))
	before := k.head()
	s := assent.Settlement{
		Request: r.ID, State: assent.Denied, At: k.now.Add(time.Second),
		Answer: &assent.Answer{Request: r.ID, Decision: assent.Deny, Note: "no <b>", By: assent.Identity{Surface: "test", ID: "ann"}, At: k.now},
	}
	got, g, err := k.Settle(k.Context(), s, k.answer(assent.Deny))
	k.must(err)
	if g != nil {
		k.Fatal("a no gave a grant")
	}
	want := r
	want.State, want.Settled, want.Answer = assent.Denied, s.At, s.Answer
	if diff := cmp.Diff(want, got); diff != "" {
		k.Fatalf("request (-want +got):\n%s", diff)
	}
	rec := k.wrote(before, 1)
	equal(k, "request in the record", rec.Request, r.ID)
	equal(k, "grant in the record", rec.Grant+rec.Seal, "")

	again, g, err := k.Settle(k.Context(), k.yes(r.ID, exact(shell("x"), 1)), k.answer(assent.Allow))
	k.is(err, assent.ErrSettled)
	if g != nil {
		k.Fatal("the second answer gave a grant")
	}
	if diff := cmp.Diff(got, again); diff != "" {
		k.Fatalf("as it stands (-want +got):\n%s", diff)
	}
	k.wrote(before, 1)
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrNoSuchGrant)
}

func settleRace(k *kit) {
	r := k.ask(shell("x"))
	before := k.head()
	var won, lost atomic.Int64
	ctx := context.WithoutCancel(k.Context())
	k.together(64, func(i int) {
		s := k.yes(r.ID, exact(shell("x"), 1))
		s.Answer.Note = fmt.Sprint(i)
		got, g, err := k.Settle(ctx, s, k.answer(assent.Allow))
		switch {
		case err == nil && g != nil && got.State == assent.Approved:
			won.Add(1)
		case errors.Is(err, assent.ErrSettled) && g == nil && got.State == assent.Approved && got.Answer != nil:
			lost.Add(1)
		}
	})
	equal(k, "won", won.Load(), 1)
	equal(k, "told so", lost.Load(), 63)
	k.wrote(before, 1)
	grants, err := k.Grants(ctx, assent.GrantFilter{})
	k.must(err)
	equal(k, "grants", len(grants), 1)
}

func mints(k *kit) {
	r := k.ask(shell("x"))
	before := k.head()
	s := k.yes(r.ID, exact(shell("x"), 2))
	s.Grant.ID, s.Grant.Record, s.Grant.Used, s.Grant.Revoked = "gr_9", 9, 2, k.now
	got, g, err := k.Settle(k.Context(), s, k.answer(assent.Allow))
	k.must(err)
	rec := k.wrote(before, 1)
	equal(k, "ID", g.ID, "gr_1")
	equal(k, "record", g.Record, rec.N)
	equal(k, "used", g.Used, 0)
	equal(k, "revoked", g.Revoked.IsZero(), true)
	equal(k, "vouched", g.VouchedBy(rec), true)
	equal(k, "grant of the request", got.Grant, "gr_1")
	kept, err := k.Grants(k.Context(), assent.GrantFilter{})
	k.must(err)
	if diff := cmp.Diff([]assent.Grant{*g}, kept); diff != "" {
		k.Fatalf("kept (-returned +kept):\n%s", diff)
	}
	equal(k, "kept is vouched", kept[0].VouchedBy(rec), true)
	equal(k, "next", k.grant(exact(shell("y"), 1)).ID, "gr_2")
}

func mintsOnly(k *kit) {
	r := k.ask(shell("x"))
	before := k.head()
	try := func(want error, d assent.Draft, change func(*assent.Settlement)) {
		k.Helper()
		s := k.yes(r.ID, exact(shell("x"), 1))
		change(&s)
		_, _, err := k.Settle(k.Context(), s, d)
		k.is(err, want)
	}
	try(assent.ErrInvalid, k.answer(assent.Deny), func(*assent.Settlement) {})
	event := k.answer(assent.Allow)
	event.Record.Kind = assent.KindEvent
	try(assent.ErrInvalid, event, func(*assent.Settlement) {})
	try(assent.ErrInvalid, k.answer(assent.Allow), func(s *assent.Settlement) { s.State = assent.Denied })
	try(assent.ErrInvalid, k.answer(assent.Allow), func(s *assent.Settlement) { s.State = assent.Pending })
	try(assent.ErrInvalid, k.answer(assent.Allow), func(s *assent.Settlement) { s.State = "maybe" })
	try(assent.ErrNoSuchGrant, k.answer(assent.Allow), func(s *assent.Settlement) { s.Grant.Parent = "gr_1" })
	try(assent.ErrNoSuchGrant, k.answer(assent.Allow), func(s *assent.Settlement) { s.Grant.Parent = "nobody" })
	k.wrote(before, 0)
	now, err := k.Request(k.Context(), r.ID)
	k.must(err)
	equal(k, "state", now.State, assent.Pending)
}

func settleMissing(k *kit) {
	for _, id := range []string{"req_1", "req_x", ""} {
		_, _, err := k.Settle(k.Context(), k.yes(id, exact(shell("x"), 1)), k.answer(assent.Allow))
		k.is(err, assent.ErrNotFound)
	}
	k.wrote(0, 0)
}

func withdraws(k *kit) {
	r := k.ask(shell("x"))
	got, _, err := k.Settle(k.Context(), assent.Settlement{Request: r.ID, State: assent.Withdrawn, At: k.now}, k.draft(assent.KindEvent))
	k.must(err)
	equal(k, "state", got.State, assent.Withdrawn)
	_, _, err = k.Settle(k.Context(), k.yes(r.ID, exact(shell("x"), 1)), k.answer(assent.Allow))
	k.is(err, assent.ErrSettled)
	out, err := k.Expire(k.Context(), k.now.Add(24*time.Hour), 10)
	k.must(err)
	equal(k, "expired", len(out), 0)
}

func expires(k *kit) {
	r := k.ask(shell("x"))
	out, err := k.Expire(k.Context(), r.Expires.Add(-1), 10)
	k.must(err)
	equal(k, "a nanosecond before", len(out), 0)
	before := k.head()
	k.now = r.Expires
	out, err = k.Expire(k.Context(), r.Expires, 10)
	k.must(err)
	equal(k, "at the deadline", len(out), 1)
	got, err := k.Request(k.Context(), r.ID)
	k.must(err)
	if diff := cmp.Diff(out[0], got); diff != "" {
		k.Fatalf("kept (-returned +kept):\n%s", diff)
	}
	equal(k, "state", got.State, assent.Expired)
	equal(k, "settled", got.Settled.Equal(r.Expires), true)
	rec := k.wrote(before, 1)
	equal(k, "kind", rec.Kind, assent.KindExpire)
	equal(k, "request in the record", rec.Request, r.ID)
	equal(k, "digest in the record", rec.Digest, r.Digest)
	_, _, err = k.Settle(k.Context(), k.yes(r.ID, exact(shell("x"), 1)), k.answer(assent.Allow))
	k.is(err, assent.ErrSettled)
	out, err = k.Expire(k.Context(), r.Expires.Add(time.Hour), 10)
	k.must(err)
	equal(k, "once", len(out), 0)
}

func expireLimit(k *kit) {
	for i, after := range []time.Duration{3, 1, 2, 1} {
		r := k.request(shell(fmt.Sprint(i)))
		r.Expires = k.now.Add(after * time.Minute)
		_, err := k.Ask(k.Context(), r, k.call(r.Case), wide, k.draft(assent.KindEvent))
		k.must(err)
	}
	late := k.now.Add(time.Hour)
	var order []string
	for _, limit := range []int{0, 3, 3, 3} {
		before := k.head()
		out, err := k.Expire(k.Context(), late, limit)
		k.must(err)
		k.wrote(before, len(out))
		for _, r := range out {
			order = append(order, r.ID)
		}
	}
	if diff := cmp.Diff([]string{"req_2", "req_4", "req_3", "req_1"}, order); diff != "" {
		k.Fatalf("order (-want +got):\n%s", diff)
	}
}
