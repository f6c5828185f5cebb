package rules

// Matching: whether a part is what a rule speaks of. An allow must surely be meant
// (strict): what is not known is not meant, and every path and host must be. An
// ask or a deny holds as soon as it may be.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

// misses returns the first key that the part does not fit; empty: it matches.
func (m *Matcher) misses(p *part, strict bool) string {
	for _, k := range asked {
		if k.set(m) && !k.fits(m, p, strict) {
			return k.name
		}
	}
	return ""
}

// exceeds returns the first key that the part goes beyond, as an allow has it; empty:
// it lies within. Via, env and codes are then not what the part must have, but
// all that it may have.
func (m *Matcher) exceeds(p *part) string {
	for _, k := range asked {
		if k.set(m) && !k.bound && !k.fits(m, p, true) {
			return k.name
		}
	}
	for _, f := range p.facts {
		if m.Codes != nil && !anyFits(m.Codes, f.Code) || slices.Contains(assent.Protected, f.Code) && !slices.Contains(m.Codes, f.Code) {
			return "codes"
		}
	}
	switch {
	case p.cmd == nil:
		return ""
	case !every(p.cmd.Env, func(a assent.Assign) bool { return harmlessly(a) || anyFits(m.Env, a.Name) }):
		return "env"
	case p.strangeWrapper(m.Via) != "":
		return "via"
	}
	return ""
}

// question is one key of a matcher, and whether a part fits what stands there.
type question struct {
	name  string
	set   func(*Matcher) bool
	fits  func(m *Matcher, p *part, strict bool) bool
	bound bool // for an allow it is a bound, and no condition
}

// asked are the keys in the order in which they are asked: the cheap ones first.
var asked = []question{
	{"program", func(m *Matcher) bool { return m.Program != nil }, (*Matcher).program, false},
	{"args", func(m *Matcher) bool { return m.Args != nil }, (*Matcher).args, false},
	{"via", func(m *Matcher) bool { return m.Via != nil }, (*Matcher).via, true},
	{"env", func(m *Matcher) bool { return m.Env != nil }, (*Matcher).env, true},
	{"tool", func(m *Matcher) bool { return m.Tool != nil }, (*Matcher).tool, false},
	{"agent", func(m *Matcher) bool { return m.Agent != nil }, func(m *Matcher, p *part, _ bool) bool { return anyFits(m.Agent, p.c.Agent) }, false},
	{"profile", func(m *Matcher) bool { return m.Profile != nil }, func(m *Matcher, p *part, _ bool) bool { return anyFits(m.Profile, p.c.Profile) }, false},
	{"codes", func(m *Matcher) bool { return m.Codes != nil }, (*Matcher).codes, true},
	{"reads", func(m *Matcher) bool { return m.Reads != nil }, func(m *Matcher, p *part, strict bool) bool { return m.paths(m.Reads, read, p, strict) }, false},
	{"writes", func(m *Matcher) bool { return m.Writes != nil }, func(m *Matcher, p *part, strict bool) bool { return m.paths(m.Writes, write, p, strict) }, false},
	{"deletes", func(m *Matcher) bool { return m.Deletes != nil }, func(m *Matcher, p *part, strict bool) bool { return m.paths(m.Deletes, remove, p, strict) }, false},
	{"path", func(m *Matcher) bool { return m.Path != nil }, func(m *Matcher, p *part, strict bool) bool { return m.paths(m.Path, anyDeed, p, strict) }, false},
	{"in", func(m *Matcher) bool { return m.In != nil }, (*Matcher).in, false},
	{"host", func(m *Matcher) bool { return m.Host != nil }, (*Matcher).host, false},
}

// program compares names, and places where a pattern has a slash. A wrapper that
// was seen through counts for an ask and a deny, which do not ask whether letters
// are large: a file system may not either.
func (m *Matcher) program(p *part, strict bool) bool {
	if p.cmd == nil {
		return false
	}
	name := p.cmd.Name
	if !strict {
		name = strings.ToLower(name)
	}
	for _, want := range m.Program {
		if !strict && !strings.Contains(want, "/") {
			want = strings.ToLower(want)
		}
		switch {
		case strings.Contains(want, "/"):
			if p.at(want, strict) {
				return true
			}
		case name != "" && fits(want, name) && (!strict || p.ordinary()):
			return true
		case !strict && versionOf(want, name):
			return true
		case !strict && wrapped(want, p.cmd) >= 0:
			return true
		}
	}
	return false
}

