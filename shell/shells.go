package shell

// Shells: sh -c TEXT, scripts, and code on the standard input.

import (
	"slices"
	"strings"

	"assent"
)

var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "ksh93", "oksh", "yash"}

// foreign are shells of another syntax.
var foreign = []string{"fish", "csh", "tcsh", "pwsh", "powershell", "powershell.exe", "pwsh.exe", "cmd", "cmd.exe", "nu", "xonsh", "elvish"}

func isShell(name string) bool {
	return slices.Contains(shells, name) || slices.Contains(foreign, name)
}

// shellArgs is what a shell's command line says.
type shellArgs struct {
	text     *assent.Word  // of -c
	operands []assent.Word // $0 and the parameters after -c, else the script first
	stdin    bool          // -s
	unclear  bool          // an argument that cannot be known may be an option
}

func readShell(args []assent.Word) (s shellArgs) {
	code := false
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
				args = args[min(1, len(args)):]
			}
			continue
		case v[0] == '-':
			code = code || strings.Contains(v, "c")
			s.stdin = s.stdin || strings.Contains(v, "s")
		}
		if strings.HasSuffix(v, "o") || strings.HasSuffix(v, "O") {
			args = args[min(1, len(args)):]
		}
	}
	if code && len(args) > 0 {
		s.text, args = &args[0], args[1:]
	}
	s.operands = args
	return s
}

func (w *walker) shell(name string, r run) {
	if slices.Contains(foreign, name) {
		w.foreign(name, r)
		return
	}
	s := readShell(r.words[1:])
	switch {
	case s.text != nil && !s.text.Known:
		w.find(Unknown, "It gives %s a text as code that is only made when the command runs.", name)
		w.emit(r)
	case s.text != nil:
		w.child(name, s.text.Value, s.operands[min(1, len(s.operands)):], r)
	case s.unclear:
		w.find(Unknown, "What %s runs is only decided when the command runs.", name)
		w.emit(r)
	case len(s.operands) > 0 && !s.stdin && s.operands[0].Value != "/dev/stdin":
		w.find(File, "It runs the file %s as shell code.", s.operands[0].Value)
		w.emit(r)
	default:
		w.fed(name, s, r)
	}
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
	w.emit(r)
}

// child walks code in a new shell: it sees what is exported, and nothing else of
// what the text has set.
func (w *walker) child(name, text string, params []assent.Word, r run) {
	w.subshell(func() {
		st := w.edit()
		exports := st.exports
		for v := range st.vars {
			st.vars[v] = value{}
		}
		st.funcs = nil
		st.dir = r.dir
		w.setAll(exports)
		w.setAll(r.env)
		w.bind(params)
		for _, a := range r.env {
			st := w.edit()
			st.exports = append(st.exports[:len(st.exports):len(st.exports)], a)
		}
		fr := w.frame
		w.frame.redirs, w.frame.in = join(fr.redirs, r.redirs), r.in
		w.frame.via = join(fr.via, r.via)
		w.code(text, name)
		w.frame = fr
	})
}

func (w *walker) foreign(name string, r run) {
	w.emit(r)
	args := r.words[1:]
	switch {
	case len(args) == 0 && r.in.kind == inherited:
	case len(args) == 1 && args[0].Known && (args[0].Value == "--version" || args[0].Value == "-v" || args[0].Value == "--help"):
	case len(args) > 0 && args[0].Known && args[0].Value != "" && !strings.ContainsAny(args[0].Value[:1], "-/"):
		w.find(File, "It gives %s %s to run, which is not in the syntax of sh.", name, args[0].Value)
	default:
		w.find(Unknown, "It gives code to %s, whose syntax is not that of sh and was not read.", name)
	}
}
