package consent

// The ways round the question: who allows every hook that is configured.

import "strings"

// The variables that allow every hook.
const (
	EnvAccept       = "ASSENT_ACCEPT_HOOKS"
	EnvAcceptHermes = "HERMES_ACCEPT_HOOKS"
)

// Accepts reports whether every configured hook is allowed without a question: by the
// environment, or by hooks_auto_accept as the configuration has it, which is true or
// one of the words; numbers do not count.
func Accepts(getenv func(string) string, setting any) bool {
	if yes(getenv(EnvAccept)) || yes(getenv(EnvAcceptHermes)) {
		return true
	}
	switch v := setting.(type) {
	case bool:
		return v
	case string:
		return yes(v)
	}
	return false
}

func yes(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
