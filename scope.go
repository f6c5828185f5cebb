package assent

// Scope: what a grant covers. Matching is by parsed structure, never by text.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Protected are the codes that no class scope may name: authority over them is
// given one exact action at a time.
var Protected = []string{"gate.self", "gate.off", "agent.config", "persist", "code.unknown", "limit"}

// Scope is what a grant covers: either one exact Digest, or a class: a tool,
// with these programs, finding codes and every target under one path. The zero
// Scope covers nothing.
type Scope struct {
	Digest string `json:"digest,omitempty"`

	Tool     string   `json:"tool,omitempty"`
	Programs []string `json:"programs,omitempty"` // base names; every command must be one of them
	Codes    []string `json:"codes,omitempty"`    // every finding must have one of them
	Under    string   `json:"under,omitempty"`    // absolute path; every finding's target lies under it

	Agent     string `json:"agent,omitempty"`     // holder; empty = any
	Principal string `json:"principal,omitempty"` //
	Session   string `json:"session,omitempty"`   //

	Uses int      `json:"uses,omitempty"` // most uses; 0 = none
	For  Duration `json:"for,omitempty"`  // how long, from the answer
}

// Covers reports whether the case lies inside the scope. Uses and For are the
// grant's to check.
func (s Scope) Covers(c Case) bool {
	if !s.heldBy(c) {
		return false
	}
	if s.Digest != "" {
		return s.Digest == c.Digest()
	}
	return s.coversClass(c)
}

func (s Scope) heldBy(c Case) bool {
	return (s.Agent == "" || s.Agent == c.Agent) &&
		(s.Principal == "" || s.Principal == c.Principal) &&
		(s.Session == "" || s.Session == c.Session)
}

func (s Scope) coversClass(c Case) bool {
	if s.Tool == "" || s.Tool != c.Tool || len(s.Codes) == 0 || s.Under == "" || len(c.Findings) == 0 {
		return false
	}
	for _, f := range c.Findings {
		if slices.Contains(Protected, f.Code) || !slices.Contains(s.Codes, f.Code) || !Under(f.Target, s.Under) {
			return false
		}
	}
	for _, cmd := range c.Commands {
		if cmd.Name == "" || !slices.Contains(s.Programs, cmd.Name) {
			return false
		}
	}
	return true
}

// Narrow returns s reduced by what t also demands. The result covers a case only
// if s does: a narrower scope can be made from a wider one, never the reverse.
// ErrScope when nothing would be left.
func (s Scope) Narrow(t Scope) (Scope, error) {
	n := s
	var bad bool
	one := func(have *string, want string) {
		if want == "" || *have == want {
			return
		}
		bad = bad || *have != ""
		*have = want
	}
	one(&n.Agent, t.Agent)
	one(&n.Principal, t.Principal)
	one(&n.Session, t.Session)
	if s.Digest != "" || t.Digest == "" { // a class may not be narrowed to a digest blindly: see below
		one(&n.Digest, t.Digest)
	} else {
		return Scope{}, fmt.Errorf("a class cannot be narrowed to a digest without its case: %w", ErrScope)
	}
	one(&n.Tool, t.Tool)
	n.Programs = meet(s.Programs, t.Programs)
	n.Codes = meet(s.Codes, t.Codes)
	bad = bad || len(s.Codes) > 0 && len(n.Codes) == 0
	if t.Under != "" && t.Under != s.Under {
		bad = bad || s.Under == "" && s.Digest == "" || s.Under != "" && !Under(t.Under, s.Under)
		n.Under = t.Under
	}
	if t.Uses > 0 {
		n.Uses = min(s.Uses, t.Uses)
	}
	if t.For > 0 {
		n.For = min(s.For, t.For)
	}
	if bad {
		return Scope{}, ErrScope
	}
	return n, nil
}

// meet intersects two lists; an empty want demands nothing.
func meet(have, want []string) []string {
	if len(want) == 0 {
		return have
	}
	var both []string
	for _, x := range have {
		if slices.Contains(want, x) {
			both = append(both, x)
		}
	}
	return both
}

// Under reports whether the absolute path target is root or lies below it,
// compared by component after cleaning. Relative paths lie under nothing.
func Under(target, root string) bool {
	if !filepath.IsAbs(target) || !filepath.IsAbs(root) {
		return false
	}
	rel, err := filepath.Rel(filepath.Clean(root), filepath.Clean(target))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Duration is a length of time that travels as whole or fractional seconds.
type Duration time.Duration

// MarshalJSON writes seconds.
func (d Duration) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%g", time.Duration(d).Seconds()), nil
}

// UnmarshalJSON reads seconds as a number, or a Go duration ("10m") as a string.
func (d *Duration) UnmarshalJSON(b []byte) error {
	if s, ok := strings.CutPrefix(string(b), `"`); ok {
		v, err := time.ParseDuration(strings.TrimSuffix(s, `"`))
		if err != nil {
			return fmt.Errorf("duration %s: %w", b, ErrInvalid)
		}
		*d = Duration(v)
		return nil
	}
	var sec float64
	if _, err := fmt.Sscan(string(b), &sec); err != nil || sec < 0 || sec > 1e9 {
		return fmt.Errorf("duration %s: %w", b, ErrInvalid)
	}
	*d = Duration(sec * float64(time.Second))
	return nil
}

// String writes the duration as Go does.
func (d Duration) String() string { return time.Duration(d).String() }