// versionOf reports whether a program is another by its version: python3.12 is
// python3, and git.exe is git.
func versionOf(want, name string) bool {
	rest, ok := strings.CutPrefix(name, want)
	return ok && want != "" && strings.Trim(strings.TrimSuffix(rest, ".exe"), "0123456789.-") == ""
}

// wrapped is which of the wrappers around a command a pattern names, or -1.
func wrapped(want string, cmd *assent.Command) int {
	return slices.IndexFunc(cmd.Via, func(v string) bool { return fits(strings.ToLower(want), strings.ToLower(v)) })
}

// at reports whether the program is the file that a pattern with a slash names. One
// that is found by its plain name may be, for an ask and a deny.
func (p *part) at(want string, strict bool) bool {
	if inside, ok := strings.CutPrefix(want, "./"); ok {
		want = workspace + "/" + inside
	}
	here := p.place()
	if here == "" {
		return !strict && path.IsAbs(want) && path.Base(want) == p.cmd.Name
	}
	pattern, ok := p.expanded(want, strict)
	return ok && pathGlob{loose: !strict}.along(pattern, here)
}

// args compares arguments. Of a wrapper that was seen through, the command that it
// starts is the first argument.
func (m *Matcher) args(p *part, strict bool) bool {
	if p.cmd == nil {
		return false
	}
	if strict {
		return named(m.Args, p.cmd.Args)
	}
	name := strings.ToLower(p.cmd.Name)
	own := func(want string) bool {
		want = strings.ToLower(want)
		return fits(want, name) || strings.Contains(want, "/") || versionOf(want, name)
	}
	if (m.Program == nil || slices.ContainsFunc(m.Program, own)) && meant(m.Args, p.cmd.Args) {
		return true
	}
	for _, want := range m.Program {
		if i := wrapped(want, p.cmd); i >= 0 && meant(m.Args, inside(p.cmd, i)) {
			return true
		}
	}
	return false
}

// inside are the words that a wrapper starts, as far as they are known.
func inside(cmd *assent.Command, wrapper int) []assent.Word {
	var out []assent.Word
	for _, v := range cmd.Via[wrapper+1:] {
		out = append(out, assent.Word{Text: v, Value: v, Known: true})
	}
	program := cmd.Program
	if cmd.Name != "" {
		program.Value = cmd.Name
	}
	return append(append(out, program), cmd.Args...)
}

func (m *Matcher) via(p *part, _ bool) bool {
	return p.cmd != nil && slices.ContainsFunc(m.Via, func(want string) bool { return wrapped(want, p.cmd) >= 0 })
}

func (m *Matcher) env(p *part, strict bool) bool {
	if p.cmd == nil || len(p.cmd.Env) == 0 {
		return false
	}
	set := func(a assent.Assign) bool { return anyFits(m.Env, a.Name) }
	if strict {
		return every(p.cmd.Env, set)
	}
	return slices.ContainsFunc(p.cmd.Env, set)
}

func every[T any](list []T, f func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !f(x) })
}

// tool compares the tool's name part by part. For an ask and a deny a pattern
// without a slash also names the tool of any MCP server.
func (m *Matcher) tool(p *part, strict bool) bool {
	for _, want := range m.Tool {
		if (pathGlob{plain: true}).fits(want, p.c.Tool) {
			return true
		}
		if !strict && !strings.Contains(want, "/") && strings.HasPrefix(p.c.Tool, "mcp/") && fits(want, path.Base(p.c.Tool)) {
			return true
		}
	}
	return false
}

// codes: any fact, or strictly at least one and every one.
func (m *Matcher) codes(p *part, strict bool) bool {
	if strict {
		return len(p.facts) > 0 && every(p.facts, func(f assent.Finding) bool { return anyFits(m.Codes, f.Code) })
	}
	return p.has(m.Codes...)
}

