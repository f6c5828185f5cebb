package storetest_test

// The stores agree: whatever one answers, the others answer too.

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/store/mem"
	"assent/store/sqlite"
	"assent/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	storetest.Runs("30")
	m.Run()
}

func TestStoresAgree(t *testing.T) {
	w := storetest.NewWitness()
	storetest.Run(t, func(t *testing.T) assent.Store {
		file, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "assent.db"), sqlite.Options{Witness: w})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return &pair{t: t, a: mem.Witnessed(w), b: file}
	})
}

// pair does every verb to both stores, one at a time, and fails when they differ.
type pair struct {
	t    *testing.T
	mu   sync.Mutex
	a, b assent.Store
}

// both compares the answers. Salts are random, so what hangs on them is not
// compared: the chain has a test of its own.
func both[V any](p *pair, verb string, do func(assent.Store) (V, error)) (V, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, aErr := do(p.a)
	b, bErr := do(p.b)
	for _, known := range []error{
		assent.ErrRevoked, assent.ErrExpired, assent.ErrExhausted, assent.ErrNoSuchGrant, assent.ErrInvalid,
		assent.ErrNotFound, assent.ErrSettled, assent.ErrFull, assent.ErrScope, context.Canceled,
	} {
		if errors.Is(aErr, known) != errors.Is(bErr, known) {
			p.t.Errorf("%s: mem says %v, sqlite says %v", verb, aErr, bErr)
		}
	}
	if (aErr == nil) != (bErr == nil) {
		p.t.Errorf("%s: mem says %v, sqlite says %v", verb, aErr, bErr)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		p.t.Errorf("%s (-mem +sqlite):\n%s", verb, diff)
	}
	return b, bErr
}

func bare(r assent.Record, err error) (assent.Record, error) {
	r.Prev, r.Sig = "", nil
	if r.Payload != "" {
		r.Payload = "salted"
	}
	return r, err
}

func (p *pair) Append(ctx context.Context, d assent.Draft) (rec assent.Record, err error) {
	_, _ = both(p, "Append", func(s assent.Store) (assent.Record, error) {
		rec, err = s.Append(ctx, d)
		return bare(rec, err)
	})
	return rec, err
}

type settled struct {
	Request assent.Request
	Grant   *assent.Grant
}

func (p *pair) Ask(ctx context.Context, r assent.Request, c assent.Call, b assent.Bounds, d assent.Draft) (assent.Request, error) {
	return both(p, "Ask", func(s assent.Store) (assent.Request, error) { return s.Ask(ctx, r, c, b, d) })
}

func (p *pair) Settle(ctx context.Context, t assent.Settlement, d assent.Draft) (assent.Request, *assent.Grant, error) {
	out, err := both(p, "Settle", func(s assent.Store) (settled, error) {
		r, g, err := s.Settle(ctx, t, d)
		return settled{r, g}, err
	})
	return out.Request, out.Grant, err
}

func (p *pair) Advise(ctx context.Context, request string, a assent.Advice, d assent.Draft) (assent.Request, error) {
	return both(p, "Advise", func(s assent.Store) (assent.Request, error) { return s.Advise(ctx, request, a, d) })
}

func (p *pair) Give(ctx context.Context, g assent.Grant, d assent.Draft) (assent.Grant, error) {
	return both(p, "Give", func(s assent.Store) (assent.Grant, error) { return s.Give(ctx, g, d) })
}

func (p *pair) Spend(ctx context.Context, c assent.Case, k assent.Call, now time.Time, boot string, d assent.Draft) (assent.Grant, error) {
	return both(p, "Spend", func(s assent.Store) (assent.Grant, error) { return s.Spend(ctx, c, k, now, boot, d) })
}

func (p *pair) Begin(ctx context.Context, call assent.Call, d assent.Draft) error {
	_, err := both(p, "Begin", func(s assent.Store) (int, error) { return 0, s.Begin(ctx, call, d) })
	return err
}

