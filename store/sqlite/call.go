package sqlite

// Calls: opened, found, closed.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"assent"
	"assent/store/sqlite/db"
)

// open returns the open call of this name, and whether it is a new one, which is
// not kept yet: a call that was closed is opened anew and has spent nothing.
func (t tx) open(ctx context.Context, c assent.Call) (db.Call, bool, error) {
	kept, err := t.Call(ctx, db.CallParams{Session: c.Session, ID: c.ID, Digest: c.Digest})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return kept, false, err
	}
	if err == nil && kept.Closed == "" {
		if c.Request != "" {
			kept.Request = c.Request
		}
		return kept, false, nil
	}
	return db.Call{Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, Opened: stamp(c.Opened)}, true, nil
}

// keep writes a call that open returned.
func (t tx) keep(ctx context.Context, c db.Call, fresh bool) error {
	if fresh {
		return t.PutCall(ctx, db.PutCallParams{
			Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, GrantID: c.GrantID, Use: c.Use, Opened: c.Opened,
		})
	}
	return t.UpdateCall(ctx, db.UpdateCallParams{
		Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, GrantID: c.GrantID, Use: c.Use,
	})
}

// Finish closes the open call of the session with this ID, or all.
func (s *Store) Finish(ctx context.Context, session, id string, d assent.Draft) error {
	return s.write(ctx, func(t tx) error {
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		if id == "" {
			return t.CloseCalls(ctx, db.CloseCallsParams{Session: session, Closed: stamp(d.Record.At)})
		}
		return t.CloseCall(ctx, db.CloseCallParams{Session: session, ID: id, Closed: stamp(d.Record.At)})
	})
}

// Call returns the session's call with this digest.
func (s *Store) Call(ctx context.Context, session, id, digest string) (assent.Call, error) {
	var row db.Call
	var err error
	if id == "" {
		row, err = s.read().NewestOpenCall(ctx, db.NewestOpenCallParams{Session: session, Digest: digest})
	} else {
		row, err = s.read().Call(ctx, db.CallParams{Session: session, ID: id, Digest: digest})
	}
	if errors.Is(err, sql.ErrNoRows) {
		return assent.Call{}, fmt.Errorf("call %q of session %q: %w", id, session, assent.ErrNotFound)
	}
	if err != nil {
		return assent.Call{}, s.explain(err)
	}
	c, err := call(row)
	return c, s.explain(err)
}
