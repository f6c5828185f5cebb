package storetest

// Promises about the owner's own grants, and about what is minted out of them.

import (
	"fmt"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

func gives(k *kit) {
	want := k.owners(anything(5), minting)
	d := k.answer(assent.Allow)
	d.Record.Request, d.Record.Grant, d.Record.Seal = "req_1", "gr_77", "forged"
	forged := want
	forged.ID, forged.Record, forged.Used = "gr_77", 77, 4
	forged.LastUsed, forged.Revoked, forged.RevokedBy = k.now, k.now, "eve"
	got, err := k.Give(k.Context(), forged, d)
	k.must(err)
	want.ID, want.Record = "gr_1", 1
	if diff := cmp.Diff(want, got); diff != "" {
		k.Fatalf("given (-want +got):\n%s", diff)
	}
	kept, err := k.Grants(k.Context(), assent.GrantFilter{Live: true, Now: k.now})
	k.must(err)
	if diff := cmp.Diff([]assent.Grant{want}, kept); diff != "" {
		k.Fatalf("kept (-want +got):\n%s", diff)
	}
	rec := k.wrote(0, 1)
	equal(k, "vouched", got.VouchedBy(rec), true)
	equal(k, "request in the record", rec.Request, "")
	equal(k, "next", k.own(exact(shell("x"), 1)).ID, "gr_2")
	equal(k, "after it", k.grant(exact(shell("x"), 1)).ID, "gr_3")
}

func givesOnly(k *kit) {
	root := k.own(anything(5), minting)
	before := k.head()
	try := func(want error, d assent.Draft, change func(*assent.Grant)) {
		k.Helper()
		g, err := k.Give(k.Context(), k.owners(anything(1), change), d)
		k.is(err, want)
		equal(k, "returned", g.ID, "")
	}
	for _, w := range []assent.Width{assent.Once, assent.ForTurns, assent.InSess, assent.Always, ""} {
		try(assent.ErrInvalid, k.answer(assent.Allow), func(g *assent.Grant) { g.Width = w })
	}
	try(assent.ErrInvalid, k.answer(assent.Allow), func(g *assent.Grant) { g.Width, g.Parent = "", root.ID })
	try(assent.ErrInvalid, k.answer(assent.Allow), func(g *assent.Grant) { g.Request, g.Width, g.Parent = "req_1", assent.Once, root.ID })
	try(assent.ErrNoSuchGrant, k.answer(assent.Allow), func(g *assent.Grant) { g.Width, g.Parent = assent.Once, "gr_2" })
	same := func(*assent.Grant) {}
	try(assent.ErrInvalid, k.answer(assent.Allow), func(g *assent.Grant) { g.Request = "req_1" })
	try(assent.ErrInvalid, k.answer(assent.Deny), same)
	try(assent.ErrInvalid, k.answer(assent.Ask), same)
	event := k.answer(assent.Allow)
	event.Record.Kind = assent.KindEvent
	try(assent.ErrInvalid, event, same)
	try(assent.ErrNoSuchGrant, k.answer(assent.Allow), func(g *assent.Grant) { g.Parent = "gr_2" })
	try(assent.ErrNoSuchGrant, k.answer(assent.Allow), func(g *assent.Grant) { g.Parent = "nobody" })
	timeless := k.answer(assent.Allow)
	timeless.Record.At = time.Time{}
	try(assent.ErrInvalid, timeless, same)
	k.wrote(before, 0)
	all, err := k.Grants(k.Context(), assent.GrantFilter{})
	k.must(err)
	equal(k, "grants", len(all), 1)
}

func givesChildren(k *kit) {
	parent := k.grant(exact(shell("x"), 5))
	child := func(with ...func(*assent.Grant)) (assent.Grant, error) {
		scope := exact(shell("x"), 2)
		scope.Session = "s1/child"
		return k.Give(k.Context(), k.owners(scope, append([]func(*assent.Grant){func(g *assent.Grant) {
			g.Width, g.Parent = assent.Once, parent.ID
		}}, with...)...), k.answer(assent.Allow))
	}
	before := k.head()
	first, err := child()
	k.must(err)
	equal(k, "vouched", first.VouchedBy(k.wrote(before, 1)), true)
	c := shell("x")
	c.Session = "s1/child"
	g, err := k.spend(c)
	k.must(err)
	equal(k, "spent", g.ID, parent.ID) // which is anybody's, and older
	before = k.head()
	again, err := child() // used by now, and the same
	k.is(err, assent.ErrSettled)
	equal(k, "returned", again.ID, "")
	_, err = k.Revoke(k.Context(), assent.Selection{ID: first.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = child() // nor does it come back
	k.is(err, assent.ErrSettled)
	k.wrote(before, 1)
	for i, change := range []func(*assent.Grant){
		func(g *assent.Grant) { g.Width = assent.InSess }, func(g *assent.Grant) { g.Until = g.Until.Add(-1) },
		func(g *assent.Grant) { g.From = g.From.Add(-1) }, func(g *assent.Grant) { g.Scope.Session = "s2" },
		func(g *assent.Grant) { g.Scope.Uses = 1 }, func(g *assent.Grant) { g.By.ID = "bob" }, func(g *assent.Grant) { g.Parent = first.ID },
	} {
		g, err := child(change)
		k.must(err)
		equal(k, "another", g.ID, fmt.Sprintf("gr_%d", 3+i))
	}
}

func renews(k *kit) {
	old := k.grant(exact(shell("x"), 5), func(g *assent.Grant) { g.Width = assent.Always })
	k.revoke(old.ID)
	renew := func(change func(*assent.Grant)) (assent.Grant, error) {
		g := old
		g.From, g.Until = k.now.Add(time.Second), k.now.Add(time.Hour+time.Second)
		change(&g)
		return k.Give(k.Context(), g, k.answer(assent.Allow))
	}
	before := k.head()
	for _, width := range []assent.Width{assent.Once, assent.ForTurns, assent.InSess, assent.Owner, ""} {
		_, err := renew(func(g *assent.Grant) { g.Width = width })
		k.is(err, assent.ErrInvalid)
	}
	k.wrote(before, 0)
	g, err := renew(func(*assent.Grant) {})
	k.must(err)
	equal(k, "vouched", g.VouchedBy(k.wrote(before, 1)), true)
	equal(k, "request", g.Request, old.Request)
	_, err = renew(func(*assent.Grant) {}) // the same word
	k.is(err, assent.ErrSettled)
	k.now = k.now.Add(time.Minute)
	spent, err := k.spend(shell("x"))
	k.must(err)
	equal(k, "spent", spent.ID, g.ID)
}

func anyTool(k *kit) {
	held := anything(9)
	held.Session, held.Principal, held.Profile = "s1", "uid:1", "work"
	k.own(held)
	shell := func(command string) assent.Case {
		c := shell(command)
		c.Profile = "work"
		return c
	}
	write := shell("x")
	write.Tool, write.Input = assent.ToolWrite, []byte(`{"path":"/w/x","content":""}`)
	strange := shell("x")
	strange.Tool = assent.AnyTool // an agent may call a tool what it will
	protected := removes("/w/a")
	protected.Findings[0].Code = assent.Protected[0]
	protected.Profile = "work"
	covered := []assent.Case{shell("x"), write, strange, protected}
	for i, c := range covered {
		g, err := k.spend(c)
		k.must(err)
		equal(k, "used", g.Used, i+1)
	}
	session, principal, profile := shell("x"), shell("x"), shell("x")
	session.Session, principal.Principal, profile.Profile = "s1/child", "uid:2", "home"
	for _, c := range []assent.Case{session, principal, profile} {
		_, err := k.spend(c)
		k.is(err, assent.ErrNoSuchGrant)
	}
	for _, change := range []func(*assent.Scope){
		func(s *assent.Scope) { s.Programs = []string{"rm"} }, func(s *assent.Scope) { s.Codes = []string{"fs.delete"} },
		func(s *assent.Scope) { s.Under = "/w" }, func(s *assent.Scope) { s.Dir = "/w" },
	} {
		part := anything(9)
		change(&part)
		part.Session = session.Session
		k.own(part)
		_, err := k.spend(session)
		k.is(err, assent.ErrNoSuchGrant)
	}
}

func mintsNever(k *kit) {
	for _, s := range []assent.Scope{anything(9), class("/w", 9), exact(removes("/w/a"), 9)} {
		k.own(s, minting)
	}
	before := k.head()
	_, err := k.spend(removes("/w/a"))
	k.is(err, assent.ErrNoSuchGrant)
	_, err = k.Revoke(k.Context(), assent.Selection{ID: "gr_3"}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = k.spend(removes("/w/a"))
	k.is(err, assent.ErrNoSuchGrant) // nor does it say why it cannot be
	k.wrote(before, 1)
}

func mintsLine(k *kit) {
	root := k.own(anything(3), minting)
	from := func(parent string) func(*assent.Grant) {
		return func(g *assent.Grant) { g.Parent, g.Width = parent, assent.Once }
	}
	mid := k.own(anything(9), minting, func(g *assent.Grant) { g.Parent = root.ID })
	k.grant(exact(shell("x"), 1), from(mid.ID))
	k.grant(class("/w", 9), from(mid.ID))
	k.grant(exact(shell("y"), 1), from(root.ID))
	for _, c := range []assent.Case{shell("x"), removes("/w/a"), shell("y")} {
		_, err := k.spend(c)
		k.must(err)
	}
	_, err := k.spend(removes("/w/a")) // of three uses of the root none is left
	k.is(err, assent.ErrExhausted)
	all, err := k.Grants(k.Context(), assent.GrantFilter{})
	k.must(err)
	for i, want := range []int{3, 2, 1, 1, 1} {
		equal(k, "used "+all[i].ID, all[i].Used, want)
	}
	live, err := k.Grants(k.Context(), assent.GrantFilter{Live: true, Now: k.now})
	k.must(err)
	equal(k, "live", len(live), 0)
}

func mintsRevoked(k *kit) {
	root := k.own(anything(9), minting)
	child := func(g *assent.Grant) { g.Parent, g.Width = root.ID, assent.Once }
	k.grant(exact(shell("x"), 9), child)
	k.grant(class("/w", 9), child)
	call := callOf(shell("x"), "open")
	_, err := k.Spend(k.Context(), shell("x"), call, k.now, "boot", k.draft(assent.KindEvent))
	k.must(err)
	gone, err := k.Revoke(k.Context(), assent.Selection{ID: root.ID}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	equal(k, "revoked", len(gone), 1)
	_, err = k.Spend(k.Context(), shell("x"), call, k.now, "boot", k.draft(assent.KindEvent))
	k.is(err, assent.ErrRevoked) // also for a call that had spent
	for _, c := range []assent.Case{shell("x"), removes("/w/a")} {
		_, err := k.spend(c)
		k.is(err, assent.ErrRevoked)
	}
	k.grant(exact(shell("z"), 1), child) // minted out of what is dead already
	_, err = k.spend(shell("z"))
	k.is(err, assent.ErrRevoked)
	for _, s := range []assent.Scope{exact(shell("z"), 1), class("/w", 1), anything(1)} {
		k.own(s, func(g *assent.Grant) { g.Parent = root.ID })
		live := k.own(s)
		c := shell("z")
		if s.Tool == assent.ToolShell {
			c = removes("/w/a")
		}
		g, err := k.spend(c)
		k.must(err)
		equal(k, "grant", g.ID, live.ID) // not the older one, whose line is dead
	}
}
