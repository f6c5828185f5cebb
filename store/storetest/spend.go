package storetest

// Promises about spending.

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"assent"
)

func spends(k *kit) {
	g := k.grant(exact(shell("x"), 2))
	_, err := k.spend(shell("y"))
	k.is(err, assent.ErrNoSuchGrant)
	for use := 1; use <= 2; use++ {
		before := k.head()
		k.now = k.now.Add(time.Minute)
		got, err := k.spend(shell("x"))
		k.must(err)
		equal(k, "grant", got.ID, g.ID)
		equal(k, "used", got.Used, use)
		equal(k, "last used", got.LastUsed.Equal(k.now), true)
		rec := k.wrote(before, 1)
		equal(k, "grant in the record", rec.Grant, g.ID)
		equal(k, "use in the record", rec.Use, use)
		c, err := k.Call(k.Context(), "s1", fmt.Sprintf("call-%d", k.calls), shell("x").Digest())
		k.must(err)
		equal(k, "grant of the call", c.Grant, g.ID)
	}
	before := k.head()
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrExhausted)
	k.wrote(before, 0)
	_, err = k.Call(k.Context(), "s1", fmt.Sprintf("call-%d", k.calls), shell("x").Digest())
	k.is(err, assent.ErrNotFound)
}

func spendRace(k *kit) {
	k.grant(exact(shell("x"), 20))
	before := k.head()
	var spent, exhausted atomic.Int64
	uses := make(chan int, 64)
	ctx := context.WithoutCancel(k.Context())
	k.together(64, func(i int) {
		g, err := k.Spend(ctx, shell("x"), callOf(shell("x"), fmt.Sprint("c", i)), k.now, "", k.draft(assent.KindEvent))
		switch {
		case err == nil:
			spent.Add(1)
			uses <- g.Used
		case errors.Is(err, assent.ErrExhausted):
			exhausted.Add(1)
		}
	})
	equal(k, "spent", spent.Load(), 20)
	equal(k, "exhausted", exhausted.Load(), 44)
	k.wrote(before, 20)
	close(uses)
	different := map[int]bool{}
	for u := range uses {
		different[u] = true
	}
	equal(k, "different uses", len(different), 20)
}

func spendAgain(k *kit) {
	first := k.grant(exact(shell("x"), 1))
	k.grant(exact(shell("x"), 1))
	c := callOf(shell("x"), "c")
	for range 3 {
		before := k.head()
		g, err := k.Spend(k.Context(), shell("x"), c, k.now, "", k.draft(assent.KindEvent))
		k.must(err)
		equal(k, "grant", g.ID, first.ID)
		equal(k, "used", g.Used, 1)
		rec := k.wrote(before, 1)
		equal(k, "grant in the record", rec.Grant, first.ID)
		equal(k, "use in the record", rec.Use, 1)
	}
	// the call was let through; that its grant has run out since does not matter
	g, err := k.Spend(k.Context(), shell("x"), c, k.now.Add(2*time.Hour), "", k.draft(assent.KindEvent))
	k.must(err)
	equal(k, "grant after its deadline", g.ID, first.ID)
	other := c
	other.ID = "other"
	g, err = k.Spend(k.Context(), shell("x"), other, k.now, "", k.draft(assent.KindEvent))
	k.must(err)
	equal(k, "grant of another call", g.ID, "gr_2")
}

func spendClosed(k *kit) {
	k.grant(exact(shell("x"), 1))
	c := callOf(shell("x"), "c")
	_, err := k.Spend(k.Context(), shell("x"), c, k.now, "", k.draft(assent.KindEvent))
	k.must(err)
	k.must(k.Finish(k.Context(), "s1", "c", k.draft(assent.KindEvent)))
	_, err = k.Spend(k.Context(), shell("x"), c, k.now, "", k.draft(assent.KindEvent))
	k.is(err, assent.ErrExhausted)
	k.grant(exact(shell("x"), 1))
	g, err := k.Spend(k.Context(), shell("x"), c, k.now, "", k.draft(assent.KindEvent))
	k.must(err)
	equal(k, "grant", g.ID, "gr_2")
}

func spendOrder(k *kit) {
	c := removes("/w/a")
	k.own(anything(1))
	k.grant(class("/w", 1))
	k.grant(anything(1))
	k.grant(class("/w/a", 1))
	k.grant(exact(c, 1))
	k.grant(exact(c, 1))
	for _, want := range []string{"gr_5", "gr_6", "gr_2", "gr_4", "gr_1", "gr_3"} {
		g, err := k.spend(c)
		k.must(err)
		equal(k, "grant", g.ID, want)
	}
	_, err := k.spend(c)
	k.is(err, assent.ErrExhausted)
	_, err = k.Revoke(k.Context(), assent.Selection{ID: "gr_3"}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = k.spend(removes("/elsewhere")) // only those of any tool cover it, and the newest of them speaks
	k.is(err, assent.ErrRevoked)
	_, err = k.spend(c) // the newest of all is an exact one
	k.is(err, assent.ErrExhausted)
}

func spendErrors(k *kit) {
	g := k.grant(exact(shell("x"), 1), func(g *assent.Grant) { g.From = g.From.Add(time.Minute) })
	_, err := k.spend(shell("x"))
	k.is(err, assent.ErrExpired) // not yet
	k.now = g.From
	_, err = k.spend(shell("x"))
	k.must(err) // at its first instant
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrExhausted)
	k.now = g.Until
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrExpired) // at the deadline; exhausted as well
	_, err = k.Revoke(k.Context(), assent.Selection{ID: g.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrRevoked) // expired and exhausted as well
	last := k.grant(exact(shell("z"), 1))
	k.now = last.Until.Add(-1)
	_, err = k.spend(shell("z"))
	k.must(err) // at its last instant
}

