package shell

// Simple commands and assignments.

import (
	"slices"
	"strings"

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
	far    bool             // it runs on another machine
	zero   assent.Word      // $0 of the code that it is given
}

func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt) {
	redirs, in := w.redirects(s.Redirs)
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			w.assign(a)
		}
		if env := w.obeys(c.Assigns); len(redirs)+len(env) > 0 {
			w.emit(run{words: []assent.Word{{Value: ":", Known: true}}, env: env, redirs: redirs, dir: w.st.dir})
		}
		return
	}
	r := run{redirs: redirs, in: in, dir: w.st.dir, call: c}
	if in.kind == inherited {
		r.in = w.frame.in
	}
	w.defaulted = false
	r.words = w.fields(c.Args)
	for _, a := range c.Assigns {
		if a.Name == nil {
			continue
		}
		w.hidden(a)
		v := w.textOf(a.Value)
		r.env = append(r.env, assent.Assign{Name: a.Name.Value, Value: w.asWord(a.Value, v)})
	}
	again := w.defaulted && !w.defaults
	w.alias(c, r)
	w.start(r)
	if again {
		w.maybe(func() { w.supposed(c, r) })
	}
}

// supposed starts a command once more, with the defaults that it gives to
// variables that nobody has set.
func (w *walker) supposed(c *syntax.CallExpr, r run) {
	w.defaults = true
	words := w.fieldsOf(c.Args)
	if !slices.Equal(words, r.words) {
		r.words = words
		w.start(r)
	}
	w.defaults = false
}

// alias walks what a name stands for that the text has made an alias. Not every
// shell expands them, so the name also counts as it is.
func (w *walker) alias(c *syntax.CallExpr, r run) {
	name := c.Args[0].Lit()
	text, ok := w.aliases[name]
	if !ok || slices.Contains(w.expanding, name) {
		return
	}
	for _, x := range c.Args[1:] {
		text += " " + w.slice(x)
	}
	w.expanding = append(w.expanding, name)
	w.maybe(func() {
		fr := w.frame
		w.frame.redirs, w.frame.in = join(fr.redirs, r.redirs), r.in
		w.code(text, "alias")
		w.frame = fr
	})
	w.expanding = w.expanding[:len(w.expanding)-1]
}

func (w *walker) asWord(x *syntax.Word, v value) assent.Word {
	if x == nil {
		return assent.Word{Known: v.known}
	}
	return assent.Word{Text: w.slice(x), Value: v.text, Known: v.known}
}

// obeyed are variables that the shell itself obeys, or hands on as they are.
var obeyed = []string{"PATH", "ENV", "BASH_ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4", "BASH_XTRACEFD", "CDPATH", "HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTIGNORE", "HISTCONTROL", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"}

// obeys returns the assignments that change what later commands do by
// themselves.
func (w *walker) obeys(list []*syntax.Assign) []assent.Assign {
	var env []assent.Assign
	for _, a := range list {
		if a.Name != nil && a.Value != nil && slices.Contains(obeyed, a.Name.Value) {
			env = append(env, assent.Assign{Name: a.Name.Value, Value: w.asWord(a.Value, w.textOf(a.Value))})
		}
	}
	return env
}

// assign carries out one assignment.
func (w *walker) assign(a *syntax.Assign) {
	if a.Name != nil {
		w.hidden(a)
		w.assignValue(a, w.textOf(a.Value))
	}
}

// assignValue carries out an assignment of a value.
func (w *walker) assignValue(a *syntax.Assign, v value) {
	name := a.Name.Value
	switch {
	case w.odd[name]: // perhaps a number
		w.number(v.text, name, 0)
		w.forget(name)
	case a.Index != nil:
		w.forget(name)
	case a.Array != nil:
		w.set(name, w.array(a))
	case a.Naked:
	case a.Append:
		old := w.lookup(name)
		w.set(name, value{text: old.text + v.text, known: old.known && v.known && !old.array && len(old.text) < MaxWord})
	default:
		w.set(name, v)
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
	if len(w.out.Commands) >= w.most {
		w.limit("The command starts more than %d programs, and only the last of the rest were looked at.", MaxCommands)
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
		Env:       r.env,
		Redirects: r.redirs,
		Dir:       r.dir,
		Via:       join(w.frame.via, r.via),
		Pipe:      w.frame.pipe,
		Stage:     w.frame.stage,
		Stdin:     r.in.word(),
		Span:      w.here,
	}
	if p.Known {
		c.Name = nameOf(p.Value)
	}
	if !r.far || w.frame.far { // what is set here is not set there
		c.Env, c.Redirects = join(w.st.exports, r.env), join(w.frame.redirs, r.redirs)
	}
	if len(c.Args) == 0 {
		c.Args = nil
	}
	w.out.Commands = append(w.out.Commands, c)
	w.environment(r.env)
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
func ownTool(text string) string {
	name, ok := strings.CutPrefix(strings.Trim(text, `"`), "$")
	if !ok {
		return ""
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if !slices.Contains(ownTools, name) {
		return ""
	}
	return name
}
