package shell

// What starts when a simple command is run: functions, builtins, wrappers,
// shells, and programs.

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

func (w *walker) start(r run) {
	for w.step() && len(r.words) > 0 {
		p := r.words[0]
		if !p.Known || hasGlob(p.Value) && p.Value != "[" {
			w.unnamed(r)
			return
		}
		if !plain(p.Value) {
			r.words[0].Known = false
			w.find(Unknown, "The program's name has characters that look like others or cannot be seen.")
			w.emit(r)
			return
		}
		if f := w.st.funcs[p.Value]; len(f.bodies) > 0 && len(r.via) == 0 && w.functions(f, r) {
			return
		}
		name := path.Base(p.Value)
		if w.builtin(name, r) {
			return
		}
		row := wrapperNamed(name)
		if row == nil {
			w.program(name, r)
			return
		}
		inner, ok := w.peel(row, r)
		if !ok {
			return
		}
		r = inner
	}
}

// plain reports whether a program's name is made of printable ASCII.
func plain(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] <= ' ' && name[i] != ' ' || name[i] >= 0x7f {
			return false
		}
	}
	return true
}

func (w *walker) program(name string, r run) {
	switch {
	case isShell(name):
		w.shell(name, r)
	case name == "find" || name == "gfind":
		w.finder(r)
	default:
		w.emit(r)
		w.helpers(name, r)
	}
}

// unnamed is a program whose name cannot be known. An expansion that is not
// quoted may also be empty: then the word after it is the program.
func (w *walker) unnamed(r run) {
	if text := r.words[0].Text; len(r.words) > 1 && text != "" && (text[0] == '$' || text[0] == '`') && !strings.HasPrefix(r.words[1].Value, "-") {
		rest := r
		rest.words, rest.call, rest.own = r.words[1:], nil, ""
		defer w.start(rest)
	}
	r.words[0].Known = false
	switch {
	case r.own == "SHELL" || r.own == "BASH":
		r.words[0].Value = ""
		w.shell("sh", r)
		return
	case r.own != "":
		w.find(File, "It starts the program that the user's own variable %s names.", r.own)
	case hasGlob(r.words[0].Value):
		w.find(Unknown, "The program is named by a pattern, so which one starts depends on the files there are.")
	default:
		w.find(Unknown, "Which program starts cannot be known: its name is made when the command runs.")
	}
	w.emit(r)
}

// functions walks what a name may stand for, and reports whether it surely is a
// function.
func (w *walker) functions(b binding, r run) bool {
	before := w.save()
	var after *state
	for _, f := range b.bodies {
		w.st = before
		w.function(f, r)
		if now := w.save(); after == nil {
			after = now
		} else {
			after = w.join(after, now)
		}
	}
	w.st = after
	if b.unsure {
		w.st = w.join(before, after)
	}
	return !b.unsure
}

// function walks the body of a function with its arguments.
func (w *walker) function(f *function, r run) {
	name := r.words[0].Value
	params, open := w.st.params, w.st.open
	w.bind(r.words[1:])
	w.setAll(r.env)
	fr := w.frame
	w.frame.redirs = join(fr.redirs, r.redirs)
	w.frame.in = r.in
	w.invoke(f, name)
	w.frame = fr
	w.forget(locals(f.body)...) // what they were before, or are now
	if jumps(f.body) {
		w.forget(w.assigned(f.body)...)
	}
	st := w.edit()
	st.params, st.open = params, open
}

// bind sets the positional parameters.
func (w *walker) bind(args []assent.Word) {
	st := w.edit()
	st.params, st.open = make([]string, 0, len(args)), false
	for _, a := range args {
		st.params = append(st.params, a.Value)
		st.open = st.open || !a.Known || hasGlob(a.Value)
	}
	if st.open {
		st.params = nil
	}
}

func (w *walker) setAll(env []assent.Assign) {
	for _, a := range env {
		w.set(a.Name, value{text: a.Value.Value, known: a.Value.Known})
	}
}

// builtin carries out what the shell itself does, as far as it matters for what
// follows. It reports whether the command is dealt with.
func (w *walker) builtin(name string, r run) bool {
	args := r.words[1:]
	switch name {
	case "cd", "pushd", "popd", "chdir":
		w.emit(r)
		w.changeDir(name, args)
	case "eval", "trap":
		w.eval(name, r)
	case "source", ".":
		w.source(r)
	case "read", "mapfile", "readarray", "getopts", "printf", "unset":
		w.emit(r)
		for _, a := range args {
			if a.Known && syntax.ValidName(a.Value) && (name != "printf" || args[0].Value == "-v") {
				w.forget(a.Value)
				if f, ok := w.st.funcs[a.Value]; ok && name == "unset" {
					f.unsure = true
					w.edit().funcs[a.Value] = f
				}
			}
		}
	case "shift":
		w.emit(r)
		st := w.edit()
		st.params, st.open = nil, true
	case "set":
		w.emit(r)
		if len(args) > 0 && args[0].Known && args[0].Value == "--" {
			w.bind(args[1:])
		}
	default:
		return false
	}
	return true
}

func (w *walker) changeDir(name string, args []assent.Word) {
	for len(args) > 0 && args[0].Known && len(args[0].Value) > 1 && strings.HasPrefix(args[0].Value, "-") {
		args = args[1:]
	}
	st := w.edit()
	switch {
	case name == "popd":
		st.dir = ""
	case len(args) == 0:
		st.dir = w.lookup("HOME").text
		if name == "pushd" {
			st.dir = ""
		}
	default:
		st.dir = within(st.dir, args[0])
	}
}

// within is the directory that word names from dir, empty when not known.
func within(dir string, word assent.Word) string {
	switch {
	case !word.Known || word.Value == "-" || hasGlob(word.Value):
		return ""
	case path.IsAbs(word.Value) || strings.HasPrefix(word.Value, "~"):
		return path.Clean(word.Value)
	case dir == "":
		return ""
	}
	return path.Join(dir, word.Value)
}

// eval walks the text that eval is given, or the first operand of trap.
func (w *walker) eval(name string, r run) {
	args := r.words[1:]
	if len(args) > 0 && args[0].Known && args[0].Value == "--" {
		args = args[1:]
	}
	if name == "trap" && len(args) > 0 {
		args = args[:1]
		if args[0].Known && strings.HasPrefix(args[0].Value, "-") {
			return
		}
	}
	text, known := joined(args)
	if !known && w.setsUp(r.call) {
		w.find(File, "It runs the shell code that a tool prints to set itself up.")
		w.emit(r)
		return
	}
	if !known {
		w.find(Unknown, "It runs a text as shell code that is only made when the command runs.")
		w.emit(r)
		return
	}
	w.setAll(r.env)
	fr := w.frame
	w.frame.redirs, w.frame.in = join(fr.redirs, r.redirs), r.in
	w.code(text, name)
	w.frame = fr
}

// joined is the text of words with blanks between them.
func joined(words []assent.Word) (string, bool) {
	var b strings.Builder
	for i, x := range words {
		if !x.Known {
			return "", false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.Value)
	}
	return b.String(), true
}

func (w *walker) source(r run) {
	w.emit(r)
	if len(r.words) < 2 {
		return
	}
	if !r.words[1].Known {
		w.find(Unknown, "It runs a file or a text as shell code whose name is only made when the command runs.")
	} else {
		w.find(File, "It runs the file %s as shell code.", r.words[1].Value)
	}
	st := w.edit() // the file may set anything
	for name := range st.vars {
		st.vars[name] = value{}
	}
}
