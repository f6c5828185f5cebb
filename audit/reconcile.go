package audit

// Reconcile: the store's word against the log's.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"assent"
)

// Books are what Reconcile reads of a store.
type Books interface {
	Source
	Head(ctx context.Context) (assent.Head, error)
	Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error)
	Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error)
}

// Reconcile verifies the log and holds the store against it: every grant is
// vouched for by its record, is revoked if the log says so, and has been used no
// less than the log says, no use by two calls and none after the revocation;
// every settled request has the record that settled it, and no request is pending
// that the log says was settled. ErrChain names the first thing that does not
// agree. The store may be in use meanwhile.
func Reconcile(ctx context.Context, b Books) (Report, error) {
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
	l := newLog(head.N)
	report, err := walk(ctx, b, l.see)
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

// log is what the records say, as far as the store must agree.
type log struct {
	until   uint64                   // what follows this record may be newer than the lists
	given   []assent.Record          // the records that gave grants
	settled map[string]assent.Record // by request: what settled it
	revoked map[string]uint64        // by grant: the record of its revocation
	used    map[string]assent.Record // by grant: the record of its last use
	taken   map[useOf]assent.Record  // by use: the record of the call that took it
	wrong   string                   // the first use that cannot have been
}

// useOf is one use of one grant.
type useOf struct {
	grant string
	n     int
}

func newLog(until uint64) *log {
	return &log{
		until: until, settled: map[string]assent.Record{}, revoked: map[string]uint64{},
		used: map[string]assent.Record{}, taken: map[useOf]assent.Record{},
	}
}

func (l *log) see(r assent.Record) {
	if r.Use > 0 && l.wrong == "" {
		l.wrong = l.spent(r)
	}
	switch {
	case r.Kind == assent.KindAnswer || r.Kind == assent.KindExpire:
		if _, ok := l.settled[r.Request]; !ok { // the first answer wins
			l.settled[r.Request] = r
		}
		if r.Seal != "" {
			l.given = append(l.given, r)
		}
	case r.Kind == assent.KindRevoke && r.Grant != "" && r.N <= l.until:
		l.revoked[r.Grant] = r.N
	case r.Use > l.used[r.Grant].Use && r.N <= l.until:
		l.used[r.Grant] = r
	}
}

// spent says what is wrong with a use. One use is of one call, which may come
// through two gates, of which the second does not name it.
func (l *log) spent(r assent.Record) string {
	u := useOf{r.Grant, r.Use}
	first, again := l.taken[u]
	if !again || first.Call == "" {
		l.taken[u] = r
	}
	switch {
	case again && (first.Session != r.Session || first.Digest != r.Digest || first.Call != "" && r.Call != "" && first.Call != r.Call):
		return fmt.Sprintf("grant %s: record %d is of its use %d, which another call took in record %d", r.Grant, r.N, r.Use, first.N)
	case l.revoked[r.Grant] != 0:
		return fmt.Sprintf("grant %s: record %d is of its use %d, after record %d revoked it", r.Grant, r.N, r.Use, l.revoked[r.Grant])
	}
	return ""
}

// disagrees names the first grant or request that the log does not bear out.
func (l *log) disagrees(grants []assent.Grant, requests []assent.Request) string {
	if l.wrong != "" {
		return l.wrong
	}
	listed := map[string]bool{}
	for _, g := range grants {
		listed[g.ID] = true
		if wrong := l.grant(g); wrong != "" {
			return "grant " + g.ID + ": " + wrong
		}
	}
	for _, r := range l.given {
		if r.N <= l.until && !listed[r.Grant] {
			return fmt.Sprintf("grant %s: record %d gave it, and it is gone", r.Grant, r.N)
		}
	}
	for _, r := range requests {
		if wrong := l.request(r); wrong != "" {
			return "request " + r.ID + ": " + wrong
		}
	}
	return ""
}

func (l *log) grant(g assent.Grant) string {
	i, ok := slices.BinarySearchFunc(l.given, g.Record, func(r assent.Record, n uint64) int { return cmp.Compare(r.N, n) })
	switch {
	case !ok:
		return fmt.Sprintf("record %d did not give it", g.Record)
	case !g.VouchedBy(l.given[i]):
		return fmt.Sprintf("it is not the grant that record %d gave", g.Record)
	case g.Revoked.IsZero() && l.revoked[g.ID] != 0:
		return fmt.Sprintf("record %d revoked it, and it is not revoked", l.revoked[g.ID])
	case g.Used < l.used[g.ID].Use:
		return fmt.Sprintf("record %d is of its use %d, and it says it was used %d times", l.used[g.ID].N, l.used[g.ID].Use, g.Used)
	}
	return ""
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
