package assent_test

// The laws of scopes of any tool.

import (
	"errors"
	"reflect"
	"testing"

	"assent"

	"pgregory.net/rapid"
)

// whole draws a scope of every action of its holder.
func whole(r *rapid.T, c assent.Case) assent.Scope {
	return assent.Scope{
		Tool: assent.AnyTool, Agent: few(c.Agent, "claude").Draw(r, "holding agent"), Principal: few(c.Principal, "uid:1").Draw(r, "holding principal"),
		Session: few(c.Session, "s1").Draw(r, "holding session"), Profile: few(c.Profile, "work").Draw(r, "holding profile"), Uses: rapid.IntRange(0, 5).Draw(r, "most uses"), For: assent.Duration(rapid.IntRange(0, 5).Draw(r, "longest")),
	}
}

func TestAScopeOfAnyToolCoversEveryActionOfItsHolder(t *testing.T) {
	t.Parallel()
	covered, left := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		c := anyCase(r)
		s := whole(r, c)
		held := (s.Agent == "" || s.Agent == c.Agent) && (s.Principal == "" || s.Principal == c.Principal) && (s.Session == "" || s.Session == c.Session) &&
			(s.Profile == "" || s.Profile == c.Profile)
		if want := held && c.Digest() != ""; s.Covers(c) != want {
			r.Fatalf("%+v covers %+v: %v", s, c, !want)
		} else if want {
			covered++
		} else {
			left++
		}
	})
	if covered == 0 || left == 0 {
		t.Fatalf("covered %d, left %d: this test says nothing", covered, left)
	}
}

// With anything beside its holder it is of nothing, or of the digest alone: what a
// forgetful writer left in does not make it wide.
func TestAScopeOfAnyToolWithPartsCoversNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCase(r)
		s, part := whole(r, c), anyScope(r, c)
		s.Programs, s.Codes, s.Under, s.Dir = part.Programs, part.Codes, part.Under, part.Dir
		bare := len(s.Programs)+len(s.Codes) == 0 && s.Under+s.Dir == ""
		if s.Covers(c) && !bare {
			r.Fatalf("%+v covers %+v", s, c)
		}
		s.Digest = "of something else"
		if s.Covers(c) {
			r.Fatalf("%+v covers %+v", s, c)
		}
	})
}

// Whatever is asked of a scope of any tool that covers something by itself comes out
// as it was asked for, held by both, and within both bounds; anything else is refused.
func TestNarrowOfAnyToolIsInsideIt(t *testing.T) {
	t.Parallel()
	covered, refused := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		for range 20 {
			c := anyCase(r)
			s, demand := whole(r, c), anyScope(r, c)
			if rapid.IntRange(0, 4).Draw(r, "any of it") == 0 {
				demand = whole(r, c)
			}
			n, err := s.Narrow(demand)
			if err != nil {
				if refused++; !errors.Is(err, assent.ErrScope) || !reflect.DeepEqual(n, assent.Scope{}) {
					r.Fatalf("%v with %+v", err, n)
				}
				continue
			}
			if n.Uses > s.Uses || n.For > s.For || n.Tool == "" && n.Digest == "" {
				r.Fatalf("%+v became %+v by %+v", s, n, demand)
			}
			if !n.Covers(c) {
				continue
			}
			covered++
			asked := demand
			if demand.Digest == "" && demand.Tool+demand.Under+demand.Dir == "" && len(demand.Programs)+len(demand.Codes) == 0 {
				asked.Tool = assent.AnyTool
			}
			if !s.Covers(c) || !asked.Covers(c) {
				r.Fatalf("%+v narrowed by %+v covers %+v", s, demand, c)
			}
		}
	})
	if covered == 0 || refused == 0 {
		t.Fatalf("covered %d, refused %d: this test says nothing", covered, refused)
	}
}
