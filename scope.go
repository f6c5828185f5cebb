package assent

// Scope: what a grant covers. Matching is by parsed structure, never by text.

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
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
	Programs []string `json:"programs,omitempty"` // names; every command must be one of them, and nothing else may stand beside them
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
	return c.Tool != ToolShell || c.bare()
}

// separators are what may stand between the commands of a class.
const separators = " \t\n;&|"

// bare reports whether a shell call is its commands and nothing besides. What no
// program and no finding names must not ride on a class: other fields of the
// input, assignments (PATH=… rm), wrappers, loops, functions, and words whose
// value is not known.
func (c Case) bare() bool {
	var in map[string]json.RawMessage
	var text string
	if json.Unmarshal(c.Input, &in) != nil || len(in) != 1 || json.Unmarshal(in["command"], &text) != nil {
		return false
	}
	rest := []byte(text)
	for _, cmd := range c.Commands {
		from, to := cmd.Span.From, cmd.Span.To
		if !cmd.bare() || from < 0 || from >= to || to > len(rest) {
			return false
		}
		for i := from; i < to; i++ {
			rest[i] = ' '
		}
	}
	return strings.Trim(string(rest), separators) == ""
}

// bare reports whether the program is found by its plain name, in the
// environment as it is, and every word is known.
func (cmd Command) bare() bool {
	unknown := func(w Word) bool { return !w.Known }
	return cmd.Program.Known && cmd.Program.Value == cmd.Name && len(cmd.Via) == 0 && len(cmd.Env) == 0 &&
		!slices.ContainsFunc(cmd.Args, unknown) &&
		!slices.ContainsFunc(cmd.Redirects, func(r Redirect) bool { return unknown(r.Target) })
}

// Narrow returns s reduced by what t also demands; an empty field of t demands
// nothing. Whatever the result covers, s covers: each field is s's own, or lies
// inside it. ErrScope when nothing would be left, and when one is a Digest and
// the other a class, which cannot be compared without their case.
func (s Scope) Narrow(t Scope) (Scope, error) {
	n := s
	ok := restrict(&n.Agent, t.Agent) && restrict(&n.Principal, t.Principal) && restrict(&n.Session, t.Session)
	if s.Digest == "" {
		ok = ok && t.Digest == "" && n.narrowClass(t)
	} else {
		ok = ok && (t.Digest == s.Digest || t.Digest == "" && !t.class())
	}
	if !ok {
		return Scope{}, ErrScope
	}
	if t.Uses > 0 {
		n.Uses = min(s.Uses, t.Uses)
	}
	if t.For > 0 {
		n.For = min(s.For, t.For)
	}
	return n, nil
}

// class reports whether any part of a class is named.
func (s Scope) class() bool {
	return s.Tool != "" || len(s.Programs)+len(s.Codes) > 0 || s.Under != ""
}

// narrowClass reduces the class parts of n and reports whether it still covers
// anything.
func (n *Scope) narrowClass(t Scope) bool {
	if n.Tool == "" || t.Tool != "" && t.Tool != n.Tool {
		return false
	}
	had := len(n.Programs) > 0
	n.Programs, n.Codes = meet(n.Programs, t.Programs), meet(n.Codes, t.Codes)
	if len(n.Codes) == 0 || had && len(n.Programs) == 0 {
		return false
	}
	if t.Under != "" {
		if !Under(t.Under, n.Under) {
			return false
		}
		n.Under = t.Under
	}
	return n.Under != ""
}

// restrict sets an open holder field to want. A set one may only be confirmed.
func restrict(have *string, want string) bool {
	if want == "" || want == *have {
		return true
	}
	if *have != "" {
		return false
	}
	*have = want
	return true
}

// meet returns those of have that want names too; an empty want demands nothing.
func meet(have, want []string) []string {
	if len(want) == 0 {
		return slices.Clone(have)
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
