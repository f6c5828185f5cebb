package config

// The environment of the owner's own programs. That of an agent's hook process is
// partly the agent's: a project's settings may set variables there, and so put another
// program in the place of the one that a guard calls.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func (h Home) envFile() string { return filepath.Join(h.Dir, "hooks.env") }

// Remember writes down the owner's environment, for hooks in processes that an agent
// started: one NAME=VALUE after the other, each with a NUL behind it. Only what the
// owner starts calls it.
func (h Home) Remember() error {
	if h.fixed {
		return nil
	}
	var out strings.Builder
	for _, kv := range os.Environ() {
		if !ours(kv) {
			out.WriteString(kv + "\x00")
		}
	}
	return writeFile(h.envFile(), []byte(out.String()), 0o600)
}

// ours reports whether a variable is between an agent and us, or is assent's own.
func ours(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return name == "CLAUDE_CODE_MESSAGING_TOKEN" || strings.HasPrefix(name, "ASSENT_")
}

// environ is what hooks and approvers run with: our own environment, without the token
// that Claude Code gives its hooks. Where an agent started us, it is the owner's, as it
// was written down, in the home of the account.
func (h Home) environ() []string {
	var env []string
	switch {
	case h.fixed:
		env = h.remembered()
	default:
		env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
			return strings.HasPrefix(kv, "CLAUDE_CODE_MESSAGING_TOKEN=") || strings.HasPrefix(kv, "ASSENT_HOME=")
		})
	}
	return append(env, "ASSENT_HOME="+h.Dir)
}

// remembered is the owner's environment as it was written down; where it never was, the
// little of ours that steers no program.
func (h Home) remembered() []string {
	from := os.Environ()
	raw, err := os.ReadFile(h.envFile())
	switch {
	case err == nil:
		from = strings.Split(string(raw), "\x00")
	case !errors.Is(err, fs.ErrNotExist):
		from = nil
	}
	env := []string{"PATH=" + usual}
	for _, kv := range from {
		name, value, ok := strings.Cut(kv, "=")
		if ok && name != "" && !ours(kv) && (err == nil || harmless(name)) && (name != "PATH" || value != "") {
			env = append(env, kv) // of two of a name the last one counts
		}
	}
	return append(env, "HOME="+h.Places().Home)
}

// harmless reports whether a variable may come from an agent. On Windows, where all of
// this is advisory, programs do not start without some others.
func harmless(name string) bool {
	return windows || strings.HasPrefix(name, "LC_") || slices.Contains([]string{"USER", "LOGNAME", "LANG", "TZ", "TERM"}, name)
}

// Distrust takes from a process that an agent started what its environment says of
// whom to trust on the network.
func Distrust() {
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "GODEBUG"} {
		_ = os.Unsetenv(name)
	}
}

// usual is where programs are found that nobody said more of.
const usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"
