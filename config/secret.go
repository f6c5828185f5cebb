package config

// Secrets: the file only says where one is, and never holds it.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assent"
)

// isReference refuses what is a secret itself.
func isReference(text string) error {
	kind, where, ok := strings.Cut(text, ":")
	switch {
	case !ok || where == "" || kind != "env" && kind != "file":
		return errors.New("a secret does not stand in the file: write env:NAME or file:PATH")
	case kind == "file" && !filepath.IsAbs(where) && !strings.HasPrefix(where, "~/"):
		return errors.New("the file of a secret is written with its whole path, or from ~/ on")
	}
	return nil
}

// secret is what a reference points at. In a process that an agent started no variable
// counts: its environment is partly the agent's.
func (h Home) secret(ref string) (string, error) {
	if h.fixed && strings.HasPrefix(ref, "env:") {
		return "", fmt.Errorf("%s stands in an environment that is partly the agent's: run assent serve, or write file:PATH: %w", ref, assent.ErrForbidden)
	}
	if rest, ok := strings.CutPrefix(ref, "file:~/"); ok {
		ref = "file:" + filepath.Join(h.Places().Home, rest)
	}
	return Secret(ref, os.Getenv)
}

// Secret reads what a reference points at. An empty reference is no secret.
func Secret(ref string, env func(string) string) (string, error) {
	kind, where, _ := strings.Cut(ref, ":")
	switch kind {
	case "":
		return "", nil
	case "env":
		if v := env(where); v != "" {
			return v, nil
		}
		return "", fmt.Errorf("the variable %s is empty or not set: %w", where, assent.ErrInvalid)
	}
	raw, err := os.ReadFile(where)
	if err != nil {
		return "", fmt.Errorf("cannot read a secret: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}
