package broker

// The environment: fixed variables, and those of the caller's that were named.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// marker is carried by all that assent runs, so that none of it answers a request.
const marker = "ASSENT_AGENT_SESSION=exec"

// quiet are variables that are handed on without being named, as long as they name no
// file: how a terminal is, which language its user reads, and what time it is there.
var quiet = []string{"LANG", "TERM", "TZ"}

// environment is what a program finds: the fixed variables, and the caller's of these
// names, of which the input has the hashes alone.
func (b *Broker) environment(base, names []string) (env []string, hashes map[string]string, err error) {
	env = append(slices.Clone(base), marker)
	for _, name := range quiet {
		if value, ok := b.lookup(name); ok && harmless(value) {
			env = append(env, name+"="+value)
		}
	}
	for _, name := range names {
		if !assent.VariableName(name) {
			return nil, nil, fmt.Errorf("%q is no name of a variable: %w", name, assent.ErrInvalid)
		}
		value, ok := b.lookup(name)
		if !ok || strings.ContainsRune(value, 0) {
			return nil, nil, fmt.Errorf("the variable %s is not set: %w", name, assent.ErrInvalid)
		}
		if hashes == nil {
			hashes = map[string]string{}
		}
		sum := sha256.Sum256([]byte(value))
		hashes[name] = "sha256:" + hex.EncodeToString(sum[:])
		env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		env = append(env, name+"="+value)
	}
	return env, hashes, nil
}

// harmless reports whether a value is a plain name: nothing that a program opens.
func harmless(value string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@+-/"
	return value != "" && len(value) <= 64 && strings.Trim(value, plain) == "" && !strings.HasPrefix(value, "/") && !strings.Contains(value, "..")
}
