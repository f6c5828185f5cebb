package assent

// Scope: what a grant covers. Matching is by parsed structure, never by text.

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Protected are the codes that no class scope may name: authority over them is
// given one exact action at a time.
var Protected = []string{"gate.self", "gate.off", "agent.config", "persist", "code.unknown", "limit"}

// AnyTool is the Tool of a scope that covers every action of its holder, whatever is
// true of it: only what the owner's own configuration gives has it.
const AnyTool = "*"

// Scope is what a grant covers: either one exact Digest, or a class: a tool, with
// these programs and finding codes, and bounded by a place. Under is where all that
// it does is done to; Dir is where it runs, and reaches out of with no word. A class
// has one of them at least; by Under alone it is of what has a finding. The zero
// Scope covers nothing.
type Scope struct {
	Digest string `json:"digest,omitempty"`

	Tool     string   `json:"tool,omitempty"`
	Programs []string `json:"programs,omitempty"` // names, or names with their first arguments ("git checkout"); every command must be one of them, and nothing else may stand beside them
	Codes    []string `json:"codes,omitempty"`    // every finding must have one of them
	Under    string   `json:"under,omitempty"`    // absolute path; every finding's target lies under it
	Dir      string   `json:"dir,omitempty"`      // absolute path; every command runs in it or below, within it (Command.Within), and so do the targets

	Agent     string `json:"agent,omitempty"`     // holder; empty = any
	Principal string `json:"principal,omitempty"` //
	Session   string `json:"session,omitempty"`   //
	Profile   string `json:"profile,omitempty"`   // of the owner's configuration
	User      string `json:"user,omitempty"`      // whom the agent says that it acts for

	Uses int      `json:"uses,omitempty"` // most uses; 0 = none
	For  Duration `json:"for,omitempty"`  // how long, from the answer
}

// Covers reports whether the case lies inside the scope. Uses and For are the
// grant's to check.
func (s Scope) Covers(c Case) bool {
	if !s.heldBy(c) {
		return false
	}
	switch {
	case s.Digest != "":
		return s.Digest == c.Digest()
	case s.Tool == AnyTool:
		return s.any() && c.Digest() != ""
	}
	return s.coversClass(c)
}

func (s Scope) heldBy(c Case) bool {
	return (s.Agent == "" || s.Agent == c.Agent) &&
		(s.Principal == "" || s.Principal == c.Principal) &&
		(s.Session == "" || s.Session == c.Session) &&
		(s.Profile == "" || s.Profile == c.Profile) &&
		(s.User == "" || s.User == c.User())
}

func (s Scope) coversClass(c Case) bool {
	switch {
	case s.Tool == "" || s.Tool != c.Tool, s.Under == "" && s.Dir == "":
		return false
	case s.Under != "" && (len(s.Codes) == 0 || len(c.Findings) == 0), s.Dir != "" && len(c.Commands) == 0:
		return false
	}
	for _, f := range c.Findings {
		if slices.Contains(Protected, f.Code) || !slices.Contains(s.Codes, f.Code) || !s.holds(f.Target) {
			return false
		}
	}
	for _, cmd := range c.Commands {
		if cmd.Name == "" || !slices.ContainsFunc(s.Programs, cmd.begins) || s.Dir != "" && !cmd.Within(s.Dir) {
			return false
		}
	}
	switch c.Tool {
	case ToolShell:
		return c.bare()
	case ToolExec:
		return c.bareExec()
	}
	return true
}

// holds reports whether a target lies where the class is.
func (s Scope) holds(target string) bool {
	return (s.Under == "" || Under(target, s.Under)) && (s.Dir == "" || Under(target, s.Dir))
}

// begins reports whether the command is the program with these first arguments.
func (cmd Command) begins(words string) bool {
	want := strings.Split(words, " ")
	if want[0] != cmd.Name || len(want)-1 > len(cmd.Args) {
		return false
	}
	for i, w := range want[1:] {
		if !cmd.Args[i].Known || cmd.Args[i].Value != w {
			return false
		}
	}
	return true
}

