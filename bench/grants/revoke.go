package main

// Revoking a root of few descendants and one of many, in the same store.

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"assent"
	"assent/internal/seal"
	"assent/store/sqlite"
)

// few and many are how many descendants each root has, besides other roots.
const few, many = 10, 10_000

// perRound is how many roots of each kind a round revokes. They are one line, with the
// descendants under the last: the younger is revoked first, so each has them all.
const perRound = 10

func revoking(ctx context.Context, dir string) ([]*measure, func(), error) {
	store, err := sqlite.Open(ctx, filepath.Join(dir, "revoke.db"), sqlite.Options{Witness: seal.Open(filepath.Join(dir, "revoke.key"))})
	if err != nil {
		return nil, func() {}, err
	}
	end := func() { _ = store.Close() }
	t := tree{store: store, now: time.Now()}
	fewer, err := t.grow(ctx, few)
	if err != nil {
		return nil, end, err
	}
	more, err := t.grow(ctx, many)
	if err != nil {
		return nil, end, err
	}
	base := &measure{name: fmt.Sprintf("a root of %d is revoked", few), do: fewer, most: perRound}
	return []*measure{base, {name: fmt.Sprintf("a root of %d is revoked", many), do: more, most: perRound, after: base, ratio: 1.5}}, end, nil
}

// tree gives grants.
type tree struct {
	store assent.Store
	now   time.Time
	given int
}

// grow gives a line of roots and their descendants, and returns what revokes the
// youngest root that is left.
func (t *tree) grow(ctx context.Context, descendants int) (revoke func(context.Context) error, err error) {
	var roots []assent.Grant
	parent := ""
	for range rounds * perRound {
		g, err := t.give(ctx, parent)
		if err != nil {
			return nil, err
		}
		roots, parent = append(roots, g), g.ID
	}
	for range descendants {
		if _, err := t.give(ctx, parent); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) error {
		g := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		return t.revoke(ctx, g.ID)
	}, nil
}

// give gives a grant to a session of its own, out of another one if there is a parent.
func (t *tree) give(ctx context.Context, parent string) (assent.Grant, error) {
	t.given++
	g := assent.Grant{Parent: parent, Width: assent.InSess, From: t.now, Until: t.now.Add(time.Hour), Boot: "boot", Scope: assent.Scope{
		Session: fmt.Sprint("s", t.given), Tool: assent.ToolShell, Programs: []string{"git"}, Uses: 100, For: assent.Duration(time.Hour),
	}}
	if parent == "" {
		g.Width = assent.Owner
	}
	return t.store.Give(ctx, g, assent.Draft{Record: assent.Record{At: t.now, Kind: assent.KindAnswer, Decision: assent.Allow}})
}

// revoke revokes one grant. One record says so, however many descend of it.
func (t *tree) revoke(ctx context.Context, id string) error {
	before, err := t.store.Head(ctx)
	if err != nil {
		return err
	}
	gone, err := t.store.Revoke(ctx, assent.Selection{ID: id}, "bench", t.now, assent.Draft{Record: assent.Record{At: t.now, Kind: assent.KindRevoke}})
	if err != nil {
		return err
	}
	after, err := t.store.Head(ctx)
	if err == nil && (len(gone) != 1 || after.N != before.N+1) {
		err = fmt.Errorf("%d grants and %d records for one revocation", len(gone), after.N-before.N)
	}
	return err
}
