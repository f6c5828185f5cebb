package storetest

// Promises about the ends of grants and sessions.

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"assent"

	"github.com/google/go-cmp/cmp"
)

func revokes(k *kit) {
	a, b := k.grant(exact(shell("x"), 1)), k.grant(class("/w", 1))
	_, err := k.spend(shell("x"))
	k.must(err)
	before := k.head()
	d := k.draft(assent.KindRevoke)
	d.Payload, d.Record.By = []byte("why"), "test:ann"
	at := k.now.Add(time.Second)
	gone, err := k.Revoke(k.Context(), assent.Selection{All: true}, "ann", at, d)
	k.must(err)
	a.Used, a.LastUsed, a.Revoked, a.RevokedBy = 1, k.now, at, "ann"
	b.Revoked, b.RevokedBy = at, "ann"
	if diff := cmp.Diff([]assent.Grant{a, b}, gone); diff != "" {
		k.Fatalf("revoked (-want +got):\n%s", diff)
	}
	kept, err := k.Grants(k.Context(), assent.GrantFilter{})
	k.must(err)
	if diff := cmp.Diff(gone, kept); diff != "" {
		k.Fatalf("kept (-returned +kept):\n%s", diff)
	}
	recs := k.since(before)
	equal(k, "records", len(recs), 2)
	for i, r := range recs {
		equal(k, "kind", r.Kind, assent.KindRevoke)
		equal(k, "grant", r.Grant, gone[i].ID)
		equal(k, "vouched", gone[i].VouchedBy(k.since(gone[i].Record - 1)[0]), true)
	}
	before = k.head()
	gone, err = k.Revoke(k.Context(), assent.Selection{ID: "gr_1"}, "bob", at, d)
	k.must(err)
	equal(k, "revoked twice", len(gone), 0)
	k.wrote(before, 0)
}

func revokeSelects(k *kit) {
	ours, theirs := exact(shell("x"), 1), exact(shell("y"), 1)
	ours.Session, theirs.Session = "s1", "s2"
	k.grant(ours)
	k.grant(theirs)
	k.grant(exact(shell("z"), 1))
	ours.Session = "s1/child"
	k.grant(ours)
	before := k.head()
	revoke := func(s assent.Selection) (ids []string, err error) {
		gone, err := k.Revoke(k.Context(), s, "ann", k.now, k.draft(assent.KindRevoke))
		for _, g := range gone {
			ids = append(ids, g.ID)
		}
		return ids, err
	}
	for _, id := range []string{"gr_5", "gr_0", "req_1", "x"} {
		_, err := revoke(assent.Selection{ID: id})
		k.is(err, assent.ErrNoSuchGrant)
	}
	for _, s := range []assent.Selection{{}, {ID: "gr_1", All: true}, {ID: "gr_1", Session: "s1"}, {Session: "s1", All: true}} {
		_, err := revoke(s)
		k.is(err, assent.ErrInvalid)
	}
	k.wrote(before, 0)
	for _, c := range []struct {
		sel  assent.Selection
		want []string
	}{{assent.Selection{Session: "s3"}, nil}, {assent.Selection{Session: "s"}, nil}, {assent.Selection{Session: "s1"}, []string{"gr_1", "gr_4"}},
		{assent.Selection{ID: "gr_3"}, []string{"gr_3"}}, {assent.Selection{All: true}, []string{"gr_2"}}} {
		got, err := revoke(c.sel)
		k.must(err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			k.Fatalf("%+v (-want +got):\n%s", c.sel, diff)
		}
	}
	k.wrote(before, 4)
}

