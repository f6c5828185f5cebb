package sqlite

// Settling requests: by an answer, or because their time has come.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Settle moves a pending request to the state of a settlement once.
func (s *Store) Settle(ctx context.Context, a assent.Settlement, d assent.Draft) (out assent.Request, g *assent.Grant, err error) {
	n, err := number(a.Request, "req_")
	if err != nil {
		return out, nil, fmt.Errorf("request %q: %w", a.Request, assent.ErrNotFound)
	}
	err = s.write(ctx, func(t tx) error {
		row, err := t.asked(ctx, n)
		if err != nil {
			return err
		}
		if row.State != string(assent.Pending) {
			if out, err = request(row); err == nil {
				err = fmt.Errorf("settle %s: %w", a.Request, assent.ErrSettled)
			}
			return err
		}
		out, g, err = t.settle(ctx, row, a, d)
		return err
	})
	switch {
	case errors.Is(err, assent.ErrSettled):
		return out, nil, err
	case err != nil:
		return assent.Request{}, nil, err
	}
	return out, g, nil
}

// settle writes a settlement: its record, the grant, the answer, the new state.
func (t tx) settle(ctx context.Context, row db.Answered, a assent.Settlement, d assent.Draft) (out assent.Request, g *assent.Grant, err error) {
	if g, err = t.granted(ctx, a, d); err != nil {
		return out, nil, err
	}
	d.Record.Request = a.Request
	row.State, row.Settled = string(a.State), stamp(a.At)
	if g != nil {
		d.Record.Grant, d.Record.Seal, row.GrantID = g.ID, g.Seal(), g.ID
	}
	if _, err := t.append(ctx, d); err != nil {
		return out, nil, err
	}
	if g != nil {
		if err := t.give(ctx, *g); err != nil {
			return out, nil, err
		}
	}
	if a.Answer != nil {
		if row.Answer, err = encode(a.Answer); err != nil {
			return out, nil, fmt.Errorf("answer: %w", err)
		}
		if err := t.InsertAnswer(ctx, db.InsertAnswerParams{Request: row.N, Body: row.Answer}); err != nil {
			return out, nil, err
		}
	}
	out, err = t.tell(ctx, row)
	return out, g, err
}

// granted makes the grant of a settlement, if it gives one.
func (t tx) granted(ctx context.Context, a assent.Settlement, d assent.Draft) (*assent.Grant, error) {
	switch a.State {
	case assent.Approved, assent.Denied, assent.Expired, assent.Withdrawn:
	default:
		return nil, fmt.Errorf("settle %s as %q: %w", a.Request, a.State, assent.ErrInvalid)
	}
	if a.Grant == nil {
		return nil, nil
	}
	if a.State != assent.Approved {
		return nil, fmt.Errorf("settle %s: only a yes gives a grant: %w", a.Request, assent.ErrInvalid)
	}
	g, err := t.mint(ctx, *a.Grant, d)
	return &g, err
}

// Expire settles as Expired what has run out, the earliest deadline first.
func (s *Store) Expire(ctx context.Context, now time.Time, limit int) (out []assent.Request, err error) {
	err = s.write(ctx, func(t tx) error {
		due, err := t.Due(ctx, db.DueParams{Now: nanos(now), Most: int64(max(limit, 0))})
		if err != nil {
			return err
		}
		for _, n := range due {
			r, err := t.expire(ctx, n, now)
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// expire settles one request that ran out: nobody said yes. One that somebody else
// wrote ends too, and stays without a mark.
func (t tx) expire(ctx context.Context, n int64, now time.Time) (r assent.Request, err error) {
	row, err := t.Queries.Request(ctx, n)
	if err != nil {
		return r, err
	}
	right, err := t.right(row.Mark, requestBytes(row))
	if err != nil {
		return r, err
	}
	r, err = request(row)
	if err != nil && !right { // then it need not make sense
		r, err = assent.Request{ID: requestID(n)}, nil
	}
	if err != nil {
		return r, err
	}
	_, err = t.append(ctx, assent.Draft{Record: assent.Record{
		At: now, Kind: assent.KindExpire, Agent: r.Case.Agent, Session: r.Case.Session,
		Tool: r.Case.Tool, Digest: r.Digest, Decision: assent.Deny, Request: r.ID,
	}})
	if err != nil {
		return r, err
	}
	row.State, row.Settled = string(assent.Expired), stamp(now)
	if right {
		return t.tell(ctx, row)
	}
	r.State, r.Settled = assent.Expired, now.UTC().Round(0)
	return r, t.become(ctx, row)
}
