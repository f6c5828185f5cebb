package shell

// Simple commands and assignments.

import (
	"path"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// run is one program start while its wrappers are peeled off.
type run struct {
	words  []assent.Word // the program first
	env    []assent.Assign
	redirs []assent.Redirect
	in     input
	dir    string
	via    []string
	call   *syntax.CallExpr // as written, nil once a wrapper is peeled off
	own    string           // the program is what this variable of the user's names
}

func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt) {
	redirs, in := w.redirects(s.Redirs)
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			w.assign(a)
		}
		if len(redirs) > 0 {
			w.emit(run{words: []assent.Word{{Value: ":", Known: true}}, redirs: redirs, dir: w.st.dir})
		}
		return
	}
	words := w.fields(c.Args)
	r := run{words: words, redirs: redirs, in: in, dir: w.st.dir, own: ownTool(c.Args[0]), call: c}
	if in.kind == inherited {
		r.in = w.frame.in
	}
	for _, a := range c.Assigns {
		if a.Name == nil {
			continue
		}
		w.hidden(a)
		v := w.textOf(a.Value)
		r.env = append(r.env, assent.Assign{Name: a.Name.Value, Value: w.asWord(a.Value, v)})
	}
	w.start(r)
}

func (w *walker) asWord(x *syntax.Word, v value) assent.Word {
	if x == nil {
		return assent.Word{Known: v.known}
	}
	return assent.Word{Text: w.slice(x), Value: v.text, Known: v.known}
}

// assign carries out one assignment.
func (w *walker) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	w.hidden(a)
	name := a.Name.Value
	switch {
	case w.odd[name]:
		w.forget(name)
	case a.Index != nil:
		w.forget(name)
	case a.Array != nil:
		w.set(name, w.array(a))
	case a.Naked:
	case a.Append:
		old, v := w.lookup(name), w.textOf(a.Value)
		w.set(name, value{text: old.text + v.text, known: old.known && v.known && !old.array && len(old.text) < MaxWord})
	default:
		w.set(name, w.textOf(a.Value))
	}
}

func (w *walker) array(a *syntax.Assign) value {
	v := value{array: true, known: true}
	if a.Append {
		v = w.lookup(a.Name.Value)
		v.array, v.known = true, v.known && v.array
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil || e.Value == nil {
			return value{}
		}
		for _, x := range w.expand(nil, e.Value) {
			v.known = v.known && x.Known && !hasGlob(x.Value)
			v.list = append(v.list[:len(v.list):len(v.list)], x.Value)
		}
		if len(v.list) > MaxFields {
			return value{}
		}
	}
	return v
}

// emit adds one command to the Script.
func (w *walker) emit(r run) {
	if len(w.out.Commands) >= MaxCommands {
		w.limit("The command starts more than %d programs; the rest was not looked at.", MaxCommands)
		return
	}
	w.steps += len(w.st.exports) + len(w.frame.redirs) + len(w.frame.via)
	if !w.step() {
		return
	}
	p := r.words[0]
	c := assent.Command{
		Program:   p,
		Args:      r.words[1:],
		Env:       join(w.st.exports, r.env),
		Redirects: join(w.frame.redirs, r.redirs),
		Dir:       r.dir,
		Via:       join(w.frame.via, r.via),
		Pipe:      w.frame.pipe,
		Stage:     w.frame.stage,
		Stdin:     r.in.word(),
		Span:      w.here,
	}
	if p.Known {
		c.Name = path.Base(p.Value)
	}
	if len(c.Args) == 0 {
		c.Args = nil
	}
	w.out.Commands = append(w.out.Commands, c)
}

// join appends b to a without touching what a shares.
func join[T any](a, b []T) []T {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	return append(a[:len(a):len(a)], b...)
}

// ownTools are variables that by custom name a program of the user's choice.
var ownTools = []string{"EDITOR", "VISUAL", "PAGER", "BROWSER", "CC", "CXX", "LD", "AR", "MAKE", "PYTHON", "SHELL", "BASH"}

// ownTool returns the variable when a word is nothing but one of them.
func ownTool(x *syntax.Word) string {
	if len(x.Parts) != 1 {
		return ""
	}
	p := x.Parts[0]
	if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	pe, ok := p.(*syntax.ParamExp)
	if !ok || pe.Param == nil {
		return ""
	}
	for _, name := range ownTools {
		if pe.Param.Value == name && !pe.Excl && !pe.Length {
			return name
		}
	}
	return ""
}
