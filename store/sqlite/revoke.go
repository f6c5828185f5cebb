package sqlite

// The ends of grants and sessions; the list of grants.

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Revoke revokes the selected grants that are not revoked yet.
func (s *Store) Revoke(ctx context.Context, sel assent.Selection, by string, at time.Time, d assent.Draft) (gone []assent.Grant, err error) {
	if at.IsZero() {
		return nil, fmt.Errorf("a grant is revoked at a time: %w", assent.ErrInvalid)
	}
	err = s.write(ctx, func(t tx) error {
		rows, err := t.selected(ctx, sel)
		if err != nil {
			return err
		}
		for _, row := range rows {
			d.Record.Grant = grantID(row.N)
			g, err := t.revoke(ctx, row, by, at, d)
			if err != nil {
				return err
			}
			gone = append(gone, g)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// revoke writes that one grant is revoked, and the record of it. A row of somebody
// else's stays without a mark.
func (t tx) revoke(ctx context.Context, row db.Grant, by string, at time.Time, d assent.Draft) (assent.Grant, error) {
	right, err := t.right(row.Mark, grantBytes(row))
	if err != nil {
		return assent.Grant{}, err
	}
	row.Revoked, row.RevokedBy = stamp(at), by
	rec, err := t.append(ctx, d)
	switch {
	case err != nil:
		return assent.Grant{}, err
	case right:
		return t.change(ctx, row, rec)
	}
	if err := t.put(ctx, row, rec); err != nil {
		return assent.Grant{}, err
	}
	return grant(row)
}

// selected returns the grants of a selection that are not revoked yet.
func (t tx) selected(ctx context.Context, sel assent.Selection) ([]db.Grant, error) {
	switch {
	case sel == assent.Selection{All: true}:
		return t.Unrevoked(ctx)
	case sel.Session != "" && sel == assent.Selection{Session: sel.Session}:
		return t.UnrevokedOf(ctx, sel.Session)
	case sel.ID == "" || sel != assent.Selection{ID: sel.ID}:
		return nil, fmt.Errorf("select one grant, one session or all: %w", assent.ErrInvalid)
	}
	n, err := number(sel.ID, "gr_")
	if err != nil {
		return nil, fmt.Errorf("grant %q: %w", sel.ID, assent.ErrNoSuchGrant)
	}
	row, err := t.Grant(ctx, n)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("grant %q: %w", sel.ID, assent.ErrNoSuchGrant)
	case err != nil:
		return nil, err
	case row.Revoked != "": // if it is assent that says so: what was put there can be put back
		if ok, err := t.right(row.Mark, grantBytes(row)); err != nil || ok {
			return nil, err
		}
	}
	return []db.Grant{row}, nil
}

// EndSession marks the session and its sub-agents' ended, closes their calls and
// revokes their session grants.
func (s *Store) EndSession(ctx context.Context, session string, at time.Time, d assent.Draft) (gone []assent.Grant, err error) {
	if at.IsZero() {
		return nil, fmt.Errorf("a session ends at a time: %w", assent.ErrInvalid)
	}
	by := cmp.Or(d.Record.By, "end of session")
	err = s.write(ctx, func(t tx) error {
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		rows, err := t.UnrevokedOf(ctx, session)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Width != string(assent.InSess) {
				continue
			}
			g, err := t.revoke(ctx, row, by, at, assent.Draft{Record: assent.Record{
				At: at, Kind: assent.KindRevoke, Agent: d.Record.Agent, Session: row.Session, Grant: grantID(row.N), By: by,
			}})
			if err != nil {
				return err
			}
			gone = append(gone, g)
		}
		return errors.Join(
			t.end(ctx, session, stamp(at)),
			t.CloseCallsWithin(ctx, db.CloseCallsWithinParams{Session: session, Closed: stamp(at)}))
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// Grants lists grants, oldest first.
func (s *Store) Grants(ctx context.Context, f assent.GrantFilter) (out []assent.Grant, err error) {
	err = s.look(ctx, func(t tx) error {
		var rows []db.Grant
		if f.Session != "" {
			rows, err = t.GrantsOf(ctx, f.Session)
		} else {
			rows, err = t.Queries.Grants(ctx)
		}
		all, err := each(rows, err, entryOf)
		if err != nil {
			return err
		}
		for _, e := range all {
			live, err := t.live(ctx, e, f)
			if err != nil {
				return err
			}
			if live || !f.Live {
				out = append(out, e.Grant)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// live reports whether a grant that is to be live is.
func (t tx) live(ctx context.Context, e entry, f assent.GrantFilter) (bool, error) {
	if !f.Live || e.Check(f.Now, f.Boot) != nil { // most are dead, and this is cheap
		return false, nil
	}
	line, err := t.line(ctx, e)
	return line != nil && checkLine(line, f.Now, f.Boot) == nil, err
}