// bare reports whether a shell call is its commands and nothing besides. What no
// program and no finding names must not ride on a class: other fields of the
// input, assignments (PATH=… rm), wrappers, loops, functions, and words whose
// value is not known.
func (c Case) bare() bool {
	var in map[string]json.RawMessage
	return json.Unmarshal(c.Input, &in) == nil && len(in) == 1 && c.Besides() == "" &&
		!slices.ContainsFunc(c.Commands, func(cmd Command) bool { return !cmd.bare() })
}

// bareExec reports whether a program that assent runs itself is one that its name
// says, and nothing rides on it: no variable beside the fixed ones, no standard input,
// no umask by which all may write, and no file of which it is made lies where the work
// is done, whose next use could be another program.
func (c Case) bareExec() bool {
	x, err := c.Exec()
	if err != nil || len(x.Env) > 0 || x.Stdin != "" || !guarding(x.Umask) || len(c.Commands) == 0 {
		return false
	}
	for _, o := range append([]Operand{x.Program}, slices.Concat(x.Files, c.Operands)...) {
		if Under(o.Path, c.Dir) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Commands, func(cmd Command) bool { return !cmd.bare() })
}

// guarding reports whether a umask keeps others from writing.
func guarding(umask string) bool {
	mask, err := strconv.ParseUint(umask, 8, 16)
	return err == nil && mask&0o002 != 0
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
	ok := restrict(&n.Agent, t.Agent) && restrict(&n.Principal, t.Principal) && restrict(&n.Session, t.Session) && restrict(&n.Profile, t.Profile) && restrict(&n.User, t.User)
	switch {
	case s.any():
		if t.Digest != "" || t.class() {
			n.Tool, n.Digest, n.Programs, n.Codes, n.Under, n.Dir = t.Tool, t.Digest, slices.Clone(t.Programs), slices.Clone(t.Codes), t.Under, t.Dir
			ok = ok && (n.Digest != "" || n.any() || n.narrowClass(Scope{}))
		}
	case s.Digest == "":
		ok = ok && t.Digest == "" && n.narrowClass(t)
	default:
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

// any reports whether the scope is of every action, and of nothing less.
func (s Scope) any() bool {
	return s.Tool == AnyTool && s.Digest == "" && s.Under == "" && s.Dir == "" && len(s.Programs)+len(s.Codes) == 0
}

// class reports whether any part of a class is named.
func (s Scope) class() bool {
	return s.Tool != "" || len(s.Programs)+len(s.Codes) > 0 || s.Under != "" || s.Dir != ""
}

// narrowClass reduces the class parts of n and reports whether it still covers
// anything.
func (n *Scope) narrowClass(t Scope) bool {
	if n.Tool == "" || n.Tool == AnyTool || t.Tool != "" && t.Tool != n.Tool || n.Under == "" && n.Dir == "" {
		return false
	}
	had := len(n.Programs) > 0
	n.Programs, n.Codes = meetPrograms(n.Programs, t.Programs), meet(n.Codes, t.Codes)
	return inside(&n.Under, t.Under) && inside(&n.Dir, t.Dir) && (n.Under == "" || len(n.Codes) > 0) &&
		(!had && n.Dir == "" || len(n.Programs) > 0)
}

// inside moves a place to one that lies in it, or sets it where there is none. No
// wanted place demands nothing.
func inside(have *string, want string) bool {
	if want == "" {
		return true
	}
	if *have != "" && !Under(want, *have) {
		return false
	}
	*have = want
	return true
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

// meetPrograms is meet for programs, of which one with more arguments lies within
// one with fewer.
func meetPrograms(have, want []string) []string {
	if len(want) == 0 {
		return slices.Clone(have)
	}
	var both []string
	for _, h := range have {
		for _, w := range want {
			narrower := h
			if narrows(w, h) {
				narrower = w
			}
			if (narrows(h, w) || narrows(w, h)) && !slices.Contains(both, narrower) {
				both = append(both, narrower)
			}
		}
	}
	return both
}

func narrows(a, b string) bool { return a == b || strings.HasPrefix(a, b+" ") }

// Under reports whether the absolute path target is root or lies below it,
// compared by component after cleaning. Relative paths lie under nothing.
func Under(target, root string) bool {
	if !filepath.IsAbs(target) || !filepath.IsAbs(root) {
		return false
	}
	rel, err := filepath.Rel(filepath.Clean(root), filepath.Clean(target))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
