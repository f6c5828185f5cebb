package shell

// Reading a wrapper's arguments up to what it starts.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// peeling is one wrapper's arguments, as far as they are read.
type peeling struct {
	row    *wrapper
	rest   []assent.Word // not read yet; in the end the inner program
	run    run
	before bool // in front of the subcommand
	given  bool // an option of when was given

	text, split, head, script *assent.Word

	texts   []assent.Word // operands that are code
	side    []sideText
	spans   [][]assent.Word
	spanned []string // the options of spans
	token   string   // that xargs puts words in place of
	delim   string   // between the words that xargs reads, empty: blanks
	idle    bool
}

// sideText is shell code that an option holds.
type sideText struct {
	option string
	text   assent.Word
}

// has reports whether a list of names with blanks between has one.
func has(list, name string) bool {
	for name != "" && list != "" {
		var x string
		x, list, _ = strings.Cut(list, " ")
		if x == name {
			return true
		}
	}
	return false
}

// read goes through options and operands up to the inner program, and reports
// whether the row fits.
func (p *peeling) read() bool {
	skip, ended := p.row.skip, false
	sub := p.row.sub
	for p.before = sub != ""; len(p.rest) > 0 && p.split == nil; p.before = sub != "" {
		a := p.rest[0]
		v := a.Value
		option := len(v) > 1 && v[0] == '-' && !ended
		switch {
		case v == "--" && a.Known && !ended:
			ended = true
			p.rest = p.rest[1:]
			if p.row.gap {
				return p.fits(sub)
			}
		case option:
			p.rest = p.rest[1:]
			p.option(a)
		case p.before:
			var word string
			word, sub, _ = strings.Cut(sub, " ")
			if !a.Known || word != "*" && !has(strings.ReplaceAll(word, "|", " "), v) {
				return false
			}
			p.rest = p.rest[1:]
		case p.row.env && v == "-" && !ended:
			p.rest = p.rest[1:] // an empty environment
		case p.row.env && isAssign(v):
			ended = true
			name, val, _ := strings.Cut(v, "=")
			p.run.env = join(p.run.env, []assent.Assign{{Name: name, Value: assent.Word{Text: a.Text, Value: val, Known: a.Known}}})
			p.rest = p.rest[1:]
		case p.row.gap || p.row.kind == none || p.row.kind == texts:
			p.operand(a)
		case skip > 0:
			p.rest = p.rest[1:]
			if skip--; skip == 0 && p.head != nil {
				return p.fits(sub)
			}
		default:
			return p.fits(sub)
		}
	}
	return p.fits(sub)
}

// fits reports whether the row fits what was read; sub is what of the subcommand
// was not.
func (p *peeling) fits(sub string) bool {
	return sub == "" && (p.row.when == "" || p.given)
}

// operand takes one that is not the inner program.
func (p *peeling) operand(a assent.Word) {
	p.rest = p.rest[1:]
	switch {
	case p.row.kind == texts:
		p.texts = append(p.texts, a)
	case has(p.row.side, "*"):
		p.beside("*", a)
	}
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && syntax.ValidName(name)
}

// takes reports whether an option takes a value.
func (p *peeling) takes(name string) bool {
	row := p.row
	if p.before {
		return has(row.global, name)
	}
	if len(name) == 1 && strings.Contains(row.short, name) {
		return true
	}
	return has(row.long, name) || has(row.twice, name) || has(row.text, name) || has(row.side, name) || has(row.split, name) ||
		has(row.dir, name) && !has(row.global, name) || has(row.head, name) || has(row.script, name)
}

