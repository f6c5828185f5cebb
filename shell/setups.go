package shell

// Programs whose output is made to be run as shell code.

import (
	"mvdan.cc/sh/v3/syntax"

	"assent"
)

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
