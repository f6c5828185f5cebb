package shell

// Shells: sh -c TEXT, scripts, and code on the standard input.

import (
	"slices"
	"strings"

	"assent"
)

var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "ksh93", "oksh", "yash", "pdksh", "lksh", "bosh", "rzsh", "osh", "brush", "hush", "posh"}

// isShell reports whether a name is that of a shell, perhaps with a version
// behind it.
func isShell(name string) bool {
	return slices.Contains(shells, name) || slices.Contains(shells, strings.TrimRight(name, "0123456789.-"))
}

// shellArgs is what a shell's command line says.
type shellArgs struct {
	text     *assent.Word  // of -c
	operands []assent.Word // $0 and the parameters after -c, else the script first
	stdin    bool          // -s
	rc       *assent.Word  // a file that is run first
	unclear  bool          // an argument that cannot be known may be an option
	checks   bool          // -n: it reads its code and runs none of it
}

func readShell(args []assent.Word) (s shellArgs) {
	code, prompts := false, false
	for len(args) > 0 {
		a := args[0]
		if !a.Known {
			s.unclear = !code
			break
		}
		v := a.Value
		if v == "--" || v == "-" {
			args = args[1:]
			break
		}
		if len(v) < 2 || v[0] != '-' && v[0] != '+' {
			break
		}
		args = args[1:]
		switch {
		case strings.HasPrefix(v, "--"):
			if v == "--rcfile" || v == "--init-file" {
				s.rc, args = first(args), args[min(1, len(args)):]
			}
			continue
		case v[0] == '-':
			code = code || strings.Contains(v, "c")
			s.stdin = s.stdin || strings.Contains(v, "s")
			s.checks = s.checks || strings.Contains(v, "n")
			prompts = prompts || strings.Contains(v, "i")
		default:
			s.checks = s.checks && !strings.Contains(v, "n")
		}
		if strings.HasSuffix(v, "o") || strings.HasSuffix(v, "O") {
			args = args[min(1, len(args)):]
		}
	}
	s.checks = s.checks && !prompts // with a prompt it runs all the same
	if code && len(args) > 0 {
		s.text, args = &args[0], args[1:]
	}
	s.operands = args
	return s
}

func first(words []assent.Word) *assent.Word {
	if len(words) == 0 {
		return nil
	}
	return &words[0]
}

func (w *walker) shell(name string, r run) {
	s := readShell(r.words[1:])
	if alone(r.words[0].Value) {
		w.emit(r)
		r.words = nil // said
	}
	if s.rc != nil {
		w.find(File, "It runs the file %s as shell code.", s.rc.Value)
	}
	switch {
	case s.text != nil:
		if !s.text.Known {
			w.find(Unknown, "It gives %s a text as code that is only made when the command runs.", name)
			w.said(r)
			r.words = nil
		}
		if len(s.operands) > 0 {
			r.zero, s.operands = s.operands[0], s.operands[1:]
		}
		w.child(name, w.drafted(*s.text).Value, s.operands, r)
	case len(s.operands) > 0 && !s.stdin && w.substituted(s.operands[0], &r.in):
		s.operands = s.operands[1:]
		w.fed(name, s, r)
	case s.unclear:
		w.find(Unknown, "What %s runs is only decided when the command runs.", name)
		w.said(r)
	case s.checks && s.rc == nil && len(s.operands) > 0 && !s.stdin:
		w.said(r)
	case len(s.operands) > 0 && !s.stdin && s.operands[0].Value != "/dev/stdin":
		w.find(File, "It runs the file %s as shell code.", s.operands[0].Value)
		w.said(r)
	default:
		w.fed(name, s, r)
	}
}

// substituted reports whether a word is <(…), and what can be read from it.
func (w *walker) substituted(x assent.Word, in *input) bool {
	made, ok := w.subs[x.Text]
	if ok = ok && !x.Known; ok {
		*in = made
	}
	return ok
}

// fed is a shell that reads its code from the standard input.
func (w *walker) fed(name string, s shellArgs, r run) {
	switch {
	case r.in.kind == literal && r.in.text.known:
		text := r.in.text.text
		r.in = input{}
		w.child(name, text, s.operands, r)
		return
	case r.in.kind == literal || r.in.kind == stream:
		w.find(Unknown, "It gives %s code on its standard input that is only made when the command runs.", name)
	case r.in.kind == file && r.in.name.Known:
		w.find(File, "It runs the file %s as shell code.", r.in.name.Value)
	case r.in.kind == file:
		w.find(Unknown, "It runs a file as shell code whose name is only made when the command runs.")
	}
	w.said(r)
}

// child walks code in a new shell: it sees what is exported, and nothing else of
// what the text has set.
func (w *walker) child(name, text string, params []assent.Word, r run) {
	before := len(w.out.Commands)
	defer func() {
		if len(w.out.Commands) == before && len(r.words) > 0 {
			w.emit(r) // nothing runs but the shell
		}
	}()
	if empty(text) {
		return
	}
	w.environment(r.env)
	w.subshell(func() { w.inChild(name, text, params, r) })
}

func (w *walker) inChild(name, text string, params []assent.Word, r run) {
	fr, st := w.frame, w.edit()
	exports, redirs := st.exports, fr.redirs
	if r.far && !fr.far {
		exports, st.exports, redirs = nil, nil, nil // they are of this machine
	}
	for v := range st.vars {
		st.vars[v] = value{}
	}
	st.funcs = nil
	st.dir = r.dir
	w.setAll(exports)
	w.setAll(r.env)
	w.bind(params)
	w.set("0", value{text: r.zero.Value, known: settled(r.zero)})
	st = w.edit()
	st.exports = join(st.exports, r.env)
	w.frame.redirs, w.frame.in = join(redirs, r.redirs), r.in
	w.frame.via, w.frame.far = join(fr.via, r.via), fr.far || r.far
	w.code(text, name)
	w.frame = fr
}
