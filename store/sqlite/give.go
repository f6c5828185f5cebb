package sqlite

// Giving grants: minted with the record that vouches for them, and kept.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Give inserts a grant that no open request led to: of the owner's own, a child, or a
// standing one that is renewed.
func (s *Store) Give(ctx context.Context, g assent.Grant, d assent.Draft) (assent.Grant, error) {
	if !unasked(g) {
		return assent.Grant{}, fmt.Errorf("give a grant of the width %q for the request %q, out of %q: only the owner's own, a child, and one that a person renews need no question: %w", g.Width, g.Request, g.Parent, assent.ErrInvalid)
	}
	err := s.write(ctx, func(t tx) (err error) {
		if g, err = t.mint(ctx, g, d); err == nil {
			err = t.unlike(ctx, g)
		}
		if err != nil {
			return err
		}
		d.Record.Request, d.Record.Grant, d.Record.Seal = "", g.ID, g.Seal()
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		return t.give(ctx, g)
	})
	if err != nil {
		return assent.Grant{}, err
	}
	return g, nil
}

// unasked reports whether a grant may be given without a question: out of another one,
// as a standing one that was asked for before, or as the owner's own.
func unasked(g assent.Grant) bool {
	switch {
	case g.Parent != "":
		return g.Width != "" && g.Request == ""
	case g.Request != "":
		return g.Width == assent.Always
	}
	return g.Width == assent.Owner
}

// unlike refuses a child that was given before, and a renewal.
func (t tx) unlike(ctx context.Context, g assent.Grant) error {
	if g.Width == assent.Owner {
		return nil
	}
	rows, err := t.GrantsOf(ctx, g.Scope.Session)
	given, err := each(rows, err, entryOf)
	for _, old := range given {
		if old.Parent != g.Parent || old.Seal() != g.Seal() {
			continue
		}
		if ok, err := t.counts(ctx, old); err != nil || ok {
			return errors.Join(err, fmt.Errorf("give: %s is this very grant: %w", old.ID, assent.ErrSettled))
		}
	}
	return err
}

// mint makes a new grant: with its ID, and the number that its record will have.
// It refuses what the record of the draft would not vouch for.
func (t tx) mint(ctx context.Context, g assent.Grant, d assent.Draft) (assent.Grant, error) {
	if d.Record.Kind != assent.KindAnswer || d.Record.Decision != assent.Allow {
		return assent.Grant{}, fmt.Errorf("only a recorded yes gives a grant: %w", assent.ErrInvalid)
	}
	head, err := t.head(ctx)
	if err != nil {
		return assent.Grant{}, err
	}
	last, err := t.LastGrant(ctx)
	if err != nil {
		return assent.Grant{}, err
	}
	g.ID, g.Record = grantID(last+1), head.N+1
	g.From, g.Until = g.From.UTC().Round(0), g.Until.UTC().Round(0)
	g.Used, g.LastUsed, g.Revoked, g.RevokedBy = 0, time.Time{}, time.Time{}, ""
	return g, nil
}

// give keeps a new grant. It refuses a parent that there is not.
func (t tx) give(ctx context.Context, g assent.Grant) error {
	n, err := number(g.ID, "gr_")
	if err != nil {
		return err
	}
	row := db.Grant{
		N: n, Record: int64(g.Record), Digest: g.Scope.Digest, Tool: g.Scope.Tool, Principal: g.Scope.Principal, Session: g.Scope.Session,
		Width: string(g.Width), Until: nanos(g.Until), Uses: int64(g.Scope.Uses), Changed: int64(g.Record),
	}
	if g.Parent != "" {
		line, err := t.named(ctx, g.Parent)
		if err != nil {
			return fmt.Errorf("parent: %w", err)
		}
		row.Parent = sql.NullInt64{Int64: line[0].row.N, Valid: true}
	}
	if row.Body, err = encode(g); err != nil {
		return fmt.Errorf("grant: %w", err)
	}
	if row.Mark, err = t.mark(grantBytes(row)); err != nil {
		return err
	}
	err = t.InsertGrant(ctx, db.InsertGrantParams{
		N: n, Parent: row.Parent, Record: row.Record, Digest: row.Digest, Tool: row.Tool, Principal: row.Principal, Session: row.Session,
		Width: row.Width, Until: row.Until, Uses: row.Uses, Body: row.Body, Changed: row.Changed, Mark: row.Mark,
	})
	if err != nil {
		return err
	}
	return t.NoteChange(ctx, db.NoteChangeParams{GrantN: n, Record: row.Record})
}