// barrier lets spenders of a grant and of its child run into a revocation. What
// starts after Revoke returned finds nothing, and every use has its record
// before that of the revocation.
func barrier(k *kit) {
	root := k.grant(class("/w", 1000))
	k.grant(exact(removes("/w/a"), 1000), func(g *assent.Grant) { g.Parent = root.ID })
	before := k.head()
	ctx := context.WithoutCancel(k.Context())
	var revoked atomic.Bool
	var late, spent atomic.Int64
	k.together(17, func(i int) {
		if i == 16 {
			if _, err := k.Revoke(ctx, assent.Selection{ID: root.ID}, "ann", k.now, k.draft(assent.KindRevoke)); err == nil {
				revoked.Store(true)
			}
			return
		}
		c := removes([]string{"/w/a", "/w/b"}[i%2])
		for n := range 100 {
			after := revoked.Load()
			_, err := k.Spend(ctx, c, callOf(c, fmt.Sprint(i, "-", n)), k.now, "", k.draft(assent.KindEvent))
			if err == nil {
				spent.Add(1)
				if after {
					late.Add(1)
				}
			} else if after {
				return
			}
		}
	})
	equal(k, "revoked", revoked.Load(), true)
	equal(k, "spent after Revoke returned", late.Load(), 0)
	recs := k.since(before)
	equal(k, "records", int64(len(recs)), spent.Load()+1)
	equal(k, "last record", recs[len(recs)-1].Kind, assent.KindRevoke)
	for _, c := range []assent.Case{removes("/w/a"), removes("/w/b")} {
		_, err := k.spend(c)
		k.is(err, assent.ErrRevoked)
	}
}

func spendAfterRevoke(k *kit) {
	k.grant(exact(shell("x"), 1))
	c := callOf(shell("x"), "c")
	spend := func() (assent.Grant, error) {
		return k.Spend(k.Context(), shell("x"), c, k.now, "", k.draft(assent.KindEvent))
	}
	_, err := spend()
	k.must(err)
	_, err = k.Revoke(k.Context(), assent.Selection{ID: "gr_1"}, "ann", k.now, k.draft(assent.KindRevoke))
	k.must(err)
	_, err = spend()
	k.is(err, assent.ErrRevoked)
	k.grant(exact(shell("x"), 1))
	g, err := spend()
	k.must(err)
	equal(k, "grant", g.ID, "gr_2")
	equal(k, "used", g.Used, 1)
}

func ends(k *kit) {
	width := func(w assent.Width, session string) func(*assent.Grant) {
		return func(g *assent.Grant) { g.Width, g.Scope.Session = w, session }
	}
	k.grant(exact(shell("a"), 9), width(assent.InSess, "s1"))
	k.grant(exact(shell("b"), 9), width(assent.InSess, "s2"))
	k.grant(exact(shell("c"), 9), width(assent.Always, ""))
	k.grant(exact(shell("d"), 9), width(assent.Once, "s1"))
	k.grant(exact(shell("e"), 9), width(assent.InSess, "s1/child"))
	k.grant(exact(shell("f"), 9), width(assent.InSess, "s10"))
	c := callOf(shell("a"), "c")
	_, err := k.Spend(k.Context(), shell("a"), c, k.now, "", k.draft(assent.KindEvent))
	k.must(err)
	before := k.head()
	at := k.now.Add(time.Minute)
	d := k.draft(assent.KindEvent)
	d.Record.Event = assent.SessionEnd
	gone, err := k.EndSession(k.Context(), "s1", at, d)
	k.must(err)
	equal(k, "revoked", len(gone), 2)
	equal(k, "grant", gone[0].ID, "gr_1")
	equal(k, "grant of the sub-agent", gone[1].ID, "gr_5")
	equal(k, "at", gone[0].Revoked.Equal(at), true)
	recs := k.since(before)
	equal(k, "records", len(recs), 3)
	equal(k, "session in the record", recs[2].Session, "s1/child")
	equal(k, "first", recs[0].Event, assent.SessionEnd)
	equal(k, "second", recs[1].Kind, assent.KindRevoke)
	equal(k, "grant in the record", recs[1].Grant, "gr_1")
	kept, err := k.Call(k.Context(), "s1", "c", c.Digest)
	k.must(err)
	equal(k, "closed", kept.Closed.Equal(at), true)
	_, err = k.spend(shell("a"))
	k.is(err, assent.ErrRevoked)
	_, err = k.spend(shell("d"))
	k.must(err)
	before = k.head()
	gone, err = k.EndSession(k.Context(), "s1", at, d)
	k.must(err)
	equal(k, "revoked twice", len(gone), 0)
	k.wrote(before, 1)
}
