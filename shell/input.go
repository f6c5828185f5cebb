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
			b.add(l.Value)
			continue
		}
		b.part(p, true)
	}
	return value{text: string(b.val), known: b.known}
}

func (w *walker) output(s *syntax.Stmt) input { return w.outputOf([]*syntax.Stmt{s}) }

func (w *walker) outputOf(list []*syntax.Stmt) input {
	if v := w.printed(list); v.known {
		return input{kind: literal, text: v}
	}
	return input{kind: stream}
}

// printed is the output of statements, known where they only print what stands
// in the text.
func (w *walker) printed(list []*syntax.Stmt) value {
	if len(list) != 1 || list[0] == nil || !w.step() {
		return value{}
	}
	c, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 {
		return value{}
	}
	var in input
	for _, r := range list[0].Redirs {
		if r.Hdoc == nil && r.Op != syntax.WordHdoc {
			return value{}
		}
		_, in = w.redirect(r)
	}
	return prints(w.fieldsOf(c.Args), in, w.st.dir)
}

// prints is what a program prints that only repeats what it is given.
func prints(words []assent.Word, in input, dir string) value {
	args := make([]string, 0, len(words))
	for _, x := range words {
		if !x.Known || hasGlob(x.Value) {
			return value{}
		}
		args = append(args, x.Value)
	}
	if len(args) == 0 {
		return value{}
	}
	switch args[0] {
	case "echo", "/bin/echo":
		return echoed(args[1:])
	case "printf":
		return printed(args[1:])
	case "cat":
		if len(args) == 1 && in.kind == literal {
			return in.text
		}
	case "pwd":
		return value{text: dir + "\n", known: dir != ""}
	}
	return value{}
}

func echoed(args []string) value {
	end, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && strings.Trim(args[0], "neE") == "-" {
		if strings.Contains(args[0], "n") {
			end = ""
		}
		escapes = escapes || strings.Contains(args[0], "e")
		args = args[1:]
	}
	s := strings.Join(args, " ")
	if escapes {
		s = ansiC(s)
	} else if strings.Contains(s, `\`) {
		return value{} // bash prints them, dash decodes them
	}
	return value{text: s + end, known: true}
}

// printed knows formats of nothing but text and %s.
func printed(args []string) value {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	format := ansiC(args[0])
	args = args[1:]
	verbs := strings.Count(format, "%s")
	if strings.Count(format, "%") != verbs || verbs == 0 && len(args) > 0 || len(format) > MaxWord {
		return value{}
	}
	if verbs == 0 {
		return value{text: format, known: true}
	}
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		parts := strings.Split(format, "%s")
		for i, p := range parts {
			b.WriteString(p)
			if i < len(parts)-1 && len(args) > 0 {
				b.WriteString(args[0])
				args = args[1:]
			}
		}
		if b.Len() > MaxWord {
			return value{}
		}
	}
	return value{text: b.String(), known: true}
}
