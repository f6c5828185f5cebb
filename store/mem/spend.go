package mem

// Spending: one use of a live grant for one call.

import (
	"cmp"
	"context"
	"encoding/json"
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
	if kept := s.calls[keyOf(k)]; kept != nil && kept.Closed.IsZero() && !kept.Began.IsZero() {
		return assent.Grant{}, fmt.Errorf("spend: call %q has begun: %w", k.ID, assent.ErrSettled)
	}
	line, use, err := s.again(c, k)
	if err == nil && line == nil {
		line, err = s.pick(c, k.From, now, boot)
	}
	if err != nil {
		return assent.Grant{}, fmt.Errorf("spend: %w", err)
	}
	d.Record.Grant, d.Record.Use = line[0].ID, cmp.Or(use, line[0].taken+1)
	if _, err := s.write(d); err != nil {
		return assent.Grant{}, err
	}
	if use == 0 {
		s.take(line, k, now)
	}
	return cloneGrant(line[0].Grant), nil
}

// take counts the use on the grant and its ancestors, and notes it on the call.
func (s *Store) take(line []*grant, k assent.Call, now time.Time) {
	for _, g := range line {
		g.Used++
		g.taken++
		g.LastUsed = stamp(now)
	}
	kept, _ := s.open(k)
	kept.Grant, kept.use = line[0].ID, line[0].taken
}

// again returns the line of the grant that this open call has spent already, and
// which use it was; nil when there is none that is still unrevoked, or another is
// wanted.
func (s *Store) again(c assent.Case, k assent.Call) ([]*grant, int, error) {
	kept := s.calls[keyOf(k)]
	if kept == nil || !kept.Closed.IsZero() || kept.Grant == "" || k.From != "" && k.From != kept.Grant {
		return nil, 0, nil
	}
	line, err := s.named(kept.Grant)
	if err != nil {
		return nil, 0, err
	}
	if !line[0].Covers(c) || revoked(line) {
		return nil, 0, nil
	}
	return line, kept.use, nil
}

// revoked reports whether any grant of a line was revoked.
func revoked(line []*grant) bool {
	return slices.ContainsFunc(line, func(g *grant) bool { return !g.Revoked.IsZero() })
}

// pick returns the line of the grant to spend from: the one that is wanted, or exact
// before class, class before any tool, older before newer. When none is live: the
// error of the newest that covers the case.
func (s *Store) pick(c assent.Case, from string, now time.Time, boot string) ([]*grant, error) {
	if from != "" {
		return s.only(from, c, now, boot)
	}
	found := slices.Concat(s.exact[c.Digest()], s.class[c.Tool], s.class[assent.AnyTool])
	for _, n := range found {
		if s.grants[n-1].Check(now, boot) != nil { // most are dead, and this is cheap
			continue
		}
		line, err := s.covering(n, c)
		if err != nil {
			return nil, err
		}
		if line != nil && checkLine(line, now, boot) == nil {
			return line, nil
		}
	}
	slices.Sort(found)
	for _, n := range slices.Backward(found) {
		line, err := s.covering(n, c)
		if err != nil {
			return nil, err
		}
		if line != nil {
			return nil, checkLine(line, now, boot)
		}
	}
	return nil, assent.ErrNoSuchGrant
}

// only returns the line of the one grant that a use is wanted of.
func (s *Store) only(id string, c assent.Case, now time.Time, boot string) ([]*grant, error) {
	line, err := s.named(id)
	if err == nil {
		err = checkLine(line, now, boot)
	}
	if err == nil && !line[0].Covers(c) {
		err = assent.ErrScope
	}
	return line, err
}

// covering returns the line of grant n if it covers the case.
func (s *Store) covering(n int, c assent.Case) ([]*grant, error) {
	if !s.grants[n-1].Covers(c) {
		return nil, nil
	}
	return s.line(n)
}

func checkLine(line []*grant, now time.Time, boot string) error {
	var values []assent.Grant
	for _, g := range line {
		values = append(values, g.Grant)
	}
	return assent.CheckLine(values, now, boot)
}

// named returns the line of the grant with this ID. ErrNoSuchGrant when there is none
// that counts.
func (s *Store) named(id string) ([]*grant, error) {
	var line []*grant
	n, err := number(id, "gr_")
	if err == nil && n <= len(s.grants) {
		if line, err = s.line(n); err != nil {
			return nil, err
		}
	}
	if line == nil {
		return nil, fmt.Errorf("grant %q: %w", id, assent.ErrNoSuchGrant)
	}
	return line, nil
}

// line returns a grant and its ancestors, or nil when the record of one of them
// does not vouch for it.
func (s *Store) line(n int) ([]*grant, error) {
	var line []*grant
	for {
		g := s.grants[n-1]
		if ok, err := s.vouched(g.Grant); err != nil || !ok {
			return nil, err
		}
		line = append(line, g)
		if g.Parent == "" {
			return line, nil
		}
		p, err := number(g.Parent, "gr_")
		if err != nil || p >= n { // a parent is older than its child
			return nil, nil
		}
		n = p
	}
}

// vouched checks a grant against the record that gave it.
func (s *Store) vouched(g assent.Grant) (bool, error) {
	if g.Record == 0 || g.Record > s.head.N {
		return false, nil
	}
	kept, rec := s.lines[g.Record-1], assent.Record{}
	if assent.LeafHash(kept.Leaf) != kept.Hash || json.Unmarshal(kept.Leaf, &rec) != nil || !g.VouchedBy(rec) {
		return false, nil
	}
	return s.genuine(rec)
}
