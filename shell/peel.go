package shell

// Peeling one wrapper off a command.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// peeling is the state of reading one wrapper's arguments.
type peeling struct {
	row   *wrapper
	rest  []assent.Word
	run   run
	text  *assent.Word
	split *assent.Word
	token string // that xargs puts words in place of
	idle  bool
	exec  bool // watch -x
}

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

// peel returns the command inside a wrapper. When it reports false, the command
// is dealt with.
func (w *walker) peel(row *wrapper, r run) (run, bool) {
	p := &peeling{row: row, rest: r.words[1:], run: r}
	if row.sub != "" {
		if len(p.rest) == 0 || p.rest[0].Value != row.sub || !p.rest[0].Known {
			w.emit(r)
			return r, false
		}
		p.rest = p.rest[1:]
	}
	p.read()
	inner := p.run
	inner.own, inner.call = "", nil
	if row.far {
		inner.dir = ""
		defer func(home string) { w.home = home }(w.home)
		w.home = "~"
	}
	inner.via = join(r.via, []string{row.name})
	switch {
	case p.idle:
		w.emit(r)
	case p.text != nil:
		w.shellText(*p.text, inner, row.name, r)
	case p.split != nil:
		return w.splitText(p, inner, r)
	case row.name == "xargs":
		inner.words = w.appended(p, r.in)
		return inner, true
	case len(p.rest) == 0:
		w.emit(r)
	case row.join && !p.exec:
		text, known := joined(p.rest)
		w.shellText(assent.Word{Value: text, Known: known}, inner, row.name, r)
	default:
		inner.words = p.rest
		return inner, true
	}
	return r, false
}

// read goes through options and operands up to the inner program.
func (p *peeling) read() {
	skip, ended := p.row.skip, false
	for len(p.rest) > 0 && p.split == nil {
		a := p.rest[0]
		v := a.Value
		switch {
		case p.row.env && isAssign(v):
			ended = true
			name, val, _ := strings.Cut(v, "=")
			p.run.env = join(p.run.env, []assent.Assign{{Name: name, Value: assent.Word{Text: a.Text, Value: val, Known: a.Known}}})
			p.rest = p.rest[1:]
		case !a.Known && (len(v) == 0 || v[0] != '-'):
			if skip == 0 && !p.row.late {
				return
			}
			skip--
			p.rest = p.rest[1:]
		case v == "--" && !ended:
			ended = true
			p.rest = p.rest[1:]
		case len(v) > 1 && v[0] == '-' && !ended:
			p.rest = p.rest[1:]
			p.option(a)
		case p.row.late:
			p.rest = p.rest[1:] // a user, a file
		case skip > 0:
			skip--
			p.rest = p.rest[1:]
		default:
			return
		}
	}
}

// codes reports whether an option's value is code, words or a directory.
func (row *wrapper) codes(name string) bool {
	return has(row.text, name) || has(row.split, name) || has(row.dir, name)
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && syntax.ValidName(name)
}

// option reads one option, and its value if it takes one.
func (p *peeling) option(a assent.Word) {
	v := a.Value
	if long, ok := strings.CutPrefix(v, "--"); ok {
		name, val, given := strings.Cut(long, "=")
		name = p.full(name)
		switch {
		case given:
			p.value(name, assent.Word{Text: a.Text, Value: val, Known: a.Known})
		case has(p.row.long, name) || p.row.codes(name):
			p.value(name, p.next())
		default:
			p.value(name, assent.Word{})
		}
		return
	}
	for i := 1; i < len(v); i++ {
		letter := v[i : i+1]
		if !strings.Contains(p.row.short, letter) && !p.row.codes(letter) {
			p.value(letter, assent.Word{})
			continue
		}
		if i+1 < len(v) || !a.Known {
			p.value(letter, assent.Word{Text: a.Text, Value: v[i+1:], Known: a.Known})
		} else {
			p.value(letter, p.next())
		}
		return
	}
}

