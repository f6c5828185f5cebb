package shell

// Peeling one wrapper off a command: which row of the table fits, and what it
// then starts.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// wrapped reads r by the first row of the table that fits.
func wrapped(name string, r run) *peeling {
	for _, row := range rows()[name] {
		p := &peeling{row: row, rest: r.words[1:], run: r}
		p.run.call = nil
		if p.read() {
			return p
		}
	}
	return nil
}

// peel returns the command inside a wrapper. When it reports false, the command
// is dealt with.
func (w *walker) peel(name string, p *peeling, r run) (run, bool) {
	row := p.row
	inner := p.run
	inner.via = join(r.via, []string{name})
	if row.keep || p.idle || alone(r.words[0].Value) || row.kind == none && p.text == nil {
		w.emit(r)
		r.words, inner.words = nil, nil // said
	}
	if p.idle {
		return r, false
	}
	w.besides(name, p, inner, r)
	if row.far {
		inner.far, inner.dir, inner.env, inner.redirs = true, "", nil, nil
		defer func(home string) { w.home = home }(w.home)
		w.home = "~"
	}
	before := len(w.out.Commands)
	w.spans(p, inner)
	inner, ok := w.inside(name, p, inner, r)
	if !ok && len(w.out.Commands) == before {
		w.said(r) // it starts nothing that can be seen
	}
	return inner, ok
}

// inside is the command that a wrapper runs in place of itself.
func (w *walker) inside(name string, p *peeling, inner, r run) (run, bool) {
	row := p.row
	switch {
	case p.text != nil:
		w.shellText(w.drafted(*p.text), inner, name, r)
	case p.split != nil:
		return w.splitText(p, inner, r)
	case p.script != nil:
		w.find(File, "It runs the file %s as shell code.", p.script.Value)
	case row.feeds:
		return w.fedWords(p, inner)
	case row.kind == template:
		w.template(p, inner, name, r)
	case len(p.texts) > 0:
		for _, t := range p.texts {
			w.shellText(w.drafted(t), inner, name, r)
		}
	case row.runs != "" || p.head != nil:
		inner.words = p.program()
		return inner, true
	case len(p.rest) == 0 && row.stdin && p.run.in.kind != inherited:
		inner.words, inner.redirs = []assent.Word{{Value: "sh", Known: true}}, nil
		w.fed("sh", shellArgs{}, inner)
	case len(p.rest) == 0:
		w.said(r)
	case row.kind == joined:
		w.shellText(w.joined(p.rest, row.code), inner, name, r)
	default:
		inner.words = p.program()
		return inner, true
	}
	return r, false
}

// said emits a wrapper that has not been emitted yet.
func (w *walker) said(r run) {
	if len(r.words) > 0 {
		w.emit(r)
	}
}

// besides walks what a wrapper runs beside its inner program, on this machine.
func (w *walker) besides(name string, p *peeling, inner, r run) {
	for _, s := range p.side {
		one := inner
		one.words, one.redirs, one.in = nil, nil, input{}
		if p.row.far {
			one.via = join(r.via, []string{name + " -" + s.option})
		}
		w.shellText(w.drafted(s.text), one, name, r)
	}
}

// spans starts the commands that stand behind options.
func (w *walker) spans(p *peeling, inner run) {
	for i, words := range p.spans {
		one := inner
		one.words, one.in = nil, input{}
		for _, x := range words {
			one.words = append(one.words, placed(x, "{}", assent.Word{}))
		}
		if strings.HasSuffix(p.spanned[i], "dir") {
			one.dir = ""
		}
		w.start(one)
	}
}

// shellText walks a text that a wrapper gives to sh, or its draft.
func (w *walker) shellText(text assent.Word, inner run, name string, r run) {
	if !text.Known {
		w.find(Unknown, "It gives %s a text to run as shell code that is only made when the command runs.", name)
		w.said(r)
		inner.words = nil
	}
	w.child("sh", text.Value, nil, inner)
}

// splitText reads the words of env -S.
func (w *walker) splitText(p *peeling, inner, r run) (run, bool) {
	if !p.split.Known || strings.Contains(p.split.Value, "$") {
		w.find(Unknown, "It gives env a text to split and run that is only made when the command runs.")
		w.said(r)
		return r, false
	}
	text := strings.NewReplacer(`\_`, " ", `\c`, "").Replace(p.split.Value)
	words := []assent.Word{r.words[0]}
	for x, err := range syntax.NewParser().WordsSeq(&reader{text: text}) {
		if err != nil || len(words) > MaxFields {
			w.find(Unknown, "It gives env a text to split and run that cannot be read.")
			w.said(r)
			return r, false
		}
		v := w.textOf(x)
		words = append(words, assent.Word{Text: v.text, Value: v.text, Known: v.known})
	}
	inner.words = slices.Concat(words, p.rest)
	inner.via = r.via // env is peeled again, with the words as its arguments
	return inner, true
}
