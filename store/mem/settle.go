package mem

// Settling requests: by an answer, or because their time has come.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assent"
)

// Settle moves a pending request to the state of t once.
func (s *Store) Settle(ctx context.Context, t assent.Settlement, d assent.Draft) (assent.Request, *assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Request{}, nil, err
	}
	defer s.mu.Unlock()
	r, err := s.find(t.Request)
	if err != nil {
		return assent.Request{}, nil, err
	}
	if r.state != assent.Pending {
		v, err := r.view()
		if err == nil {
			err = fmt.Errorf("settle %s: %w", t.Request, assent.ErrSettled)
		}
		return v, nil, err
	}
	g, err := s.granted(t, d)
	if err != nil {
		return assent.Request{}, nil, err
	}
	answer, err := answerOf(t)
	if err != nil {
		return assent.Request{}, nil, err
	}
	d.Record.Request = r.id()
	if g != nil {
		d.Record.Grant, d.Record.Seal = g.ID, g.Seal()
	}
	if _, err := s.write(d); err != nil {
		return assent.Request{}, nil, err
	}
	s.settle(r, t.State, t.At)
	r.answer = answer
	if g != nil {
		r.grant = g.ID
		s.keep(*g)
	}
	v, err := r.view()
	return v, g, err
}

func answerOf(t assent.Settlement) ([]byte, error) {
	if t.Answer == nil {
		return nil, nil
	}
	return encode(t.Answer)
}

// granted makes the grant of a settlement, if it gives one.
func (s *Store) granted(t assent.Settlement, d assent.Draft) (*assent.Grant, error) {
	switch t.State {
	case assent.Approved, assent.Denied, assent.Expired, assent.Withdrawn:
	default:
		return nil, fmt.Errorf("settle %s as %q: %w", t.Request, t.State, assent.ErrInvalid)
	}
	if t.Grant == nil {
		return nil, nil
	}
	if t.State != assent.Approved {
		return nil, fmt.Errorf("settle %s: only a yes gives a grant: %w", t.Request, assent.ErrInvalid)
	}
	g, err := s.mint(*t.Grant, d)
	return &g, err
}

// Expire settles as Expired what has run out, the earliest deadline first.
func (s *Store) Expire(ctx context.Context, now time.Time, limit int) ([]assent.Request, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var due []*request
	for _, r := range s.requests {
		if r.state == assent.Pending && !now.Before(r.expires) {
			due = append(due, r)
		}
	}
	slices.SortStableFunc(due, func(a, b *request) int { return a.expires.Compare(b.expires) })
	due = due[:min(max(limit, 0), len(due))]
	var drafts []assent.Draft
	var out []assent.Request
	for _, r := range due {
		v, err := r.view()
		if err != nil {
			return nil, err
		}
		v.State, v.Settled = assent.Expired, stamp(now)
		drafts, out = append(drafts, expiry(v, now)), append(out, v)
	}
	if _, err := s.write(drafts...); err != nil {
		return nil, err
	}
	for _, r := range due {
		s.settle(r, assent.Expired, now)
	}
	return out, nil
}

// expiry is the record of a request that ran out: nobody said yes.
func expiry(r assent.Request, now time.Time) assent.Draft {
	return assent.Draft{Record: assent.Record{
		At: now, Kind: assent.KindExpire, Agent: r.Case.Agent, Session: r.Case.Session,
		Tool: r.Case.Tool, Digest: r.Digest, Decision: assent.Deny, Request: r.ID,
	}}
}
