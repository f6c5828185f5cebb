package mem

// Calls, sessions and the ends of both; revocation.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"assent"
)

// call is a call as it is kept.
type call struct {
	assent.Call
	n   int // the order of opening
	use int // which use of the grant it took
}

// copy is the call as callers see it.
func (c *call) copy() assent.Call {
	out := c.Call
	out.Broker, out.Child = processOf(c.Broker), processOf(c.Child)
	return out
}

// processOf is a process that is nobody else's; nil for none.
func processOf(p *assent.Process) *assent.Process {
	if p == nil {
		return nil
	}
	own := *p
	return &own
}

type callKey struct{ session, id, digest string }

func keyOf(c assent.Call) callKey { return callKey{c.Session, c.ID, c.Digest} }

// open returns the open call of this name, and whether it is a new one: a call
// that was closed is opened anew and has spent nothing.
func (s *Store) open(c assent.Call) (*call, bool) {
	old := s.calls[keyOf(c)]
	if old != nil && old.Closed.IsZero() {
		if c.Request != "" {
			old.Request = c.Request
		}
		if c.Broker != nil {
			old.Broker = processOf(c.Broker)
		}
		return old, false
	}
	c.Grant, c.From, c.Opened, c.Closed = "", "", stamp(c.Opened), time.Time{}
	c.Broker, c.Child, c.Began = processOf(c.Broker), nil, time.Time{}
	s.opened++
	fresh := &call{Call: c, n: s.opened}
	s.calls[keyOf(c)] = fresh
	return fresh, true
}

// shut closes the open calls that are picked: of those that began, only what has ended.
func (s *Store) shut(at time.Time, ended bool, pick func(callKey) bool) {
	for k, c := range s.calls {
		if c.Closed.IsZero() && (ended || c.Began.IsZero()) && pick(k) {
			c.Closed = stamp(at)
		}
	}
}

// Finish closes the open call of the session with this ID, or all. One that began is
// closed by the record of its end alone.
func (s *Store) Finish(ctx context.Context, session, id string, d assent.Draft) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if _, err := s.write(d); err != nil {
		return err
	}
	s.shut(d.Record.At, id != "" && d.Record.EndsRun(), func(k callKey) bool { return k.session == session && (id == "" || k.id == id) })
	return nil
}

// EndSession marks the session and its sub-agents' ended, closes their calls and
// revokes their session grants.
func (s *Store) EndSession(ctx context.Context, session string, at time.Time, d assent.Draft) ([]assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if at.IsZero() {
		return nil, fmt.Errorf("a session ends at a time: %w", assent.ErrInvalid)
	}
	by := cmp.Or(d.Record.By, "end of session")
	gone := s.unrevoked(func(g *grant) bool {
		return g.Width == assent.InSess && assent.Within(g.Scope.Session, session)
	})
	drafts := []assent.Draft{d}
	for _, g := range gone {
		drafts = append(drafts, assent.Draft{Record: assent.Record{
			At: at, Kind: assent.KindRevoke, Agent: d.Record.Agent, Session: g.Scope.Session, Grant: g.ID, By: by,
		}})
	}
	if _, err := s.write(drafts...); err != nil {
		return nil, err
	}
	for by, known := range s.sessions {
		if assent.Within(by.session, session) {
			known.Ended = stamp(at)
			s.sessions[by] = known
		}
	}
	s.shut(at, false, func(k callKey) bool { return assent.Within(k.session, session) })
	return revoke(gone, by, at), nil
}

// Revoke revokes the selected grants that are not revoked yet.
func (s *Store) Revoke(ctx context.Context, sel assent.Selection, by string, at time.Time, d assent.Draft) ([]assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if at.IsZero() {
		return nil, fmt.Errorf("a grant is revoked at a time: %w", assent.ErrInvalid)
	}
	gone, err := s.selected(sel)
	if err != nil {
		return nil, err
	}
	var drafts []assent.Draft
	for _, g := range gone {
		d.Record.Grant = g.ID
		drafts = append(drafts, d)
	}
	if _, err := s.write(drafts...); err != nil {
		return nil, err
	}
	return revoke(gone, by, at), nil
}

// selected returns the grants of a selection that are not revoked yet.
func (s *Store) selected(sel assent.Selection) ([]*grant, error) {
	switch {
	case sel == assent.Selection{All: true}:
		return s.unrevoked(func(*grant) bool { return true }), nil
	case sel.Session != "" && sel == assent.Selection{Session: sel.Session}:
		return s.unrevoked(func(g *grant) bool { return assent.Within(g.Scope.Session, sel.Session) }), nil
	case sel.ID == "" || sel != assent.Selection{ID: sel.ID}:
		return nil, fmt.Errorf("select one grant, one session or all: %w", assent.ErrInvalid)
	}
	n, err := number(sel.ID, "gr_")
	if err != nil || n > len(s.grants) {
		return nil, fmt.Errorf("grant %q: %w", sel.ID, assent.ErrNoSuchGrant)
	}
	if g := s.grants[n-1]; g.Revoked.IsZero() {
		return []*grant{g}, nil
	}
	return nil, nil
}

func (s *Store) unrevoked(pick func(*grant) bool) []*grant {
	var out []*grant
	for _, g := range s.grants {
		if g.Revoked.IsZero() && pick(g) {
			out = append(out, g)
		}
	}
	return out
}

func revoke(gone []*grant, by string, at time.Time) []assent.Grant {
	var out []assent.Grant
	for _, g := range gone {
		g.Revoked, g.RevokedBy = stamp(at), by
		out = append(out, cloneGrant(g.Grant))
	}
	return out
}

// Grants lists grants, oldest first.
func (s *Store) Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var out []assent.Grant
	for i, g := range s.grants {
		if f.Session != "" && g.Scope.Session != f.Session {
			continue
		}
		if f.Live {
			line, err := s.line(i + 1)
			if err != nil {
				return nil, err
			}
			if line == nil || checkLine(line, f.Now, f.Boot) != nil {
				continue
			}
		}
		out = append(out, cloneGrant(g.Grant))
	}
	return out, nil
}

// Call returns the session's call with this digest.
func (s *Store) Call(ctx context.Context, session, id, digest string) (assent.Call, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Call{}, err
	}
	defer s.mu.Unlock()
	found := s.calls[callKey{session, id, digest}]
	if id == "" {
		found = nil
		for k, c := range s.calls {
			if k.session == session && k.digest == digest && c.Closed.IsZero() && (found == nil || c.n > found.n) {
				found = c
			}
		}
	}
	if found == nil {
		return assent.Call{}, fmt.Errorf("call %q of session %q: %w", id, session, assent.ErrNotFound)
	}
	return found.copy(), nil
}

// Sessions lists the sessions, once for each process that has spoken for them.
func (s *Store) Sessions(ctx context.Context) ([]assent.Session, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var out []assent.Session
	for _, v := range s.sessions {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b assent.Session) int {
		p, q := a.Process, b.Process
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID), cmp.Compare(p.Boot, q.Boot), cmp.Compare(p.PID, q.PID), cmp.Compare(p.Start, q.Start))
	})
	return out, nil
}
