package mem

// Giving grants: minted with the record that vouches for them, and kept.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"assent"
)

// grant is a grant as it is kept.
type grant struct {
	assent.Grant
	taken int // uses ever taken, those given back too
}

// Give inserts a grant that no open request led to: of the owner's own, a child, or a
// standing one that is renewed.
func (s *Store) Give(ctx context.Context, g assent.Grant, d assent.Draft) (assent.Grant, error) {
	if err := s.enter(ctx); err != nil {
		return assent.Grant{}, err
	}
	defer s.mu.Unlock()
	if !unasked(g) {
		return assent.Grant{}, fmt.Errorf("give a grant of the width %q for the request %q, out of %q: only the owner's own, a child, and one that a person renews need no question: %w", g.Width, g.Request, g.Parent, assent.ErrInvalid)
	}
	g, err := s.mint(g, d)
	if err == nil {
		err = s.unlike(g)
	}
	if err != nil {
		return assent.Grant{}, err
	}
	d.Record.Request, d.Record.Grant, d.Record.Seal = "", g.ID, g.Seal()
	if _, err := s.write(d); err != nil {
		return assent.Grant{}, err
	}
	s.keep(g)
	return g, nil
}

// unasked reports whether a grant may be given without a question: out of another one,
// as a standing one that was asked for before, or as the owner's own.
func unasked(g assent.Grant) bool {
	switch {
	case g.Parent != "":
		return g.Width != "" && g.Request == ""
	case g.Request != "":
		return g.Width == assent.Always
	}
	return g.Width == assent.Owner
}

// unlike refuses a child that was given before, and a renewal.
func (s *Store) unlike(g assent.Grant) error {
	for _, old := range s.grants {
		if g.Width != assent.Owner && old.Parent == g.Parent && old.Scope.Session == g.Scope.Session && old.Seal() == g.Seal() {
			return fmt.Errorf("give: %s is this very grant: %w", old.ID, assent.ErrSettled)
		}
	}
	return nil
}

// mint makes a new grant: with its ID, and the number that its record will have.
// It refuses what the record of the draft would not vouch for, and a parent that
// there is not.
func (s *Store) mint(g assent.Grant, d assent.Draft) (assent.Grant, error) {
	if d.Record.Kind != assent.KindAnswer || d.Record.Decision != assent.Allow {
		return assent.Grant{}, fmt.Errorf("only a recorded yes gives a grant: %w", assent.ErrInvalid)
	}
	if g.Parent != "" {
		if _, err := s.named(g.Parent); err != nil {
			return assent.Grant{}, fmt.Errorf("parent: %w", err)
		}
	}
	g = cloneGrant(g)
	g.ID, g.Record = "gr_"+strconv.Itoa(len(s.grants)+1), s.head.N+1
	g.Used, g.LastUsed, g.Revoked, g.RevokedBy = 0, time.Time{}, time.Time{}, ""
	return g, nil
}

// keep keeps a new grant.
func (s *Store) keep(g assent.Grant) {
	s.grants = append(s.grants, &grant{Grant: cloneGrant(g)})
	if n := len(s.grants); g.Scope.Digest != "" {
		s.exact[g.Scope.Digest] = append(s.exact[g.Scope.Digest], n)
	} else {
		s.class[g.Scope.Tool] = append(s.class[g.Scope.Tool], n)
	}
}

func cloneGrant(g assent.Grant) assent.Grant {
	g.Scope.Programs, g.Scope.Codes = slices.Clone(g.Scope.Programs), slices.Clone(g.Scope.Codes)
	g.From, g.Until = stamp(g.From), stamp(g.Until)
	return g
}
