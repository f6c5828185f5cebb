package storetest

// Promises about what assent runs itself under a grant.

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

var (
	broker = assent.Process{PID: 41, Start: 7, Boot: "boot", UID: 1}
	child  = assent.Process{PID: 42, Start: 9, Boot: "boot", UID: 1, Group: 42}
)

// take spends one use of one grant for a new call of the case, which it returns.
func (k *kit) take(c assent.Case, from string) assent.Call {
	k.Helper()
	call := k.call(c)
	call.From = from
	_, err := k.Spend(k.Context(), c, call, k.now, "boot", k.draft(assent.KindEvent))
	k.must(err)
	return call
}

// begin begins a call in the child.
func (k *kit) begin(call assent.Call) error {
	call.Broker, call.Child, call.Began = &broker, &child, k.now
	return k.Begin(k.Context(), call, k.draft(assent.KindBegin))
}

// refund gives the use of a call back.
func (k *kit) refund(call assent.Call) (assent.Grant, error) {
	return k.Refund(k.Context(), call, k.draft(assent.KindRefund))
}

func (k *kit) revoke(id string) {
	k.Helper()
	_, err := k.Revoke(k.Context(), assent.Selection{ID: id}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
}

// used is how often each grant says it was used.
func (k *kit) used() (out []int) {
	k.Helper()
	all, err := k.Grants(k.Context(), assent.GrantFilter{})
	k.must(err)
	for _, g := range all {
		out = append(out, g.Used)
	}
	return out
}

// same fails the test unless got is want.
func (k *kit) same(what string, want, got any) {
	k.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		k.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func spendFrom(k *kit) {
	c := removes("/w/a")
	old := k.grant(exact(c, 2))
	wide := k.grant(class("/w", 1))
	other := k.grant(exact(shell("x"), 1))
	mint := k.own(anything(9), minting)
	spend := func(from string) error {
		call := k.call(c)
		call.From = from
		g, err := k.Spend(k.Context(), c, call, k.now, "boot", k.draft(assent.KindEvent))
		if err == nil {
			equal(k, "grant", g.ID, from)
		}
		return err
	}
	k.must(spend(wide.ID)) // although an exact one is there
	k.is(spend(wide.ID), assent.ErrExhausted)
	before := k.head()
	k.is(spend(other.ID), assent.ErrScope)
	k.is(spend(mint.ID), assent.ErrScope)
	for _, id := range []string{"gr_9", "gr_0", "req_1", "x"} {
		k.is(spend(id), assent.ErrNoSuchGrant)
	}
	k.wrote(before, 0)
	k.same("used", []int{0, 1, 0, 0}, k.used())

	call := k.take(c, old.ID)
	_, err := k.Spend(k.Context(), c, call, k.now, "boot", k.draft(assent.KindEvent))
	k.must(err) // the same call
	k.same("used", []int{1, 1, 0, 0}, k.used())
	call.From = other.ID
	_, err = k.Spend(k.Context(), c, call, k.now, "boot", k.draft(assent.KindEvent))
	k.is(err, assent.ErrScope) // what the call has spent is not what is wanted
	k.revoke(other.ID)
	k.is(spend(other.ID), assent.ErrRevoked) // before the scope
}

func begins(k *kit) {
	g := k.grant(exact(shell("x"), 1))
	call := k.call(shell("x"))
	call.Broker = &broker
	_, err := k.Spend(k.Context(), shell("x"), call, k.now, "boot", k.draft(assent.KindEvent))
	k.must(err)
	want := assent.Call{Session: "s1", ID: call.ID, Digest: call.Digest, Grant: g.ID, Opened: call.Opened, Broker: &broker}
	got, err := k.Call(k.Context(), "s1", call.ID, call.Digest)
	k.must(err)
	k.same("spent", want, got)
	before := k.head()
	call.Child, call.Began = &child, k.now.Add(time.Second)
	k.must(k.Begin(k.Context(), call, k.draft(assent.KindBegin)))
	rec := k.wrote(before, 1)
	equal(k, "kind", rec.Kind, assent.KindBegin)
	equal(k, "grant in the record", rec.Grant, g.ID)
	want.Child, want.Began = &child, k.now.Add(time.Second)
	got, err = k.Call(k.Context(), "s1", call.ID, call.Digest)
	k.must(err)
	k.same("begun", want, got)
	got.Child.PID = 1
	again, err := k.Call(k.Context(), "s1", call.ID, call.Digest)
	k.must(err)
	k.same("begun, for another", want, again)
}

func beginsOnce(k *kit) {
	k.grant(exact(shell("x"), 9))
	before := k.head()
	k.is(k.begin(k.call(shell("x"))), assent.ErrNotFound)
	k.wrote(before, 0)
	k.ask(shell("y"))
	k.is(k.begin(callOf(shell("y"), "call-3")), assent.ErrNotFound) // open, and has spent nothing
	closed := k.take(shell("x"), "")
	k.must(k.Finish(k.Context(), "s1", closed.ID, k.draft(assent.KindEnd)))
	k.is(k.begin(closed), assent.ErrNotFound)
	call := k.take(shell("x"), "")
	other := call
	other.Digest = shell("y").Digest()
	k.is(k.begin(other), assent.ErrNotFound)
	timeless := k.draft(assent.KindBegin)
	timeless.Record.At = time.Time{}
	k.is(k.Begin(k.Context(), call, timeless), assent.ErrInvalid)
	k.must(k.begin(call))
	before = k.head()
	k.is(k.begin(call), assent.ErrSettled)
	_, err := k.Spend(k.Context(), shell("x"), call, k.now, "boot", k.draft(assent.KindEvent))
	k.is(err, assent.ErrSettled) // one use is one beginning
	k.wrote(before, 0)
}

func beginsRevoked(k *kit) {
	root := k.grant(class("/w", 9))
	mid := k.grant(class("/w", 9), func(g *assent.Grant) { g.Parent = root.ID })
	leaf := k.grant(class("/w", 9), func(g *assent.Grant) { g.Parent = mid.ID })
	running := k.take(removes("/w/a"), leaf.ID)
	k.must(k.begin(running))
	of := map[string]assent.Call{}
	for _, g := range []assent.Grant{root, mid, leaf} {
		of[g.ID] = k.take(removes("/w/a"), g.ID)
	}
	k.revoke(mid.ID)
	before := k.head()
	k.is(k.begin(of[leaf.ID]), assent.ErrRevoked)
	k.is(k.begin(of[mid.ID]), assent.ErrRevoked)
	k.wrote(before, 0)
	got, err := k.Call(k.Context(), "s1", of[mid.ID].ID, of[mid.ID].Digest)
	k.must(err)
	equal(k, "noted", got.Child == nil && got.Began.IsZero(), true)
	k.must(k.begin(of[root.ID]))
	ids := func(grants ...string) (ids []string) {
		calls, err := k.Running(k.Context(), grants)
		k.must(err)
		for _, c := range calls {
			ids = append(ids, c.ID)
		}
		return ids
	}
	k.same("running under what was revoked", []string{running.ID}, ids(mid.ID))
}

func refunds(k *kit) {
	g := k.grant(exact(shell("x"), 1))
	call := k.take(shell("x"), "")
	_, err := k.spend(shell("x"))
	k.is(err, assent.ErrExhausted)
	before := k.head()
	wrong := k.draft(assent.KindEnd)
	_, err = k.Refund(k.Context(), call, wrong)
	k.is(err, assent.ErrInvalid)
	k.wrote(before, 0)
	back, err := k.refund(call)
	k.must(err)
	equal(k, "grant", back.ID, g.ID)
	equal(k, "used", back.Used, 0)
	rec := k.wrote(before, 1)
	equal(k, "kind", rec.Kind, assent.KindRefund)
	equal(k, "grant in the record", rec.Grant, g.ID)
	equal(k, "use in the record", rec.Use, 1)
	closed, err := k.Call(k.Context(), "s1", call.ID, call.Digest)
	k.must(err)
	equal(k, "closed", closed.Closed.Equal(k.now), true)

	var again atomic.Int64
	ctx := context.WithoutCancel(k.Context())
	k.together(8, func(int) { // of all that give it back, none gives anything
		if _, err := k.Refund(ctx, call, k.draft(assent.KindRefund)); !errors.Is(err, assent.ErrNotFound) {
			again.Add(1)
		}
	})
	equal(k, "given back again", again.Load(), 0)
	before = k.head()
	_, err = k.spend(shell("x"))
	k.must(err)
	equal(k, "the next use has a number of its own", k.wrote(before, 1).Use, 2)
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrExhausted)
	_, err = k.Spend(k.Context(), shell("x"), call, k.now, "boot", k.draft(assent.KindEvent))
	k.is(err, assent.ErrExhausted) // the call that gave it back is closed: it is a new one
}

func refundsNever(k *kit) {
	k.grant(exact(shell("x"), 9))
	_, err := k.refund(k.call(shell("x")))
	k.is(err, assent.ErrNotFound)
	begun, done := k.take(shell("x"), ""), k.take(shell("x"), "")
	k.must(k.begin(begun))
	k.must(k.Finish(k.Context(), "s1", done.ID, k.draft(assent.KindEnd)))
	before := k.head()
	for _, call := range []assent.Call{begun, done} {
		_, err := k.refund(call)
		k.is(err, assent.ErrNotFound)
	}
	k.wrote(before, 0)
	k.same("used", []int{2}, k.used())
}

func refundsLine(k *kit) {
	root := k.grant(class("/w", 9))
	mid := k.grant(class("/w", 9), func(g *assent.Grant) { g.Parent = root.ID })
	leaf := k.grant(class("/w", 1), func(g *assent.Grant) { g.Parent = mid.ID })
	k.take(removes("/w/a"), mid.ID)
	call := k.take(removes("/w/a"), leaf.ID)
	k.same("used", []int{2, 2, 1}, k.used())
	k.revoke(leaf.ID) // what was revoked meanwhile was not used either
	_, err := k.refund(call)
	k.must(err)
	k.same("used", []int{1, 1, 0}, k.used())
}

func runs(k *kit) {
	root := k.grant(class("/w", 9))
	leaf := k.grant(class("/w", 9), func(g *assent.Grant) { g.Parent = root.ID })
	other := k.grant(class("/w", 9))
	ids := func(grants ...string) (ids []string) {
		k.Helper()
		calls, err := k.Running(k.Context(), grants)
		k.must(err)
		for _, c := range calls {
			ids = append(ids, c.ID)
			equal(k, "child", *c.Child, child)
			equal(k, "broker", *c.Broker, broker)
		}
		return ids
	}
	var calls []assent.Call
	for _, from := range []string{other.ID, leaf.ID, root.ID, leaf.ID} {
		calls = append(calls, k.take(removes("/w/a"), from))
	}
	k.same("nothing began", []string(nil), ids())
	for _, i := range []int{2, 3, 0} {
		begun := calls[i]
		begun.Broker, begun.Child = &broker, &child
		k.must(k.Begin(k.Context(), begun, k.draft(assent.KindBegin)))
	}
	k.same("all", []string{calls[0].ID, calls[2].ID, calls[3].ID}, ids())
	k.same("of the root", []string{calls[2].ID, calls[3].ID}, ids(root.ID))
	k.same("of the leaf", []string{calls[3].ID}, ids(leaf.ID))
	k.same("of two", []string{calls[0].ID, calls[3].ID}, ids(leaf.ID, other.ID))
	k.same("of none", []string(nil), ids("gr_9"))
	k.revoke(root.ID)
	k.same("of what was revoked", []string{calls[2].ID, calls[3].ID}, ids(root.ID))
	k.must(k.Finish(k.Context(), "s1", calls[3].ID, k.draft(assent.KindEnd)))
	k.same("after one ended", []string{calls[0].ID, calls[2].ID}, ids())
	k.must(k.Finish(k.Context(), "s1", calls[0].ID, k.draft(assent.KindEvent)))
	k.must(k.Finish(k.Context(), "s1", "", k.draft(assent.KindEvent)))
	_, err := k.EndSession(k.Context(), "s1", k.now, k.draft(assent.KindEvent))
	k.must(err)
	k.same("whatever the agent says is over", []string{calls[0].ID, calls[2].ID}, ids())
	k.must(k.Finish(k.Context(), "s1", calls[0].ID, k.draft(assent.KindKilled)))
	k.same("after one was killed", []string{calls[2].ID}, ids())
}
