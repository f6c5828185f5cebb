package sqlite

// Requests: opened, joined, listed.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Ask opens a request for the call, or joins the call to the pending one.
func (s *Store) Ask(ctx context.Context, r assent.Request, c assent.Call, b assent.Bounds, d assent.Draft) (out assent.Request, err error) {
	err = s.write(ctx, func(t tx) error {
		n, err := t.PendingOf(ctx, db.PendingOfParams{
			Session: r.Case.Session, Digest: r.Digest, Principal: r.Case.Principal, Kind: string(r.Kind),
		})
		if errors.Is(err, sql.ErrNoRows) {
			n, err = t.queue(ctx, r, b)
		}
		if err != nil {
			return err
		}
		d.Record.Request = requestID(n)
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		if err := t.join(ctx, n, c); err != nil {
			return err
		}
		out, err = t.request(ctx, n)
		return err
	})
	if err != nil {
		return assent.Request{}, err
	}
	return out, nil
}

// queue keeps a fresh request, within the bounds, and returns its number.
func (t tx) queue(ctx context.Context, r assent.Request, b assent.Bounds) (int64, error) {
	all, err := t.CountPending(ctx, int64(max(b.All, 0)))
	if err != nil {
		return 0, err
	}
	ours, err := t.CountWaiting(ctx, db.CountWaitingParams{Session: r.Case.Session, Most: int64(max(b.Session, 0))})
	if err != nil {
		return 0, err
	}
	if all >= int64(b.All) || ours >= int64(b.Session) {
		return 0, assent.ErrFull
	}
	last, err := t.LastRequest(ctx)
	if err != nil {
		return 0, err
	}
	advice, err := adviceOf(r.Advice)
	if err != nil {
		return 0, err
	}
	r.Answer, r.Advice, r.Settled = nil, nil, time.Time{}
	r.Opened, r.Expires = r.Opened.UTC(), r.Expires.UTC()
	body, err := encode(r)
	if err != nil {
		return 0, fmt.Errorf("request: %w", err)
	}
	return last + 1, t.InsertRequest(ctx, db.InsertRequestParams{
		N: last + 1, Kind: string(r.Kind), Principal: r.Case.Principal, Session: r.Case.Session,
		Digest: r.Digest, Expires: nanos(r.Expires), Body: body, Advice: advice,
	})
}

// join notes the request on the call. A call that had not joined it counts.
func (t tx) join(ctx context.Context, n int64, c assent.Call) error {
	kept, fresh, err := t.open(ctx, c)
	if err != nil {
		return err
	}
	joined := !fresh && kept.Request == requestID(n)
	kept.Request = requestID(n)
	if err := t.keep(ctx, kept, fresh); err != nil || joined {
		return err
	}
	return t.JoinRequest(ctx, n)
}

// request reads one request.
func (t tx) request(ctx context.Context, n int64) (assent.Request, error) {
	row, err := t.Request(ctx, n)
	if errors.Is(err, sql.ErrNoRows) {
		return assent.Request{}, fmt.Errorf("request %q: %w", requestID(n), assent.ErrNotFound)
	}
	if err != nil {
		return assent.Request{}, err
	}
	return request(row)
}

// Request returns one request with its answer.
func (s *Store) Request(ctx context.Context, id string) (assent.Request, error) {
	n, err := number(id, "req_")
	if err != nil {
		return assent.Request{}, fmt.Errorf("request %q: %w", id, assent.ErrNotFound)
	}
	r, err := tx{s.read()}.request(ctx, n)
	if err != nil {
		return assent.Request{}, s.explain(err)
	}
	return r, nil
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
	switch q := s.read(); {
	case f.Session != "":
		rows, err = q.RequestsOf(ctx, db.RequestsOfParams{Session: f.Session, State: string(f.State), After: after, Most: most})
	case f.State != "":
		rows, err = q.RequestsIn(ctx, db.RequestsInParams{State: string(f.State), After: after, Most: most})
	default:
		rows, err = q.Requests(ctx, db.RequestsParams{After: after, Most: most})
	}
	out, err := each(rows, err, request)
	return out, s.explain(err)
}
