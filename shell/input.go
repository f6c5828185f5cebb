package shell

// Redirections, and what a command is fed on its standard input.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

type kind int

const (
	inherited kind = iota // whatever the agent's shell has
	literal               // known text
	stream                // the output of something else
	file                  // a file
)

type input struct {
	kind kind
	text value
	name assent.Word // of the file
}

// word is the input as a Command carries it, nil when it is not known text.
func (in input) word() *assent.Word {
	if in.kind != literal {
		return nil
	}
	return &assent.Word{Text: in.text.text, Value: in.text.text, Known: in.text.known}
}

// redirects evaluates redirections and walks the commands that stand in them.
func (w *walker) redirects(list []*syntax.Redirect) ([]assent.Redirect, input) {
	if len(list) == 0 {
		return nil, input{}
	}
	var in input
	out := make([]assent.Redirect, 0, len(list))
	for _, r := range list {
		w.hiddenWord(r.Word)
		w.hiddenWord(r.Hdoc)
		red, i := w.redirect(r)
		if i.kind != inherited && (r.N == nil || r.N.Value == "0") {
			in = i
		}
		out = append(out, red)
	}
	return out, in
}

func (w *walker) redirect(r *syntax.Redirect) (assent.Redirect, input) {
	red := assent.Redirect{Op: r.Op.String()}
	switch {
	case r.Hdoc != nil:
		v := w.document(r)
		red.Target = assent.Word{Text: v.text, Value: v.text, Known: v.known}
		return red, input{kind: literal, text: v}
	case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
		red.Target = assent.Word{Known: true} // an empty body
		return red, input{kind: literal, text: value{known: true}}
	}
	v := w.textOf(r.Word)
	red.Target = assent.Word{Text: w.slice(r.Word), Value: v.text, Known: v.known}
	switch {
	case r.Op == syntax.WordHdoc:
		v.text += "\n"
		return red, input{kind: literal, text: v}
	case r.Op == syntax.RdrIn && len(r.Word.Parts) == 1:
		if p, ok := r.Word.Parts[0].(*syntax.ProcSubst); ok {
			return red, w.outputOf(p.Stmts)
		}
		fallthrough
	case r.Op == syntax.RdrIn:
		return red, input{kind: file, name: red.Target}
	}
	return red, input{}
}

// document is the body of a heredoc.
func (w *walker) document(r *syntax.Redirect) value {
	b := builder{w: w, known: true, whole: true}
	raw := strings.ContainsAny(w.slice(r.Word), `'"\`)
	for _, p := range r.Hdoc.Parts {
		if l, ok := p.(*syntax.Lit); ok && raw {
			b.literal(l.Value)
			continue
		}
		b.part(p, true)
	}
	return value{text: string(b.val), known: b.known}
}
