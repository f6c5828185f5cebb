package rules

// Parts: what a rule is held against, one command at a time, each with the facts
// that are told of it.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

// part is one command of a case, or a whole call that has no commands.
type part struct {
	c     *assent.Case
	cmd   *assent.Command // nil: the call has none
	facts []assent.Finding
	kept  map[wish][]string // path patterns as they are for this case; shared by its parts

	looked  bool // the two below are filled in
	targets []target
	hosts   []host
	links   int    // words that were looked up
	real    []spot // of the directory of the call and the home
}

// parts takes a case apart. loose is how many of its findings are told of no part.
func parts(c *assent.Case) (list []*part, loose int) {
	if len(c.Commands) == 0 {
		return []*part{{c: c, facts: c.Findings, kept: map[wish][]string{}}}, 0
	}
	whole, by, astray := bySpan(c)
	kept := map[wish][]string{}
	list = make([]*part, len(c.Commands))
	heard := make([]bool, len(astray))
	for i := range c.Commands {
		cmd := &c.Commands[i]
		p := &part{c: c, cmd: cmd, facts: by[cmd.Span], kept: kept}
		if len(whole) > 0 {
			p.facts = slices.Concat(whole, p.facts)
		}
		p.facts = slices.Clip(p.facts)
		for k, f := range astray {
			if overlap(f.Span, cmd.Span) {
				p.facts, heard[k] = append(p.facts, f), true
			}
		}
		list[i] = p
	}
	for _, h := range heard {
		if !h {
			loose++
		}
	}
	return list, loose
}

// bySpan sorts the findings of a case: those about all of it, those about the
// commands of one span, and those about some other stretch of the text.
func bySpan(c *assent.Case) (whole []assent.Finding, by map[assent.Span][]assent.Finding, astray []assent.Finding) {
	by = make(map[assent.Span][]assent.Finding, len(c.Commands))
	for _, cmd := range c.Commands {
		by[cmd.Span] = nil
	}
	for _, f := range c.Findings {
		_, exact := by[f.Span]
		switch {
		case f.Span == assent.Span{}:
			whole = append(whole, f)
		case exact:
			by[f.Span] = append(by[f.Span], f)
		default:
			astray = append(astray, f)
		}
	}
	return whole, by, astray
}

func overlap(a, b assent.Span) bool { return a.From < b.To && b.From < a.To }

// has reports whether a fact is told whose code matches one of the patterns.
func (p *part) has(codes ...string) bool {
	return slices.ContainsFunc(p.facts, func(f assent.Finding) bool { return anyFits(codes, f.Code) })
}

func anyFits(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fits(p, text) })
}

// name is what the part is called in a sentence.
func (p *part) name() string {
	if p.cmd == nil {
		return p.c.Tool
	}
	words := []string{p.cmd.Program.Text}
	for _, w := range p.cmd.Args {
		words = append(words, w.Text)
	}
	return clip(strings.Join(words, " "))
}

// clip shortens a text to what fits into a sentence.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// system are the directories of which a plain name is short for.
var system = []string{"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"}

// ordinary reports whether the program is the one that its plain name stands for.
func (p *part) ordinary() bool {
	w := p.cmd.Program
	return w.Known && (w.Value == p.cmd.Name || slices.Contains(system, path.Dir(w.Value)))
}

// place is the absolute path of the program; empty when it is not known, or found
// by its plain name.
func (p *part) place() string {
	w := p.cmd.Program
	if !w.Known || !strings.Contains(w.Value, "/") {
		return ""
	}
	full, ok := absolute(w.Value, p.cmd.Dir)
	if !ok {
		return ""
	}
	return full
}

// absolute is a path that is meant from dir, cleaned. It reports false, and
// returns what there is, when that is not known.
func absolute(text, dir string) (string, bool) {
	switch {
	case path.IsAbs(text) || text == "~" || strings.HasPrefix(text, "~/"):
		return path.Clean(text), true
	case dir == "":
		return path.Clean(text), false
	}
	return path.Join(dir, text), true
}
