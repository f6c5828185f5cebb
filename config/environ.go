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

func (h Home) pathFile() string { return filepath.Join(h.Dir, "hooks.path") }

// Remember writes down where the owner's programs are found, for agents' hook
// processes. Only what the owner starts calls it.
func (h Home) Remember() error {
	if h.fixed {
		return nil
	}
	return writeFile(h.pathFile(), []byte(os.Getenv("PATH")+"\n"), 0o600)
}

// steering begin the names of variables that make programs do other things than they
// are called for.
var steering = []string{
	"LD_", "DYLD_", "BASH_ENV", "BASH_FUNC_", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "CDPATH", "PYTHON", "NODE_", "PERL", "RUBY", "LUA_",
	"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "GIT_", "GCONV_PATH", "LOCPATH", "JQ_", "CURL_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
}

// whole are those of them that are no beginnings.
var whole = []string{"ENV", "IFS", "PS4", "CDPATH"}

func steers(name string) bool {
	return slices.ContainsFunc(steering, func(s string) bool {
		return name == s || !slices.Contains(whole, s) && strings.HasPrefix(name, s)
	})
}

// environ is what hooks and approvers run with: our own environment, without the token
// that Claude Code gives its hooks. Where an agent started us, nothing in it that steers
// programs, the home of the account, and the owner's PATH as it was written down.
func (h Home) environ() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		own := name == "ASSENT_HOME" || h.fixed && (name == "PATH" || name == "HOME" || steers(name))
		if !own && name != "CLAUDE_CODE_MESSAGING_TOKEN" {
			env = append(env, kv)
		}
	}
	if h.fixed {
		env = append(env, "PATH="+h.path(), "HOME="+h.Places().Home)
	}
	return append(env, "ASSENT_HOME="+h.Dir)
}

// usual is where programs are found that nobody said more of.
const usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin"

func (h Home) path() string {
	raw, err := os.ReadFile(h.pathFile())
	if errors.Is(err, fs.ErrNotExist) || len(strings.TrimSpace(string(raw))) == 0 {
		if windows {
			return os.Getenv("PATH") // advisory there in any case
		}
		return usual
	}
	return strings.TrimSpace(string(raw))
}
