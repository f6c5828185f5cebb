package sqlite

// Advice: what an approver says of a request before people do.

import (
	"context"
	"errors"
	"fmt"

	"assent"
)

// Advise writes on a pending request that an approver is asked, or what it said.
func (s *Store) Advise(ctx context.Context, id string, a assent.Advice, d assent.Draft) (out assent.Request, err error) {
	n, err := number(id, "req_")
	if err != nil {
		return out, fmt.Errorf("request %q: %w", id, assent.ErrNotFound)
	}
	err = s.write(ctx, func(t tx) error {
		row, err := t.asked(ctx, n)
		if err != nil {
			return err
		}
		if out, err = request(row); err != nil {
			return err
		}
		if out.State != assent.Pending || !follows(a, out.Advice) {
			return fmt.Errorf("advise on %s: %w", id, assent.ErrSettled)
		}
		if row.Advice, err = adviceOf(&a); err != nil {
			return err
		}
		d.Record.Request = id
		if _, err := t.append(ctx, d); err != nil {
			return err
		}
		out, err = t.tell(ctx, row)
		return err
	})
	if err != nil && !errors.Is(err, assent.ErrSettled) {
		return assent.Request{}, err
	}
	return out, err
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
	kept.At = a.At.UTC().Round(0)
	body, err := encode(kept)
	if err != nil {
		return nil, fmt.Errorf("advice: %w", err)
	}
	return body, nil
}
