package analyze

// Searches for secrets: through what others print, or over places where anything
// may lie.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// greps are programs that search texts for a pattern.
var greps = []string{"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep", "git-grep"}

// secretPatterns are words that people search for when they look for secrets.
var secretPatterns = []string{"password", "passwd", "secret", "token", "api_key", "api.key", "apikey", "api-key", "private_key", "private key", "access_key", "credential", "akia", "ghp_", "sk-", "bearer"}

// tellers print what others did or have set, secrets among it.
var tellers = []string{"env", "printenv", "set", "export", "declare", "history", "journalctl", "dmesg", "ps", "strings", "docker", "podman", "kubectl", "log", "security", "keyctl", "coredumpctl", "tcpdump", "tshark", "pbpaste", "xclip", "xsel"}

// wanted reports whether a command looks for files that hold secrets, by their
// names, outside of the work.
func wanted(c assent.Case, cmd assent.Command) bool {
	switch cmd.Name {
	case "find", "gfind":
		s := readFind(cmd)
		outside := slices.ContainsFunc(s.roots, func(w assent.Word) bool {
			full := near(cmd, w, c.Places)
			return strings.HasPrefix(full, "/") && !assent.Under(full, c.Dir)
		})
		return outside && slices.ContainsFunc(cmd.Args, secretPattern)
	case "locate", "mdfind", "plocate":
		return slices.ContainsFunc(cmd.Args, secretPattern)
	}
	return false
}

// secretPattern reports whether a word names files that hold secrets.
func secretPattern(w assent.Word) bool {
	v := strings.Trim(w.Value, "*")
	switch v {
	case ".env", "id_rsa", "id_ed25519", "id_ecdsa", ".pem", ".key", ".p12", ".pfx", ".kdbx", "credentials", ".netrc", ".npmrc", ".git-credentials", "wallet.dat", "shadow", ".keystore", ".jks", "secrets", "password", "token":
		return true
	}
	return strings.HasPrefix(v, "/run/secrets") || strings.HasPrefix(v, ".env.")
}

// searchNote says that a command looks for secrets where they are not the
// project's own.
func searchNote(c assent.Case, cmd assent.Command) string {
	if !slices.Contains(greps, cmd.Name) {
		return ""
	}
	a := programs.Read(cmd)
	words, ops := patternWords(a), a.Operands[min(1, len(a.Operands)):]
	if words == 0 {
		return ""
	}
	for _, o := range c.Commands {
		if o.Pipe == 0 || o.Pipe != cmd.Pipe || o.Stage >= cmd.Stage || !slices.Contains(tellers, o.Name) {
			continue
		}
		if words > 1 || environmentNote(o) != "" && len(ops) == 0 {
			return "It searches what " + o.Name + " prints for secrets."
		}
	}
	deep := a.Option("-r -R --recursive") || cmd.Name == "rg" || cmd.Name == "ag" || cmd.Name == "ack"
	for _, w := range ops {
		full, known := where(cmd, w, c.Places)
		if deep && known && (full == home(c.Places) || vital(full, c.Places)) {
			return "It searches everything below " + full + " for secrets."
		}
	}
	return ""
}

// patternWords counts the words for secrets in what a command searches for.
func patternWords(a programs.Arguments) int {
	text := a.Word(0)
	for _, w := range a.Values("e regexp") {
		text += " " + w.Value
	}
	text = strings.ToLower(text)
	n := 0
	for _, p := range secretPatterns {
		if strings.Contains(text, p) {
			n++
		}
	}
	return n
}
