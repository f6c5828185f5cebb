package shell

// What starts when a simple command is run: functions, builtins, wrappers,
// shells, and programs.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

func (w *walker) start(r run) {
	for w.step() && len(r.words) > 0 {
		first := r.words[0]
		if v := first.Value; len(v) > 1 && v[0] == '=' && v == first.Text && first.Known {
			w.emit(r) // as bash has it; zsh finds the file rm for =rm
			first.Value = v[1:]
			r.words = slices.Concat([]assent.Word{first}, r.words[1:])
		}
		if !first.Known || hasGlob(first.Value) && first.Value != "[" {
			w.unnamed(r)
			return
		}
		if long := len(first.Value) > MaxName; long || !plain(first.Value) {
			r.words = slices.Clone(r.words)
			r.words[0].Known = false
			note := "The program's name has characters that look like others or cannot be seen."
			if long {
				note = "The program's name is longer than that of any file."
			}
			w.find(Unknown, "%s", note)
			w.emit(r)
			return
		}
		if f := w.st.funcs[first.Value]; len(f.bodies) > 0 && len(r.via) == 0 && w.functions(f, r) {
			return
		}
		name := nameOf(first.Value)
		if !strings.Contains(first.Value, "/") && w.builtin(name, r) {
			return
		}
		p := wrapped(name, r)
		if p == nil {
			w.program(name, r)
			return
		}
		if len(r.via) >= MaxDepth {
			w.limit("The command is nested too deeply and was not followed to its end.")
			return
		}
		inner, ok := w.peel(name, p, r)
		if !ok {
			return
		}
		r = inner
	}
}

// systems are where the system keeps its programs.
var systems = []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/run/current-system/sw/bin"}

// alone reports whether a program is a file of the user's own: what its name
// says of other programs of that name need not hold.
func alone(program string) bool {
	return strings.Contains(program, "/") && !slices.Contains(systems, path.Dir(path.Clean(program)))
}

// nameOf is the name by which a program goes: without its directory and, where
// Windows has a hand in it, without .exe.
func nameOf(program string) string {
	name := path.Base(program)
	if n := len(name) - len(".exe"); n > 0 && strings.EqualFold(name[n:], ".exe") {
		name = strings.ToLower(name[strings.LastIndexByte(name, '\\')+1 : n])
	}
	return name
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
	case foreignShell(name) != nil:
		w.foreign(name, foreignShell(name), r)
	default:
		w.emit(r)
	}
}

// unnamed is a program whose name cannot be known. An expansion that is not
// quoted may also be empty: then the word after it is the program.
func (w *walker) unnamed(r run) {
	text := r.words[0].Text
	if len(r.words) > 1 && text != "" && (text[0] == '$' || text[0] == '`') && !strings.HasPrefix(r.words[1].Value, "-") {
		rest := r
		rest.words, rest.call = r.words[1:], nil
		defer w.start(rest)
	}
	r.words = slices.Clone(r.words)
	r.words[0].Known = false
	own := ownTool(text)
	switch {
	case own == "SHELL" || own == "BASH":
		r.words[0].Value = ""
		w.shell("sh", r)
		return
	case own != "":
		w.find(File, "It starts the program that the user's own variable %s names.", own)
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
	w.forget(w.locals(f.body)...) // what they were before, or are now
	if w.jumps(f.body) {
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
		st.open = st.open || !settled(a)
	}
	if st.open {
		st.params = nil
	}
}

// settled reports whether a parameter is known: it is no pattern that the shell
// has yet to fill in.
func settled(a assent.Word) bool {
	return a.Known && (!hasGlob(a.Value) || a.Text == "'"+a.Value+"'")
}

func (w *walker) setAll(env []assent.Assign) {
	for _, a := range env {
		w.set(a.Name, value{text: a.Value.Value, known: a.Value.Known})
	}
}
