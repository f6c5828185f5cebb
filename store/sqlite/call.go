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
	broker, err := processOf(c.Broker)
	if err != nil {
		return db.Call{}, false, err
	}
	kept, err := t.Queries.Call(ctx, db.CallParams{Session: c.Session, ID: c.ID, Digest: c.Digest})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return kept, false, err
	}
	if err != nil || kept.Closed != "" {
		return db.Call{Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, Opened: stamp(c.Opened), Broker: broker}, true, nil
	}
	if kept, err = t.sound(kept); err != nil {
		return kept, false, err
	}
	if c.Request != "" {
		kept.Request = c.Request
	}
	if broker != nil {
		kept.Broker = broker
	}
	return kept, false, nil
}

// sound is an open call without what somebody else wrote on it: then it has spent
// nothing.
func (t tx) sound(c db.Call) (db.Call, error) {
	if c.GrantID == "" && c.Began == "" || c.Closed != "" {
		return c, nil
	}
	ok, err := t.right(c.Mark, callBytes(c))
	if !ok {
		c.GrantID, c.Use, c.Broker, c.Child, c.Began, c.Mark = "", 0, nil, nil, "", nil
	}
	return c, err
}

// keep writes a call that open returned, with a mark when it has spent a use.
func (t tx) keep(ctx context.Context, c db.Call, fresh bool) (err error) {
	c.Mark = nil
	if c.GrantID != "" && c.Closed == "" {
		if c.Mark, err = t.mark(callBytes(c)); err != nil {
			return err
		}
	}
	if fresh {
		return t.PutCall(ctx, db.PutCallParams{
			Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, GrantID: c.GrantID, Use: c.Use, Opened: c.Opened,
			Broker: c.Broker, Child: c.Child, Began: c.Began, Mark: c.Mark,
		})
	}
	return t.UpdateCall(ctx, db.UpdateCallParams{
		Session: c.Session, ID: c.ID, Digest: c.Digest, Request: c.Request, GrantID: c.GrantID, Use: c.Use, Closed: c.Closed,
		Broker: c.Broker, Child: c.Child, Began: c.Began, Mark: c.Mark,
	})
}

// processOf is a process as it is kept; nil for none.
func processOf(p *assent.Process) ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	return encode(p)
}

// Finish closes the open call of the session with this ID, or all. One that began is
// closed by the record of its end alone.
func (s *Store) Finish(ctx context.Context, session, id string, d assent.Draft) error {
	return s.write(ctx, func(t tx) error {
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		switch {
		case id == "":
			return t.CloseCalls(ctx, db.CloseCallsParams{Session: session, Closed: stamp(d.Record.At)})
		case d.Record.EndsRun():
			return t.EndCall(ctx, db.EndCallParams{Session: session, ID: id, Closed: stamp(d.Record.At)})
		}
		return t.CloseCall(ctx, db.CloseCallParams{Session: session, ID: id, Closed: stamp(d.Record.At)})
	})
}

// Call returns the session's call with this digest.
func (s *Store) Call(ctx context.Context, session, id, digest string) (assent.Call, error) {
	var row db.Call
	var err error
	t := s.read()
	if id == "" {
		row, err = t.NewestOpenCall(ctx, db.NewestOpenCallParams{Session: session, Digest: digest})
	} else {
		row, err = t.Queries.Call(ctx, db.CallParams{Session: session, ID: id, Digest: digest})
	}
	if errors.Is(err, sql.ErrNoRows) {
		return assent.Call{}, fmt.Errorf("call %q of session %q: %w", id, session, assent.ErrNotFound)
	}
	if err == nil {
		row, err = t.sound(row)
	}
	if err != nil {
		return assent.Call{}, s.explain(err)
	}
	c, err := call(row)
	return c, s.explain(err)
}
