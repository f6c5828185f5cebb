package mem

// What assent runs itself under a grant: begun, given back, listed. And handles.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"assent"
)

// Begin notes on an open call that has spent a use that what it was for runs now.
func (s *Store) Begin(ctx context.Context, c assent.Call, d assent.Draft) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	kept, line, err := s.spent(c)
	switch {
	case err != nil:
	case !kept.Began.IsZero():
		err = assent.ErrSettled
	case revoked(line):
		err = assent.ErrRevoked
	}
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	d.Record.Grant = kept.Grant
	if _, err := s.write(d); err != nil {
		return err
	}
	if c.Broker != nil {
		kept.Broker = processOf(c.Broker)
	}
	kept.Child, kept.Began = processOf(c.Child), stamp(c.Began)
	if c.Began.IsZero() {
		kept.Began = stamp(d.Record.At)
	}
	return nil
}

// Refund gives back the use that an open call has taken, as long as it did not begin.
func (s *Store) Refund(ctx context.Context, c assent.Call, d assent.Draft) (assent.Grant, error) {
	if d.Record.Kind != assent.KindRefund {
		return assent.Grant{}, fmt.Errorf("refund: its record is of the kind %q: %w", d.Record.Kind, assent.ErrInvalid)
	}
	if err := s.enter(ctx); err != nil {
		return assent.Grant{}, err
	}
	defer s.mu.Unlock()
	kept, line, err := s.spent(c)
	if err == nil && !kept.Began.IsZero() {
		err = fmt.Errorf("it began: %w", assent.ErrNotFound)
	}
	if err != nil {
		return assent.Grant{}, fmt.Errorf("refund: %w", err)
	}
	d.Record.Grant, d.Record.Use = kept.Grant, kept.use
	if _, err := s.write(d); err != nil {
		return assent.Grant{}, err
	}
	for _, g := range line {
		g.Used--
	}
	kept.Closed = stamp(d.Record.At)
	return cloneGrant(line[0].Grant), nil
}

// spent returns the open call of this name that has spent a use, and the line of its
// grant. ErrNotFound when there is none.
func (s *Store) spent(c assent.Call) (*call, []*grant, error) {
	kept := s.calls[keyOf(c)]
	if kept == nil || !kept.Closed.IsZero() || kept.Grant == "" {
		return nil, nil, fmt.Errorf("call %q of session %q has spent nothing: %w", c.ID, c.Session, assent.ErrNotFound)
	}
	line, err := s.named(kept.Grant)
	return kept, line, err
}

// Running lists the open calls that began under one of these grants or what descends
// of them, oldest first; without grants, all that began.
func (s *Store) Running(ctx context.Context, grants []string) ([]assent.Call, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var found []*call
	for _, c := range s.calls {
		if c.Began.IsZero() || !c.Closed.IsZero() {
			continue
		}
		line, err := s.named(c.Grant)
		if err != nil {
			return nil, err
		}
		if len(grants) == 0 || slices.ContainsFunc(line, func(g *grant) bool { return slices.Contains(grants, g.ID) }) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *call) int { return cmp.Compare(a.n, b.n) })
	var out []assent.Call
	for _, c := range found {
		out = append(out, c.copy())
	}
	return out, nil
}

// Hold keeps a handle of a grant and gives it its ID and its record.
func (s *Store) Hold(ctx context.Context, h assent.Held, d assent.Draft) (assent.Held, error) {
	if h.Hash == "" || len(h.Nonce) == 0 || h.Holder == (assent.Holder{}) || d.Record.Kind != assent.KindHandle {
		return assent.Held{}, fmt.Errorf("a handle needs a hash, a nonce, a holder and a record of its kind: %w", assent.ErrInvalid)
	}
	if err := s.enter(ctx); err != nil {
		return assent.Held{}, err
	}
	defer s.mu.Unlock()
	if _, err := s.named(h.Grant); err != nil {
		return assent.Held{}, fmt.Errorf("hold: %w", err)
	}
	if slices.ContainsFunc(s.held, func(old assent.Held) bool { return old.Hash == h.Hash }) {
		return assent.Held{}, fmt.Errorf("hold: there is such a handle: %w", assent.ErrSettled)
	}
	h = cloneHeld(h)
	h.At = stamp(h.At)
	d.Record.Grant, d.Record.Seal = h.Grant, h.Seal()
	recs, err := s.write(d)
	if err != nil {
		return assent.Held{}, err
	}
	h.ID, h.Record = "hd_"+strconv.Itoa(len(s.held)+1), recs[0].N
	s.held = append(s.held, h)
	return cloneHeld(h), nil
}

// Held returns the handle with this hash or ID.
func (s *Store) Held(ctx context.Context, hashOrID string) (assent.Held, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Held{}, err
	}
	defer s.mu.Unlock()
	for _, h := range s.held {
		if h.Hash == hashOrID || h.ID == hashOrID {
			return cloneHeld(h), nil
		}
	}
	return assent.Held{}, fmt.Errorf("handle: %w", assent.ErrNoSuchGrant) // and not which: it may be a secret, by mistake
}

func cloneHeld(h assent.Held) assent.Held {
	h.Nonce, h.Holder.Process = slices.Clone(h.Nonce), processOf(h.Holder.Process)
	return h
}
