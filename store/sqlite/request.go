package sqlite

// Requests: opened, joined, listed.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Ask opens a request for the call, or joins the call to the pending one.
func (s *Store) Ask(ctx context.Context, r assent.Request, c assent.Call, b assent.Bounds, d assent.Draft) (out assent.Request, err error) {
	err = s.write(ctx, func(t tx) error {
		row, fresh, err := t.pending(ctx, r, b)
		if err != nil {
			return err
		}
		d.Record.Request = requestID(row.N)
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		joined, err := t.join(ctx, row.N, c)
		if err != nil {
			return err
		}
		if !joined {
			row.Asked++
		}
		if fresh {
			err = t.queue(ctx, row)
		}
		if err == nil {
			out, err = t.tell(ctx, row)
		}
		return err
	})
	if err != nil {
		return assent.Request{}, err
	}
	return out, nil
}

// pending returns the request that a question joins, or a fresh one, within the
// bounds, which is not kept yet.
func (t tx) pending(ctx context.Context, r assent.Request, b assent.Bounds) (row db.Answered, fresh bool, err error) {
	row = db.Answered{
		Kind: string(r.Kind), Principal: r.Case.Principal, Session: r.Case.Session, Digest: r.Digest, State: string(assent.Pending),
	}
	n, err := t.PendingOf(ctx, db.PendingOfParams{Session: row.Session, Digest: row.Digest, Principal: row.Principal, Kind: row.Kind})
	if err == nil {
		row, err = t.asked(ctx, n)
		return row, false, err
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return row, false, err
	}
	if err := t.room(ctx, row.Session, b); err != nil {
		return row, false, err
	}
	last, err := t.LastRequest(ctx)
	if err != nil {
		return row, false, err
	}
	if row.Advice, err = adviceOf(r.Advice); err != nil {
		return row, false, err
	}
	r.Answer, r.Advice, r.Settled = nil, nil, time.Time{}
	r.Opened, r.Expires = r.Opened.UTC(), r.Expires.UTC()
	row.N, row.Expires = last+1, nanos(r.Expires)
	if row.Body, err = encode(r); err != nil {
		return row, false, fmt.Errorf("request: %w", err)
	}
	return row, true, nil
}

// room is ErrFull when one more request would be out of bounds.
func (t tx) room(ctx context.Context, session string, b assent.Bounds) error {
	all, err := t.CountPending(ctx, int64(max(b.All, 0)))
	if err != nil {
		return err
	}
	ours, err := t.CountWaiting(ctx, db.CountWaitingParams{Session: session, Most: int64(max(b.Session, 0))})
	if err == nil && (all >= int64(b.All) || ours >= int64(b.Session)) {
		err = assent.ErrFull
	}
	return err
}

// queue keeps a fresh request.
func (t tx) queue(ctx context.Context, row db.Answered) error {
	return t.InsertRequest(ctx, db.InsertRequestParams{
		N: row.N, Kind: row.Kind, Principal: row.Principal, Session: row.Session, Digest: row.Digest,
		Expires: row.Expires, Body: row.Body, Advice: row.Advice, State: row.State,
	})
}

// join notes the request on the call, and reports whether it had joined it already.
func (t tx) join(ctx context.Context, n int64, c assent.Call) (bool, error) {
	kept, fresh, err := t.open(ctx, c)
	if err != nil {
		return false, err
	}
	joined := !fresh && kept.Request == requestID(n)
	kept.Request = requestID(n)
	return joined, t.keep(ctx, kept, fresh)
}

// tell writes what has become of a request, and returns it. Who calls it has seen that
// the row is right: a row of somebody else's must not get a mark.
func (t tx) tell(ctx context.Context, row db.Answered) (r assent.Request, err error) {
	if row.Mark, err = t.mark(requestBytes(row)); err == nil {
		err = t.become(ctx, row)
	}
	if err != nil {
		return r, err
	}
	return request(row)
}

// become writes a request's row as it is.
func (t tx) become(ctx context.Context, row db.Answered) error {
	return t.ChangeRequest(ctx, db.ChangeRequestParams{
		N: row.N, State: row.State, Settled: row.Settled, GrantID: row.GrantID, Asked: row.Asked, Advice: row.Advice, Mark: row.Mark,
	})
}

// asked reads one request's row. What is asked must be what assent wrote.
func (t tx) asked(ctx context.Context, n int64) (db.Answered, error) {
	row, err := t.Queries.Request(ctx, n)
	if errors.Is(err, sql.ErrNoRows) {
		return row, fmt.Errorf("request %q: %w", requestID(n), assent.ErrNotFound)
	}
	if err != nil {
		return row, err
	}
	return row, t.unchanged(row)
}

// unchanged is an error for a request that somebody else wrote.
func (t tx) unchanged(row db.Answered) error {
	ok, err := t.right(row.Mark, requestBytes(row))
	if err == nil && !ok {
		err = fmt.Errorf("%s is not what assent wrote there: somebody else changed it, or it is from before this home had a key; answer none of it, and see assent log verify: %w", requestID(row.N), assent.ErrDamaged)
	}
	return err
}

// Request returns one request with its answer.
func (s *Store) Request(ctx context.Context, id string) (assent.Request, error) {
	n, err := number(id, "req_")
	if err != nil {
		return assent.Request{}, fmt.Errorf("request %q: %w", id, assent.ErrNotFound)
	}
	row, err := s.read().asked(ctx, n)
	if err != nil {
		return assent.Request{}, s.explain(err)
	}
	r, err := request(row)
	return r, s.explain(err)
}

// Requests lists requests, oldest first.
func (s *Store) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	after, most, err := int64(0), int64(f.Limit), error(nil)
	if f.After != "" {
		if after, err = number(f.After, "req_"); err != nil {
			return nil, err
		}
	}
	if most <= 0 {
		most = 100
	}
	var rows []db.Answered
	q := s.read()
	switch {
	case f.Session != "":
		rows, err = q.RequestsOf(ctx, db.RequestsOfParams{Session: f.Session, State: string(f.State), After: after, Most: most})
	case f.State != "":
		rows, err = q.RequestsIn(ctx, db.RequestsInParams{State: string(f.State), After: after, Most: most})
	default:
		rows, err = q.Queries.Requests(ctx, db.RequestsParams{After: after, Most: most})
	}
	if q.witness != nil { // those from before this home had a key are not listed
		rows = slices.DeleteFunc(rows, func(r db.Answered) bool { return r.Mark == nil })
	}
	out, err := each(rows, err, func(row db.Answered) (assent.Request, error) {
		if err := q.unchanged(row); err != nil {
			return assent.Request{}, err
		}
		return request(row)
	})
	return out, s.explain(err)
}
