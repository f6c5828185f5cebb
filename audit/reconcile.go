package audit

// Reconcile: the store's word against the log's.

import (
	"context"
	"fmt"

	"assent"
)

// Books are what Reconcile reads of a store.
type Books interface {
	Source
	Head(ctx context.Context) (assent.Head, error)
	Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error)
	Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error)
}

// Marked is a store whose rows carry the witness's marks. Forged names those that do
// not, or are older than what was written since, in one sentence each.
type Marked interface {
	Forged(ctx context.Context) ([]string, error)
}

// Reconcile verifies the log, as Verify does, and holds the store against it: every
// row that should have a mark has it (Marked); every grant is vouched for by its
// record, is revoked if the log says so, and has been used no less than the log says,
// by itself and by what came out of it, no use by two calls, and no use and no beginning
// after the revocation; every settled request has the record that settled it, and no
// request is pending that the log says was settled. ErrChain names the first thing
// that does not agree. The store may be in use meanwhile.
func Reconcile(ctx context.Context, b Books, w assent.Witness) (Report, error) {
	forged, err := strangers(ctx, b)
	if err != nil {
		return Report{}, fmt.Errorf("reconcile: %w", err)
	}
	if forged != "" { // such rows cannot be read; but the log may say more
		if report, err := Verify(ctx, b, w); err != nil {
			return report, err
		}
		return Report{}, fmt.Errorf("%s: %w", forged, assent.ErrChain)
	}
	// What is listed has its records already when the walk begins, and what the
	// log says up to this head must show in the lists.
	head, err := b.Head(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("reconcile: %w", err)
	}
	grants, err := b.Grants(ctx, assent.GrantFilter{})
	if err != nil {
		return Report{}, fmt.Errorf("reconcile: %w", err)
	}
	requests, err := all(ctx, b)
	if err != nil {
		return Report{}, fmt.Errorf("reconcile: %w", err)
	}
	l := newLog(head.N, grants)
	report, err := walk(ctx, b, w, l.see)
	if err != nil {
		return report, err
	}
	if report.Head.N < head.N {
		return report, fmt.Errorf("record %d: it is missing, the log ends: %w", report.Head.N+1, assent.ErrChain)
	}
	if wrong := l.disagrees(grants, requests); wrong != "" {
		return report, fmt.Errorf("%s: %w", wrong, assent.ErrChain)
	}
	return report, nil
}

// strangers names the first row that is not what assent wrote, if the store can tell.
func strangers(ctx context.Context, b Books) (string, error) {
	m, ok := b.(Marked)
	if !ok {
		return "", nil
	}
	forged, err := m.Forged(ctx)
	if len(forged) == 0 {
		return "", err
	}
	return forged[0], nil
}

func all(ctx context.Context, b Books) (out []assent.Request, err error) {
	f := assent.RequestFilter{Limit: page}
	for {
		some, err := b.Requests(ctx, f)
		if err != nil || len(some) == 0 {
			return out, err
		}
		out = append(out, some...)
		f.After = some[len(some)-1].ID
	}
}

// decided is what the record that settled a request into a state says.
var decided = map[assent.State]struct {
	kind     string
	decision assent.Decision
}{
	assent.Approved: {assent.KindAnswer, assent.Allow},
	assent.Denied:   {assent.KindAnswer, assent.Deny},
	assent.Expired:  {assent.KindExpire, assent.Deny},
}

func (l *log) request(r assent.Request) string {
	rec, ok := l.settled[r.ID]
	want, answered := decided[r.State]
	switch {
	case r.State == assent.Pending && ok && rec.N <= l.until:
		return fmt.Sprintf("record %d settled it, and it is pending", rec.N)
	case answered && !ok:
		return fmt.Sprintf("it is %s, and no record says so", r.State)
	case answered && (rec.Kind != want.kind || rec.Decision != want.decision):
		return fmt.Sprintf("it is %s, and record %d says %s", r.State, rec.N, rec.Decision)
	case r.Grant != "" && rec.Grant != r.Grant:
		return fmt.Sprintf("it became %s, and record %d says %q", r.Grant, rec.N, rec.Grant)
	}
	return ""
}