// option reads one option, and its value if it takes one.
func (p *peeling) option(a assent.Word) {
	v := a.Value
	name, long := strings.CutPrefix(v, "--")
	if !long {
		name = v[1:]
	}
	if long || p.row.onedash || len(name) > 1 && has(p.row.side, name) {
		name, val, given := strings.Cut(name, "=")
		name = p.full(name)
		switch {
		case given:
			p.value(name, assent.Word{Text: a.Text, Value: val, Known: a.Known})
		case p.takes(name):
			p.value(name, p.next())
			if has(p.row.twice, name) {
				p.next()
			}
		default:
			p.value(name, assent.Word{})
		}
		return
	}
	for i := range name {
		letter := name[i : i+1]
		switch {
		case !p.takes(letter):
			p.value(letter, assent.Word{})
			continue
		case i+1 < len(name) || !a.Known:
			p.value(letter, assent.Word{Text: a.Text, Value: name[i+1:], Known: a.Known})
		default:
			p.value(letter, p.next())
		}
		return
	}
}

// full completes a shortened long option.
func (p *peeling) full(name string) string {
	if row := p.row; row.abbr {
		for _, list := range []string{row.long, row.idle, row.text, row.side, row.split} {
			if has(list, name) {
				return name
			}
		}
		for _, list := range []string{row.long, row.text, row.side, row.split} {
			for _, x := range strings.Fields(list) {
				if len(x) > 1 && strings.HasPrefix(x, name) {
					return x
				}
			}
		}
	}
	return name
}

func (p *peeling) next() assent.Word {
	if len(p.rest) == 0 {
		return assent.Word{}
	}
	a := p.rest[0]
	p.rest = p.rest[1:]
	return a
}

// value notes what an option means.
func (p *peeling) value(name string, v assent.Word) {
	row := p.row
	p.given = p.given || has(row.when, name) || has(row.when, name+"="+v.Value)
	switch {
	case p.before && has(row.dir, name):
		p.run.dir = within(p.run.dir, v)
	case p.before && row.code != nil && has(row.global, name):
		p.beside(name, v)
	case p.before:
	case has(row.idle, name):
		p.idle = true
	case has(row.text, name):
		p.text = &v
	case has(row.side, name):
		p.beside(name, v)
	case has(row.split, name):
		p.split = &v
	case has(row.head, name):
		p.head = &v
	case has(row.script, name):
		p.script = &v
	case has(row.dir, name):
		p.run.dir = within(p.run.dir, v)
	case has(row.span, name):
		p.span(name)
	case row.feeds:
		p.feeding(name, v)
	}
}

// feeding notes the options of xargs that say how words are read.
func (p *peeling) feeding(name string, v assent.Word) {
	switch name {
	case "I", "J":
		p.token, p.delim = v.Value, "\n"
	case "i", "replace":
		p.token, p.delim = "{}", "\n"
		if v.Value != "" {
			p.token = v.Value
		}
	case "0", "null":
		p.delim = "\x00"
	case "d", "delimiter":
		p.delim = ansiC(v.Value)
	case "a", "arg-file":
		p.run.in = input{}
	}
}

// beside notes code that runs besides.
func (p *peeling) beside(name string, v assent.Word) {
	if p.row.code != nil {
		text, ok := p.row.code(name, v.Value)
		if !ok {
			return
		}
		v.Value = text
	}
	if v.Value != "" || !v.Known {
		p.side = append(p.side, sideText{name, v})
	}
}

// span takes the words up to ";", or up to "{} +".
func (p *peeling) span(name string) {
	end := 0
	for end < len(p.rest) && p.rest[end].Value != ";" && !(p.rest[end].Value == "+" && end > 0 && p.rest[end-1].Value == "{}") {
		end++
	}
	if end > 0 {
		p.spans, p.spanned = append(p.spans, p.rest[:end:end]), append(p.spanned, name)
	}
	p.rest = p.rest[min(end+1, len(p.rest)):]
}

// program is the inner program with its arguments.
func (p *peeling) program() []assent.Word {
	first := assent.Word{Text: p.row.runs, Value: p.row.runs, Known: true}
	switch {
	case p.head != nil:
		first = *p.head
	case p.row.runs != "":
	case p.row.pkg:
		first = p.rest[0]
		if i := strings.LastIndexByte(first.Value, '@'); i > 0 {
			first.Value = first.Value[:i] // without its version
		}
		return slices.Concat([]assent.Word{first}, p.rest[1:])
	default:
		return p.rest
	}
	return slices.Concat([]assent.Word{first}, p.rest)
}