// full completes an abbreviated long option.
func (p *peeling) full(name string) string {
	found := name
	for _, list := range []string{p.row.long, p.row.idle} {
		for _, x := range strings.Fields(list) {
			if x == name {
				return name
			}
			if len(x) > 1 && strings.HasPrefix(x, name) {
				found = x
			}
		}
	}
	return found
}

func (p *peeling) next() assent.Word {
	if len(p.rest) == 0 {
		return assent.Word{}
	}
	a := p.rest[0]
	p.rest = p.rest[1:]
	return a
}

func (p *peeling) value(name string, v assent.Word) {
	switch {
	case has(p.row.text, name):
		p.text = &v
	case has(p.row.split, name):
		p.split = &v
	case has(p.row.dir, name):
		p.run.dir = within(p.run.dir, v)
	case has(p.row.idle, name):
		p.idle = true
	case p.row.feeds && (name == "I" || name == "replace"):
		p.token = v.Value
	case p.row.name == "watch" && (name == "x" || name == "exec"):
		p.exec = true
	}
	if p.row.feeds && (name == "i" || name == "replace" && v.Value == "") {
		p.token = "{}"
	}
}

// shellText walks a text that a wrapper gives to sh.
func (w *walker) shellText(text assent.Word, inner run, name string, r run) {
	if !text.Known {
		w.find(Unknown, "It gives %s a text to run as shell code that is only made when the command runs.", name)
		w.emit(r)
		return
	}
	w.child("sh", text.Value, nil, inner)
}

// splitText reads the words of env -S.
func (w *walker) splitText(p *peeling, inner, r run) (run, bool) {
	if !p.split.Known || strings.Contains(p.split.Value, "$") {
		w.find(Unknown, "It gives env a text to split and run that is only made when the command runs.")
		w.emit(r)
		return r, false
	}
	text := strings.NewReplacer(`\_`, " ", `\c`, "").Replace(p.split.Value)
	words := []assent.Word{r.words[0]}
	for x, err := range syntax.NewParser().WordsSeq(&shallow{text: text}) {
		if err != nil || len(words) > MaxFields {
			w.find(Unknown, "It gives env a text to split and run that cannot be read.")
			w.emit(r)
			return r, false
		}
		v := w.textOf(x)
		words = append(words, assent.Word{Text: v.text, Value: v.text, Known: v.known})
	}
	inner.words = slices.Concat(words, p.rest)
	inner.via = r.via // env is peeled again, with the words as its arguments
	return inner, true
}

// appended is the command that xargs starts, with what it is fed.
func (w *walker) appended(p *peeling, in input) []assent.Word {
	words := p.rest
	if len(words) == 0 {
		words = []assent.Word{{Text: "echo", Value: "echo", Known: true}}
	}
	fed := []assent.Word{{Text: "{}"}}
	if in.kind == literal && in.text.known {
		fed = fed[:0]
		for _, f := range strings.Fields(in.text.text) {
			fed = append(fed, assent.Word{Text: f, Value: strings.Trim(f, `'"`), Known: true})
		}
	}
	if len(fed) > MaxFields {
		fed = []assent.Word{{Text: "{}"}}
	}
	if p.token == "" {
		return slices.Concat(words, fed)
	}
	out := make([]assent.Word, 0, len(words))
	for _, x := range words {
		out = append(out, placed(x, p.token, fed))
	}
	return out
}

// placed puts the one fed word in place of token; with more it is not known.
func placed(x assent.Word, token string, fed []assent.Word) assent.Word {
	before, _, found := strings.Cut(x.Value, token)
	switch {
	case !found:
	case len(fed) == 1 && fed[0].Known && x.Known:
		x.Value = strings.ReplaceAll(x.Value, token, fed[0].Value)
	default:
		x.Value, x.Known = before, false
	}
	return x
}
