package sqlite

// Sessions: which processes speak for them, as drafts note it.

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// note keeps that a process speaks for a session. A session that it is noted for
// again goes on from where it started; one that had ended starts anew. So does one on
// which somebody else wrote, of which nothing is taken over.
func (t tx) note(ctx context.Context, now *assent.Session) error {
	if now == nil || now.ID == "" {
		return nil
	}
	next, p := *now, now.Process
	next.Started, next.Ended = next.Started.UTC().Round(0), time.Time{}
	kept, err := t.running(ctx, db.SessionParams{ID: now.ID, Boot: p.Boot, Pid: int64(p.PID), Start: int64(p.Start)})
	if err != nil {
		return err
	}
	if kept != nil {
		old, err := session(*kept)
		if err != nil {
			return err
		}
		next.Started = old.Started
	}
	body, err := encode(next)
	if err != nil {
		return fmt.Errorf("session %s: %w", now.ID, err)
	}
	if kept != nil && bytes.Equal(body, kept.Body) {
		return nil // as it was
	}
	return t.putSession(ctx, db.Session{
		ID: now.ID, Boot: p.Boot, Pid: int64(p.PID), Start: int64(p.Start), Started: nanos(next.Started), Body: body,
	})
}

// running returns the row of a session that goes on; nil where there is none, it has
// ended, or it is not what assent wrote. The first of a boot has those of others forgotten.
func (t tx) running(ctx context.Context, key db.SessionParams) (*db.Session, error) {
	row, err := t.Session(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		if key.Boot == "" {
			return nil, nil
		}
		return nil, t.ForgetSessions(ctx, key.Boot)
	}
	if err != nil || row.Ended != "" {
		return nil, err
	}
	if ok, err := t.right(row.Mark, sessionBytes(row)); err != nil || !ok {
		return nil, err
	}
	return &row, nil
}

// putSession writes a row of assent's own, with its mark.
func (t tx) putSession(ctx context.Context, row db.Session) (err error) {
	if row.Mark, err = t.mark(sessionBytes(row)); err != nil {
		return err
	}
	return t.PutSession(ctx, db.PutSessionParams(row))
}

// end has a session and its sub-agents' end. A row of somebody else's gets no mark by it.
func (t tx) end(ctx context.Context, session, at string) error {
	rows, err := t.SessionsWithin(ctx, session)
	if err != nil {
		return err
	}
	for _, row := range rows {
		ours, err := t.right(row.Mark, sessionBytes(row))
		if err != nil {
			return err
		}
		if row.Ended = at; ours {
			err = t.putSession(ctx, row)
		} else {
			err = t.PutSession(ctx, db.PutSessionParams(row))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func session(row db.Session) (v assent.Session, err error) {
	if err = json.Unmarshal(row.Body, &v); err == nil {
		v.Ended, err = unstamp(row.Ended)
	}
	if err != nil {
		return v, damaged("a session", err)
	}
	return v, nil
}

// Sessions lists the sessions, once for each process that has spoken for them.
func (s *Store) Sessions(ctx context.Context) ([]assent.Session, error) {
	rows, err := s.read().Sessions(ctx)
	out, err := each(rows, err, func(row db.Session) (assent.Session, error) {
		v, err := session(row)
		if err != nil {
			return v, err
		}
		ours, err := s.trust.right(row.Mark, sessionBytes(row))
		v.Doubtful = !ours
		return v, err
	})
	return out, s.explain(err)
}