func (p *pair) Refund(ctx context.Context, call assent.Call, d assent.Draft) (assent.Grant, error) {
	return both(p, "Refund", func(s assent.Store) (assent.Grant, error) { return s.Refund(ctx, call, d) })
}

func (p *pair) Running(ctx context.Context, grants []string) ([]assent.Call, error) {
	return both(p, "Running", func(s assent.Store) ([]assent.Call, error) { return s.Running(ctx, grants) })
}

func (p *pair) Hold(ctx context.Context, h assent.Held, d assent.Draft) (assent.Held, error) {
	return both(p, "Hold", func(s assent.Store) (assent.Held, error) { return s.Hold(ctx, h, d) })
}

func (p *pair) Held(ctx context.Context, hashOrID string) (assent.Held, error) {
	return both(p, "Held", func(s assent.Store) (assent.Held, error) { return s.Held(ctx, hashOrID) })
}

func (p *pair) Finish(ctx context.Context, session, call string, d assent.Draft) error {
	_, err := both(p, "Finish", func(s assent.Store) (int, error) { return 0, s.Finish(ctx, session, call, d) })
	return err
}

func (p *pair) EndSession(ctx context.Context, session string, at time.Time, d assent.Draft) ([]assent.Grant, error) {
	return both(p, "EndSession", func(s assent.Store) ([]assent.Grant, error) { return s.EndSession(ctx, session, at, d) })
}

func (p *pair) Revoke(ctx context.Context, sel assent.Selection, by string, at time.Time, d assent.Draft) ([]assent.Grant, error) {
	return both(p, "Revoke", func(s assent.Store) ([]assent.Grant, error) { return s.Revoke(ctx, sel, by, at, d) })
}

func (p *pair) Expire(ctx context.Context, now time.Time, limit int) ([]assent.Request, error) {
	return both(p, "Expire", func(s assent.Store) ([]assent.Request, error) { return s.Expire(ctx, now, limit) })
}

func (p *pair) Request(ctx context.Context, id string) (assent.Request, error) {
	return both(p, "Request", func(s assent.Store) (assent.Request, error) { return s.Request(ctx, id) })
}

func (p *pair) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	return both(p, "Requests", func(s assent.Store) ([]assent.Request, error) { return s.Requests(ctx, f) })
}

func (p *pair) Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error) {
	return both(p, "Grants", func(s assent.Store) ([]assent.Grant, error) { return s.Grants(ctx, f) })
}

func (p *pair) Call(ctx context.Context, session, id, digest string) (assent.Call, error) {
	return both(p, "Call", func(s assent.Store) (assent.Call, error) { return s.Call(ctx, session, id, digest) })
}

func (p *pair) Sessions(ctx context.Context) ([]assent.Session, error) {
	return both(p, "Sessions", func(s assent.Store) ([]assent.Session, error) { return s.Sessions(ctx) })
}

func (p *pair) Lines(ctx context.Context, after uint64, limit int) (out []assent.Line, err error) {
	_, _ = both(p, "Lines", func(s assent.Store) ([]assent.Record, error) {
		out, err = s.Lines(ctx, after, limit)
		var recs []assent.Record
		for _, l := range out {
			var r assent.Record
			if err := json.Unmarshal(l.Leaf, &r); err != nil {
				return nil, err
			}
			r, _ = bare(r, nil)
			recs = append(recs, r)
		}
		return recs, err
	})
	return out, err
}

func (p *pair) Keys(ctx context.Context) (out []assent.Record, err error) {
	_, err = both(p, "Keys", func(s assent.Store) (int, error) {
		out, err = s.Keys(ctx)
		return len(out), err
	})
	return out, err
}

func (p *pair) Head(ctx context.Context) (out assent.Head, err error) {
	_, _ = both(p, "Head", func(s assent.Store) (uint64, error) {
		out, err = s.Head(ctx)
		return out.N, err
	})
	return out, err
}

func (p *pair) Close() error {
	_, err := both(p, "Close", func(s assent.Store) (int, error) { return 0, s.Close() })
	return err
}
