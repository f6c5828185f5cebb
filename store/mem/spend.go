package mem

// Spending: one use of a live grant for one call.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
)

// Spend takes one use of a live grant that covers the case.
func (s *Store) Spend(ctx context.Context, c assent.Case, k assent.Call, now time.Time, boot string, d assent.Draft) (assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Grant{}, err
	}
	defer s.mu.Unlock()
	line, use := s.again(c, k)
	if line == nil {
		var err error
		if line, err = s.pick(c, now, boot); err != nil {
			return assent.Grant{}, fmt.Errorf("spend: %w", err)
		}
	}
	d.Record.Grant, d.Record.Use = line[0].ID, cmp.Or(use, line[0].Used+1)
	if _, err := s.write(d); err != nil {
		return assent.Grant{}, err
	}
	if use == 0 {
		s.take(line, k, now)
	}
	return cloneGrant(*line[0]), nil
}

// take counts the use on the grant and its ancestors, and notes it on the call.
func (s *Store) take(line []*assent.Grant, k assent.Call, now time.Time) {
	for _, g := range line {
		g.Used++
		g.LastUsed = stamp(now)
	}
	kept, _ := s.open(k)
	kept.Grant, kept.use = line[0].ID, line[0].Used
}

// again returns the line of the grant that this open call has spent already, and
// which use it was; nil when there is none that is still unrevoked.
func (s *Store) again(c assent.Case, k assent.Call) ([]*assent.Grant, int) {
	kept := s.calls[keyOf(k)]
	if kept == nil || !kept.Closed.IsZero() || kept.Grant == "" {
		return nil, 0
	}
	n, err := number(kept.Grant, "gr_")
	if err != nil || !s.grants[n-1].Covers(c) {
		return nil, 0
	}
	line := s.line(n)
	if slices.ContainsFunc(line, func(g *assent.Grant) bool { return !g.Revoked.IsZero() }) {
		return nil, 0
	}
	return line, kept.use
}

// pick returns the line of the grant to spend from: exact before class, class
// before any tool, older before newer. When none is live: the error of the newest
// that covers the case.
func (s *Store) pick(c assent.Case, now time.Time, boot string) ([]*assent.Grant, error) {
	found := slices.Concat(s.exact[c.Digest()], s.class[c.Tool], s.class[assent.AnyTool])
	for _, n := range found {
		if s.grants[n-1].Check(now, boot) != nil { // most are dead, and this is cheap
			continue
		}
		if line := s.covering(n, c); line != nil && checkLine(line, now, boot) == nil {
			return line, nil
		}
	}
	slices.Sort(found)
	for _, n := range slices.Backward(found) {
		if line := s.covering(n, c); line != nil {
			return nil, checkLine(line, now, boot)
		}
	}
	return nil, assent.ErrNoSuchGrant
}

// covering returns the line of grant n if it covers the case.
func (s *Store) covering(n int, c assent.Case) []*assent.Grant {
	if !s.grants[n-1].Covers(c) {
		return nil
	}
	return s.line(n)
}

func checkLine(line []*assent.Grant, now time.Time, boot string) error {
	var values []assent.Grant
	for _, g := range line {
		values = append(values, *g)
	}
	return assent.CheckLine(values, now, boot)
}

// line returns a grant and its ancestors, or nil when the record of one of them
// does not vouch for it.
func (s *Store) line(n int) []*assent.Grant {
	var line []*assent.Grant
	for {
		g := s.grants[n-1]
		if s.vouch(*g) != nil {
			return nil
		}
		line = append(line, g)
		if g.Parent == "" {
			return line
		}
		p, err := number(g.Parent, "gr_")
		if err != nil || p >= n { // a parent is older than its child
			return nil
		}
		n = p
	}
}

var errUnvouched = errors.New("its record does not vouch for the grant")

// vouch checks a grant against the record that gave it.
func (s *Store) vouch(g assent.Grant) error {
	if g.Record == 0 || g.Record > s.head.N {
		return errUnvouched
	}
	kept, rec := s.lines[g.Record-1], assent.Record{}
	if assent.LeafHash(kept.Leaf) != kept.Hash {
		return errUnvouched
	}
	if err := json.Unmarshal(kept.Leaf, &rec); err != nil || !g.VouchedBy(rec) {
		return errUnvouched
	}
	return nil
}
