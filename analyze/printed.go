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
		if bare || cmd.Name == "printenv" {
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
