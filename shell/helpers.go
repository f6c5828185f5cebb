package shell

// Programs that start another when an option names it, and programs whose
// output is made to be run as shell code.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// starters are options whose value is a command.
var starters = []struct{ prog, letters, long string }{
	{"rg", "", "pre hostname-bin"},
	{"sort", "", "compress-program"},
	{"man", "PH", "pager html"},
	{"ag", "", "pager"},
	{"tar", "IF", "to-command use-compress-program rsh-command info-script new-volume-script checkpoint-action"},
	{"rsync", "e", "rsh"},
	{"less", "", "lessopen"},
	{"zip", "", "unzip-command TT"},
	{"fzf", "", "preview"},
}

// helpers walks the commands that options of a program name.
func (w *walker) helpers(name string, r run) {
	for _, s := range starters {
		if s.prog != name {
			continue
		}
		for i, a := range r.words {
			text, ok := optionValue(a, s.letters, s.long)
			if !ok && i > 0 {
				text, ok = following(r.words, i, s.letters, s.long)
			}
			text.Value = strings.TrimPrefix(text.Value, "exec=")
			if !ok || !strings.ContainsAny(text.Value, "abcdefghijklmnopqrstuvwxyz") {
				continue
			}
			inner := r
			inner.redirs = nil
			inner.via = join(r.via, []string{name})
			w.shellText(text, inner, name, r)
		}
	}
}

// optionValue is the value in --long=value and -Lvalue.
func optionValue(a assent.Word, letters, long string) (assent.Word, bool) {
	v := a.Value
	if rest, ok := strings.CutPrefix(v, "--"); ok {
		key, val, given := strings.Cut(rest, "=")
		return assent.Word{Value: val, Known: a.Known}, given && has(long, key)
	}
	if len(v) > 2 && v[0] == '-' && strings.Contains(letters, v[1:2]) {
		return assent.Word{Value: v[2:], Known: a.Known}, true
	}
	return assent.Word{}, false
}

// following is the word after --long or -L.
func following(words []assent.Word, i int, letters, long string) (assent.Word, bool) {
	opt := words[i-1].Value
	rest, ok := strings.CutPrefix(opt, "--")
	named := ok && has(long, rest) || len(opt) == 2 && opt[0] == '-' && strings.Contains(letters, opt[1:])
	return words[i], named
}

// setups are programs that print shell code to set themselves up; the words
// say with which first argument.
var setups = []struct{ prog, first string }{
	{"ssh-agent", ""}, {"direnv", "hook export"}, {"mise", "activate env hook-env"}, {"rtx", "activate"}, {"asdf", "exec"},
	{"starship", "init"}, {"zoxide", "init"}, {"atuin", "init"}, {"rbenv", "init"}, {"pyenv", "init virtualenv-init"},
	{"nodenv", "init"}, {"goenv", "init"}, {"jenv", "init"}, {"plenv", "init"}, {"fnm", "env"}, {"brew", "shellenv"},
	{"conda", "shell.bash shell.zsh shell.fish shell.posix"}, {"mamba", "shell"}, {"micromamba", "shell"},
	{"opam", "env"}, {"dircolors", ""}, {"luarocks", "path"}, {"fzf", "--bash --zsh --fish"}, {"thefuck", "--alias"},
	{"docker-machine", "env"}, {"minikube", "docker-env"}, {"register-python-argcomplete", ""}, {"lesspipe", ""},
	{"kubectl", "completion"}, {"helm", "completion"}, {"gh", "completion"}, {"pip", "completion"}, {"npm", "completion"}, {"jj", "util"}, {"uv", "generate-shell-completion"},
}

// setsUp reports whether eval is given nothing but the output of such programs.
func (w *walker) setsUp(c *syntax.CallExpr) bool {
	if c == nil || len(c.Args) < 2 {
		return false
	}
	for _, x := range c.Args[1:] {
		if !w.setup(x) {
			return false
		}
	}
	return true
}

func (w *walker) setup(x *syntax.Word) bool {
	if len(x.Parts) != 1 {
		return false
	}
	p := x.Parts[0]
	if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	sub, ok := p.(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 {
		return false
	}
	c, ok := sub.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 {
		return false
	}
	words := w.fieldsOf(c.Args)
	if len(words) == 0 || len(w.st.funcs[words[0].Value].bodies) > 0 {
		return false
	}
	for _, a := range words {
		if !a.Known {
			return false
		}
	}
	for _, s := range setups {
		if s.prog == words[0].Value && (s.first == "" || len(words) > 1 && has(s.first, words[1].Value)) {
			return true
		}
	}
	return false
}

// fieldsOf expands words without walking the commands in them.
func (w *walker) fieldsOf(words []*syntax.Word) []assent.Word {
	var out []assent.Word
	for _, x := range words {
		out = w.expand(out, x)
	}
	return out
}
