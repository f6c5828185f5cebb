package mem

// Advice: what an approver says of a request before people do.

import (
	"context"
	"fmt"

	"assent"
)

// Advise writes on a pending request that an approver is asked, or what it said.
func (s *Store) Advise(ctx context.Context, id string, a assent.Advice, d assent.Draft) (assent.Request, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Request{}, err
	}
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return assent.Request{}, err
	}
	now, err := r.view()
	if err != nil {
		return assent.Request{}, err
	}
	if now.State != assent.Pending || !follows(a, now.Advice) {
		return now, fmt.Errorf("advise on %s: %w", id, assent.ErrSettled)
	}
	body, err := adviceOf(&a)
	if err != nil {
		return assent.Request{}, err
	}
	d.Record.Request = id
	if _, err := s.write(d); err != nil {
		return assent.Request{}, err
	}
	r.advice = body
	return r.view()
}

// follows reports whether the advice may stand in the place of what stands there:
// a claim in that of nothing, what was said in that of its own claim.
func follows(a assent.Advice, kept *assent.Advice) bool {
	if !a.Done {
		return kept == nil
	}
	return kept != nil && kept.By == a.By && kept.At.Equal(a.At)
}

// adviceOf is advice as it is kept; nil for none.
func adviceOf(a *assent.Advice) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	kept := *a
	kept.At = stamp(a.At)
	body, err := encode(kept)
	if err != nil {
		return nil, fmt.Errorf("advice: %w", err)
	}
	return body, nil
}