func spendNewest(k *kit) {
	c := removes("/w/a")
	revoked := k.grant(exact(c, 1))
	k.grant(class("/w", 1), func(g *assent.Grant) { g.Until = g.From })
	k.grant(class("/elsewhere", 1))
	_, err := k.Revoke(k.Context(), assent.Selection{ID: revoked.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = k.spend(c)
	k.is(err, assent.ErrExpired)
	k.grant(exact(c, 0))
	_, err = k.spend(c)
	k.is(err, assent.ErrExhausted)
}

func spendHolder(k *kit) {
	held := exact(shell("x"), 9)
	held.Session, held.Principal, held.Agent = "s1", "uid:1", "test"
	k.grant(held)
	wide := class("/w", 9)
	wide.Session = "s1"
	k.grant(wide)
	other := shell("x")
	other.Session = "s2"
	_, err := k.spend(other)
	k.is(err, assent.ErrNoSuchGrant)
	rm := removes("/w/a")
	rm.Session = "s2"
	_, err = k.spend(rm)
	k.is(err, assent.ErrNoSuchGrant)
	_, err = k.spend(shell("x"))
	k.must(err)
	_, err = k.spend(removes("/w/a"))
	k.must(err)
}

func spendLapse(k *kit) {
	k.grant(exact(shell("x"), 9), func(g *assent.Grant) { g.Lapse = assent.Duration(time.Minute) })
	for range 3 {
		k.now = k.now.Add(time.Minute - 1)
		_, err := k.spend(shell("x"))
		k.must(err)
	}
	k.now = k.now.Add(time.Minute)
	_, err := k.spend(shell("x"))
	k.is(err, assent.ErrExpired)

	k.grant(exact(shell("y"), 9), func(g *assent.Grant) { g.Boot = "boot" })
	_, err = k.spend(shell("y"))
	k.must(err)
	_, err = k.Spend(k.Context(), shell("y"), k.call(shell("y")), k.now, "another boot", k.draft(assent.KindEvent))
	k.is(err, assent.ErrExpired)
}

func spendLine(k *kit) {
	root := k.grant(class("/w", 3))
	child := k.grant(class("/w/a", 9), func(g *assent.Grant) { g.Parent = root.ID })
	leaf := k.grant(exact(removes("/w/a/b"), 9), func(g *assent.Grant) { g.Parent = child.ID })
	before := k.head()
	g, err := k.spend(removes("/w/a/b"))
	k.must(err)
	equal(k, "grant", g.ID, leaf.ID)
	k.wrote(before, 1)
	used := func() (out [3]int) {
		all, err := k.Grants(k.Context(), assent.GrantFilter{})
		k.must(err)
		for i, g := range all {
			out[i] = g.Used
			equal(k, "last used", g.LastUsed.IsZero(), g.Used == 0)
		}
		return out
	}
	equal(k, "used", used(), [3]int{1, 1, 1})
	_, err = k.spend(removes("/w/x"))
	k.must(err)
	equal(k, "used", used(), [3]int{2, 1, 1})
	_, err = k.spend(removes("/w/a/b"))
	k.must(err)
	_, err = k.spend(removes("/w/a/b")) // of three uses of the root none is left
	k.is(err, assent.ErrExhausted)
	equal(k, "used", used(), [3]int{3, 2, 2})
}

func deadLine(k *kit) {
	root := k.grant(class("/w", 9), func(g *assent.Grant) { g.Until = g.From.Add(time.Minute) })
	child := k.grant(class("/w/a", 9), func(g *assent.Grant) { g.Parent = root.ID })
	k.grant(exact(shell("x"), 1), func(g *assent.Grant) { g.Parent = child.ID })
	k.now = k.now.Add(time.Minute)
	_, err := k.spend(shell("x"))
	k.is(err, assent.ErrExpired)
	live, err := k.Grants(k.Context(), assent.GrantFilter{Live: true, Now: k.now})
	k.must(err)
	equal(k, "live", len(live), 0)
	_, err = k.Revoke(k.Context(), assent.Selection{ID: root.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = k.spend(shell("x"))
	k.is(err, assent.ErrRevoked)
}
