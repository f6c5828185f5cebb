package analyze

// The environment, and variables of it that by their names hold secrets, where they
// are printed.

import (
	"slices"
	"strings"

	"assent"
)

// keepers are programs that put secrets into the environment of another.
var keepers = []string{"sops", "op", "doppler", "aws-vault", "vault", "chamber", "infisical", "envchain", "dotenv", "teller", "berglas", "envconsul", "summon", "pass"}

// byName ends the note about a variable that holds a secret.
const byName = ", which by its name holds a secret."

// environmentNote says whether a command prints the environment, in which
// secrets are often kept.
func environmentNote(cmd assent.Command) string {
	bare := len(cmd.Args) == 0
	switch cmd.Name {
	case "env", "printenv", "set":
		if bare || cmd.Name == "printenv" && !slices.ContainsFunc(cmd.Args, plainVariable) {
			return "It prints the environment, in which secrets are often kept."
		}
	case "export", "declare", "typeset":
		if len(cmd.Args) == 1 && (cmd.Args[0].Value == "-p" || cmd.Args[0].Value == "-x" || cmd.Args[0].Value == "-xp" || cmd.Args[0].Value == "-px") || bare && cmd.Name == "export" {
			return "It prints the environment, in which secrets are often kept."
		}
	case "compgen":
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "-e" || w.Value == "-v" }) {
			return "It prints the names of the variables."
		}
	case "echo", "printf", "cat":
		words := cmd.Args
		for _, r := range cmd.Redirects {
			if r.Op == "<<<" {
				words = append(words[:len(words):len(words)], r.Target)
			}
		}
		for _, w := range words {
			if name := secretVariable(w); name != "" {
				return "It prints the variable " + name + byName
			}
		}
	}
	return ""
}

// plainVariable reports whether a word is the name of a variable that by custom holds
// no secret.
func plainVariable(w assent.Word) bool {
	return w.Known && slices.Contains([]string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TERM", "LANG", "LANGUAGE", "TZ", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "HOSTNAME", "TMPDIR", "GOPATH", "GOROOT", "GOBIN", "JAVA_HOME", "NODE_ENV", "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "PYENV_ROOT", "ANDROID_HOME", "CI", "LD_LIBRARY_PATH", "MANPATH", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "COLUMNS", "LINES", "SHLVL"}, w.Value)
}

// secretVariable is the first variable in a word whose name is one of secrets.
func secretVariable(w assent.Word) string {
	if w.Known {
		return ""
	}
	for rest := w.Text; ; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			return ""
		}
		rest = strings.TrimPrefix(rest[i+1:], "{")
		name := named(rest)
		if after := strings.TrimPrefix(rest[len(name):], ":"); secretName(name) && !strings.HasPrefix(after, "+") { // ${X:+set} only says that there is one
			return name
		}
	}
}

// secretWords are parts of names that secrets have.
var secretWords = []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "AUTH_KEY", "_KEY", "_PAT"}

// secretName reports whether a variable by its name holds a secret.
func secretName(name string) bool {
	up := strings.ToUpper(name)
	if up == "KEY" || up == "PASS" {
		return true
	}
	return slices.ContainsFunc(secretWords, func(s string) bool { return strings.Contains(up, s) }) && !strings.HasSuffix(up, "_KEY_ID") && !strings.HasSuffix(up, "TOKENS")
}
