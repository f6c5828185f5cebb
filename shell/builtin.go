package shell

// Builtins: what the shell itself does, as far as it matters for what follows.

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// builtin reports whether the command is dealt with.
func (w *walker) builtin(name string, r run) bool {
	args := r.words[1:]
	w.names(name, args)
	switch name {
	case "eval":
		w.eval(r)
		return true
	case "trap":
		w.trap(r)
		return true
	case "source", ".":
		w.source(r)
		return true
	case "cd", "pushd", "popd", "chdir", "read", "mapfile", "readarray", "getopts", "printf", "unset", "shift", "set", "alias", "unalias":
	default:
		return false
	}
	w.emit(r)
	switch name {
	case "cd", "pushd", "popd", "chdir":
		w.changeDir(name, args)
	case "shift":
		w.shift(args)
	case "set":
		w.setParams(args)
	case "alias", "unalias":
		w.defineAlias(args)
	default:
		w.assignTo(name, args, r.in)
	}
	return true
}

// assignTo carries out builtins that set variables named in their arguments.
func (w *walker) assignTo(name string, args []assent.Word, in input) {
	if name == "printf" {
		if len(args) < 3 || args[0].Value != "-v" || !syntax.ValidName(args[1].Value) {
			return
		}
		args = args[1:]
		v := prints(append([]assent.Word{{Value: "printf", Known: true}}, args[1:]...), input{}, "")
		w.set(args[0].Value, v)
		w.given(args[0].Value, v)
		return
	}
	for _, a := range args {
		if !a.Known || !syntax.ValidName(a.Value) {
			continue
		}
		w.forget(a.Value)
		if f, ok := w.st.funcs[a.Value]; ok && name == "unset" {
			f.unsure = true
			w.edit().funcs[a.Value] = f
		}
	}
	if name == "read" {
		w.read(args, in)
	}
	for _, a := range args {
		if a.Known && name != "unset" {
			w.given(a.Value, w.lookup(a.Value))
		}
	}
}

// read knows what is read when the input is one line.
func (w *walker) read(args []assent.Word, in input) {
	line, more, _ := strings.Cut(in.text.text, "\n")
	if in.kind != literal || !in.text.known || more != "" || strings.Contains(line, `\`) || w.lookup("IFS").text != " \t\n" {
		return
	}
	if n := len(args); n == 1 || n == 2 && args[0].Value == "-r" {
		w.set(args[n-1].Value, value{text: strings.Trim(line, " \t"), known: true})
	}
}

func (w *walker) shift(args []assent.Word) {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0].Value); err != nil || !args[0].Known {
			n = -1
		}
	}
	st := w.edit()
	if n < 0 || n > len(st.params) || st.open {
		st.params, st.open = nil, true
		return
	}
	st.params = st.params[n:]
}

// setParams carries out set: its operands are the parameters.
func (w *walker) setParams(args []assent.Word) {
	for i := 0; i < len(args); i++ {
		v := args[i].Value
		switch {
		case !args[i].Known, v == "--", v == "-", v == "" || v[0] != '-' && v[0] != '+':
			if v == "--" || v == "-" && i+1 < len(args) {
				i++
			}
			w.bind(args[i:])
			return
		case strings.HasSuffix(v, "o"):
			i++
		}
	}
}

func (w *walker) defineAlias(args []assent.Word) {
	for _, a := range args {
		if name, text, ok := strings.Cut(a.Value, "="); ok && a.Known {
			if w.aliases == nil {
				w.aliases = map[string]string{}
			}
			w.aliases[name] = text
		}
	}
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

// eval walks the text that eval is given.
func (w *walker) eval(r run) {
	args := r.words[1:]
	if len(args) > 0 && args[0].Known && args[0].Value == "--" {
		args = args[1:]
	}
	text := w.joined(args, nil)
	switch {
	case !text.Known && w.setsUp(r.call):
		w.find(Setup, "It runs the shell code that a tool prints to set itself up.")
		w.emit(r)
		return
	case !text.Known:
		w.find(Unknown, "It runs a text as shell code that is only made when the command runs.")
		w.emit(r)
		if !empty(text.Value) {
			w.subshell(func() { w.inline(text.Value, "eval", r) })
		}
		w.lose()
		return
	}
	w.setAll(r.env)
	w.inline(text.Value, "eval", r)
}

// inline walks code in the shell itself, with the redirections of a command.
func (w *walker) inline(text, via string, r run) {
	fr := w.frame
	w.frame.redirs, w.frame.in = join(fr.redirs, r.redirs), r.in
	w.frame.via = join(fr.via, r.via)
	w.code(text, via)
	w.frame = fr
}

// trap walks what a trap would run, as things are now and as they are in the
// end.
func (w *walker) trap(r run) {
	args := r.words[1:]
	if len(args) > 0 && args[0].Known && args[0].Value == "--" {
		args = args[1:]
	}
	switch {
	case len(args) < 2 || args[0].Known && strings.HasPrefix(args[0].Value, "-"):
		w.emit(r)
		return
	case !args[0].Known:
		w.find(Unknown, "It runs a text as shell code that is only made when the command runs.")
	}
	w.emit(r)
	t := trap{text: w.drafted(args[0]).Value, run: r, st: w.save(), span: w.here}
	w.traps = append(w.traps, t)
	w.subshell(func() { w.inline(t.text, "trap", r) })
}

// trapped walks the traps once more if in the end something else is known.
func (w *walker) trapped() {
	for _, t := range w.traps {
		if t.st.dir != w.st.dir || !sameVars(t.st.vars, w.st.vars) {
			w.here = t.span
			w.subshell(func() { w.inline(t.text, "trap", t.run) })
		}
	}
}

// source runs a file as code, or what is substituted for one.
func (w *walker) source(r run) {
	if len(r.words) < 2 {
		w.emit(r)
		return
	}
	in := r.in
	file := r.words[1]
	if (file.Value == "/dev/stdin" || w.substituted(file, &in)) && in.kind == literal && in.text.known {
		r.in = input{}
		w.inline(in.text.text, r.words[0].Value, r)
		return
	}
	w.emit(r)
	if !file.Known {
		w.find(Unknown, "It runs a file or a text as shell code whose name is only made when the command runs.")
	} else {
		w.find(File, "It runs the file %s as shell code.", file.Value)
	}
	st := w.edit() // the file may set anything
	for name := range st.vars {
		st.vars[name] = value{}
	}
}
