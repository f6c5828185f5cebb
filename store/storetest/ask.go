package storetest

// Promises about asking.

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

func asks(k *kit) {
	r := k.request(shell("x"))
	r.ID, r.State, r.Grant, r.Asked = "req_77", assent.Approved, "gr_77", 5
	r.Settled, r.Answer = k.now, &assent.Answer{Note: "forged"}
	got, err := k.Ask(k.Context(), r, k.call(r.Case), wide, k.draft(assent.KindEvent))
	k.must(err)
	want := k.request(shell("x"))
	want.ID, want.State, want.Asked = "req_1", assent.Pending, 1
	if diff := cmp.Diff(want, got); diff != "" {
		k.Fatalf("request (-want +got):\n%s", diff)
	}
	kept, err := k.Request(k.Context(), "req_1")
	k.must(err)
	if diff := cmp.Diff(got, kept); diff != "" {
		k.Fatalf("kept (-returned +kept):\n%s", diff)
	}
	equal(k, "request in the record", k.wrote(0, 1).Request, "req_1")
	c, err := k.Call(k.Context(), "s1", "call-1", r.Digest)
	k.must(err)
	equal(k, "request of the call", c.Request, "req_1")
	for _, id := range []string{"req_2", "req_0", "req_01", "req_-1", "gr_1", "", "req_1x"} {
		_, err = k.Request(k.Context(), id)
		k.is(err, assent.ErrNotFound)
	}
}

func joins(k *kit) {
	first := k.ask(shell("x"))
	before := k.head()
	told := k.call(shell("x"))
	told.Request = first.ID // what the caller says of the call does not count
	second, err := k.Ask(k.Context(), k.request(shell("x")), told, wide, k.draft(assent.KindEvent))
	k.must(err)
	equal(k, "joined", second.ID, first.ID)
	equal(k, "asked", second.Asked, 2)
	equal(k, "request in the record", k.wrote(before, 1).Request, first.ID)

	other, question := shell("x"), shell("x")
	other.Principal, question.Session = "uid:2", "s2"
	for i, c := range []assent.Case{shell("y"), other, question} {
		equal(k, "request of another", k.ask(c).ID, fmt.Sprintf("req_%d", i+2))
	}
	_, _, err = k.Settle(k.Context(), assent.Settlement{Request: first.ID, State: assent.Denied, At: k.now}, k.answer(assent.Deny))
	k.must(err)
	equal(k, "after it was settled", k.ask(shell("x")).ID, "req_5")
}

func asksOnce(k *kit) {
	c := k.call(shell("x"))
	for range 3 {
		r, err := k.Ask(k.Context(), k.request(shell("x")), c, wide, k.draft(assent.KindEvent))
		k.must(err)
		equal(k, "asked", r.Asked, 1)
	}
	k.wrote(0, 3)
}

func reopens(k *kit) {
	c := k.call(shell("x"))
	for i := range 3 {
		r, err := k.Ask(k.Context(), k.request(shell("x")), c, wide, k.draft(assent.KindEvent))
		k.must(err)
		equal(k, "asked", r.Asked, i+1)
		k.must(k.Finish(k.Context(), "s1", c.ID, k.draft(assent.KindEvent)))
		got, err := k.Call(k.Context(), "s1", c.ID, c.Digest)
		k.must(err)
		equal(k, "closed", got.Closed.Equal(k.now), true)
	}
}

func noDigest(k *kit) {
	for i := range 2 {
		r := k.request(shell("x"))
		r.Digest = ""
		got, err := k.Ask(k.Context(), r, k.call(r.Case), wide, k.draft(assent.KindEvent))
		k.must(err)
		equal(k, "request", got.ID, fmt.Sprintf("req_%d", i+1))
	}
}

func bounds(k *kit) {
	ask := func(session, command string, b assent.Bounds) error {
		c := shell(command)
		c.Session = session
		_, err := k.Ask(k.Context(), k.request(c), k.call(c), b, k.draft(assent.KindEvent))
		return err
	}
	b := assent.Bounds{Session: 2, All: 3}
	k.must(ask("s1", "a", b))
	k.must(ask("s1", "b", b))
	before := k.head()
	k.is(ask("s1", "c", b), assent.ErrFull)
	k.wrote(before, 0)
	k.must(ask("s1", "a", b)) // joining takes no place
	k.must(ask("s2", "a", b))
	k.is(ask("s3", "a", b), assent.ErrFull)
	k.is(ask("s3", "a", assent.Bounds{}), assent.ErrFull)
	_, _, err := k.Settle(k.Context(), assent.Settlement{Request: "req_1", State: assent.Withdrawn, At: k.now}, k.draft(assent.KindEvent))
	k.must(err)
	k.must(ask("s1", "c", b)) // a place has become free
}

func concurrentAsks(k *kit) {
	var failed atomic.Int64
	ctx := context.WithoutCancel(k.Context())
	k.together(32, func(i int) {
		c := callOf(shell("x"), fmt.Sprint("c", i))
		if r, err := k.Ask(ctx, k.request(shell("x")), c, wide, k.draft(assent.KindEvent)); err != nil || r.ID != "req_1" {
			failed.Add(1)
		}
	})
	equal(k, "failed", failed.Load(), 0)
	r, err := k.Request(ctx, "req_1")
	k.must(err)
	equal(k, "asked", r.Asked, 32)
}

func verbatim(k *kit) {
	c := shell("a && b > c < d \u2028 'é' \x01")
	c.Input, _ = assent.Canonical(c.Input)
	c.Extra = map[string]json.RawMessage{"x": json.RawMessage(`{"<&>":"\u003c"}`)}
	r := k.request(c)
	r.Reasons = []assent.Reason{{By: "a", Decision: assent.Ask, Text: "<&>"}}
	r.Offers = []assent.Offer{{Scope: assent.Scope{Digest: r.Digest, Uses: 1, For: assent.Duration(10 * time.Minute)}, Text: "once"}}
	r.Schema, r.Quorum, r.Version = json.RawMessage(`{"type":"<&>"}`), 2, 7
	_, err := k.Ask(k.Context(), r, k.call(c), wide, k.draft(assent.KindEvent))
	k.must(err)
	r.ID, r.State, r.Asked = "req_1", assent.Pending, 1
	got, err := k.Request(k.Context(), "req_1")
	k.must(err)
	if diff := cmp.Diff(r, got); diff != "" {
		k.Fatalf("request (-asked +kept):\n%s", diff)
	}
	equal(k, "digest", got.Case.Digest(), c.Digest())
}

func isolation(k *kit) {
	r := k.request(removes("/w/a"))
	in, err := k.Ask(k.Context(), r, k.call(r.Case), wide, k.draft(assent.KindEvent))
	k.must(err)
	r.Case.Input[2], r.Case.Findings[0].Code = '!', "changed"
	in.Case.Input[2], in.Case.Findings[0].Code = '!', "changed"
	got, err := k.Request(k.Context(), in.ID)
	k.must(err)
	equal(k, "digest", got.Case.Digest(), removes("/w/a").Digest())
	equal(k, "code", got.Case.Findings[0].Code, "fs.delete")

	s := k.yes(in.ID, class("/w", 3))
	_, g, err := k.Settle(k.Context(), s, k.answer(assent.Allow))
	k.must(err)
	s.Grant.Scope.Codes[0], g.Scope.Programs[0] = "changed", "changed"
	_, err = k.spend(removes("/w/a"))
	k.must(err)
	lines, err := k.Lines(k.Context(), 0, 1)
	k.must(err)
	lines[0].Leaf[5] ^= 1 // the chain is checked when the test ends
}
