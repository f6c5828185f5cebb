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

// Give inserts a grant that no request led to: of the owner's own, or a child.
func (s *Store) Give(ctx context.Context, g assent.Grant, d assent.Draft) (assent.Grant, error) {
	if child := g.Parent != "" && g.Width != ""; g.Request != "" || g.Width != assent.Owner && !child {
		return assent.Grant{}, fmt.Errorf("give a grant of the width %q for the request %q: only the owner's own and a child have none: %w", g.Width, g.Request, assent.ErrInvalid)
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

// unlike refuses a child that was given before.
func (t tx) unlike(ctx context.Context, g assent.Grant) error {
	if g.Width == assent.Owner {
		return nil
	}
	rows, err := t.GrantsOf(ctx, g.Scope.Session)
	held, err := each(rows, err, grant)
	for _, old := range held {
		if old.Parent == g.Parent && old.Seal() == g.Seal() {
			return fmt.Errorf("give: %s is this very grant: %w", old.ID, assent.ErrSettled)
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
	var parent sql.NullInt64
	if g.Parent != "" {
		p, err := number(g.Parent, "gr_")
		if err == nil {
			_, err = t.Grant(ctx, p)
		}
		if errors.Is(err, assent.ErrInvalid) || errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("parent %q: %w", g.Parent, assent.ErrNoSuchGrant)
		}
		if err != nil {
			return err
		}
		parent = sql.NullInt64{Int64: p, Valid: true}
	}
	body, err := encode(g)
	if err != nil {
		return fmt.Errorf("grant: %w", err)
	}
	return t.InsertGrant(ctx, db.InsertGrantParams{
		N: n, Parent: parent, Record: int64(g.Record), Digest: g.Scope.Digest, Tool: g.Scope.Tool,
		Principal: g.Scope.Principal, Session: g.Scope.Session, Width: string(g.Width),
		Until: nanos(g.Until), Uses: int64(g.Scope.Uses), Body: body,
	})
}