// paths: any target for an ask and a deny; at least one and every one for an allow.
func (m *Matcher) paths(patterns []string, does deed, p *part, strict bool) bool {
	seen := false
	for _, t := range p.look().targets {
		may := t.does&does != 0 || strict && t.value && t.known && !p.inside(t.path)
		if !may || strict && t.guess && t.known {
			continue
		}
		fits := p.covers(patterns, t, strict)
		if fits && !strict {
			return true
		}
		if !fits && strict {
			return false
		}
		seen = true
	}
	return strict && seen
}

func (p *part) covers(patterns []string, t target, strict bool) bool {
	if !t.known && (strict || t.path == "") {
		return false
	}
	g := pathGlob{loose: !strict, open: !t.known, tree: t.tree && !strict}
	if t.path == "/" && g.tree {
		t.path = "" // everything has it for a parent
	}
	return slices.ContainsFunc(patterns, func(want string) bool {
		pattern, ok := p.expanded(want, strict)
		return ok && g.along(pattern, t.path)
	})
}

// in: for an allow it runs there and reaches nowhere else. For an ask and a deny
// it runs there, or where is not known, or it reaches there.
func (m *Matcher) in(p *part, strict bool) bool {
	return slices.ContainsFunc(m.In, func(want string) bool {
		root, ok := p.directory(want, strict)
		if !ok {
			return false
		}
		under := func(t target) bool { return t.known && assent.Under(t.path, root) }
		targets := p.look().targets
		switch {
		case strict && p.cmd == nil:
			return len(targets) > 0 && every(targets, under)
		case strict:
			return p.cmd.Within(root) && every(targets, func(t target) bool { return t.guess || under(t) })
		}
		return p.dir() == "" || assent.Under(p.dir(), root) || slices.ContainsFunc(targets, under)
	})
}

func (p *part) dir() string {
	if p.cmd == nil {
		return p.c.Dir
	}
	return p.cmd.Dir
}

// host: any machine for an ask and a deny; at least one and every one for an allow.
func (m *Matcher) host(p *part, strict bool) bool {
	fits := func(h host) bool {
		return h.known && slices.ContainsFunc(m.Host, func(want string) bool { return h.fits(want) })
	}
	if !strict {
		return slices.ContainsFunc(p.look().hosts, fits)
	}
	seen := false
	for _, h := range p.look().hosts {
		if h.guess && h.known {
			continue
		}
		if !fits(h) {
			return false
		}
		seen = true
	}
	return seen
}

// wish is a path pattern, and by whom it is asked.
type wish struct {
	pattern string
	strict  bool
}

// expanded are the components of a path pattern, made absolute; false: it names no
// place in this case.
func (p *part) expanded(pattern string, strict bool) ([]string, bool) {
	w := wish{pattern, strict}
	list, ok := p.kept[w]
	if !ok {
		list = p.expand(pattern, strict)
		p.kept[w] = list
	}
	return list, list != nil
}

// expand is expanded, worked out. A pattern that names a place plainly stands for
// all below it as well.
func (p *part) expand(pattern string, strict bool) []string {
	last := path.Base(pattern)
	if head, deep := strings.CutPrefix(pattern, "**/"); deep {
		pattern = "/**/" + head
	} else {
		first, after, _ := strings.Cut(pattern, "/")
		if first == workspace || first == "~" {
			root, ok := p.directory(first, strict)
			if !ok {
				return nil
			}
			pattern = path.Join(root, after)
		}
	}
	if !hasGlob(last) {
		pattern = strings.TrimSuffix(pattern, "/") + "/**"
	}
	return strings.Split(pattern, "/")
}

// directory is what a rule calls workspace, ~ or by its path. Where the workspace
// is everything that the user has, an allow has none: whoever can move the
// workspace must not widen it.
func (p *part) directory(name string, strict bool) (string, bool) {
	home := p.c.Places.Home
	switch first, after, _ := strings.Cut(name, "/"); first {
	case workspace:
		dir := p.c.Dir
		if !path.IsAbs(dir) || strict && (dir == "/" || home == "" || assent.Under(home, dir)) {
			return "", false
		}
		return path.Join(dir, after), true
	case "~":
		if home == "" {
			home = "~"
		}
		return path.Join(home, after), true
	}
	return name, true
}
