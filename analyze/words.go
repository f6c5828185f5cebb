package analyze

// Words whose value is only made when the command runs: what they are likely to
// name.

import (
	"path"
	"strings"

	"assent"
)

// customs are variables that by custom hold a place, and that place.
var customs = []struct{ name, place string }{
	{"HOME", "~"}, {"TMPDIR", "/tmp/TMPDIR"}, {"TMP", "/tmp/TMPDIR"}, {"TEMP", "/tmp/TMPDIR"}, {"RUNNER_TEMP", "/tmp/TMPDIR"},
	{"XDG_CONFIG_HOME", "~/.config"}, {"XDG_DATA_HOME", "~/.local/share"}, {"XDG_CACHE_HOME", "~/.cache"}, {"XDG_STATE_HOME", "~/.local/state"},
	{"ASSENT_HOME", "~/.assent"}, {"HERMES_HOME", "~/.hermes"}, {"CLAUDE_CONFIG_DIR", "~/.claude"}, {"CODEX_HOME", "~/.codex"}, {"GEMINI_CLI_HOME", "~/.gemini"},
	{"GNUPGHOME", "~/.gnupg"}, {"KUBECONFIG", "~/.kube/config"}, {"DOCKER_CONFIG", "~/.docker"}, {"CARGO_HOME", "~/.cargo"},
	{"AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"}, {"AWS_CONFIG_FILE", "~/.aws/config"}, {"NETRC", "~/.netrc"}, {"PGPASSFILE", "~/.pgpass"},
	{"GOOGLE_APPLICATION_CREDENTIALS", "~/.config/gcloud/application_default_credentials.json"}, {"HISTFILE", "~/.bash_history"},
	{"USERPROFILE", "~"}, {"APPDATA", "~/AppData/Roaming"}, {"LOCALAPPDATA", "~/AppData/Local"}, {"SystemRoot", "/Windows"},
	{"BASH_ENV", "~/.bashrc"}, {"ZDOTDIR", "~/.zsh"}, {"GITHUB_PATH", ciFiles + "/path"}, {"GITHUB_ENV", ciFiles + "/env"},
}

// ciFiles is where a build server takes what its later steps run with.
const ciFiles = "/runner/_file_commands"

// likely is what a word names as far as its text tells: its value when that is
// known; else its text with the place of variables that by custom hold one, and
// "*" for every other part that is only made when the command runs.
func likely(w assent.Word) string {
	if w.Known || !strings.ContainsAny(w.Text, "$`") {
		return w.Value
	}
	var b strings.Builder
	text := w.Text
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
		case '\\':
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		case '`', '$':
			place, n := expansion(text[i:])
			b.WriteString(place)
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// expansion reads what begins with $ or ` and returns what it likely stands for,
// and its length.
func expansion(text string) (string, int) {
	switch {
	case text[0] == '`':
		if end := strings.IndexByte(text[1:], '`'); end >= 0 {
			return "*", end + 2
		}
		return "*", len(text)
	case len(text) < 2:
		return "$", 1
	case text[1] == '(':
		return "*", closed(text[1:], '(', ')') + 1
	case text[1] == '{':
		n := closed(text[1:], '{', '}') + 1
		return custom(named(text[2:])), n
	}
	name := named(text[1:])
	return custom(name), 1 + max(1, len(name))
}

// closed is the length of what begins with a bracket and ends with its partner.
func closed(text string, open, shut byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// named is the name that text begins with.
func named(text string) string {
	n := 0
	for n < len(text) && isWord(text[n]) && text[n] < 0x80 {
		n++
	}
	return text[:n]
}

func custom(name string) string {
	for _, c := range customs {
		if c.name == name {
			return c.place
		}
	}
	return "*"
}

// near is the path that a word names as far as that can be told; it may have
// "*" in it. Empty when nothing can be told.
func near(c assent.Command, w assent.Word, p assent.Places) string {
	v := likely(w)
	if v == "" {
		return ""
	}
	full, _ := absolute(v, c.Dir, p)
	return full
}

// temporal reports whether a word that is not known lies in the user's own
// directory for temporary files, by the variable that names it, and nothing in
// the call sets that variable.
func temporal(c assent.Case, cmd assent.Command, w assent.Word) bool {
	if w.Known || strings.Contains(w.Text, "..") || !assent.Under(path.Clean(likely(w)), "/tmp/TMPDIR") {
		return false
	}
	for i := range c.Commands {
		for _, a := range c.Commands[i].Env {
			if custom(a.Name) == "/tmp/TMPDIR" {
				return false
			}
		}
	}
	return true
}
