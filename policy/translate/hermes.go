package translate

// Hermes: config.yaml, approvals.deny and command_allowlist.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"assent"
	"assent/programs"
)

func hermes(l *list) error {
	var file struct {
		Approvals struct {
			Deny []string
			Mode any
		}
		Allowlist []string `yaml:"command_allowlist"`
	}
	if err := decodeYAML(l.raw, &file); err != nil {
		return err
	}
	for _, entry := range file.Approvals.Deny {
		l.command(entry, assent.Deny, entry, "")
	}
	for _, entry := range file.Allowlist {
		if isCommand(entry) {
			l.command(entry, assent.Allow, entry, "")
		} else {
			l.leave(entry, "it is a class of commands that Hermes knows, and no command; here commands are allowed by program and arguments")
		}
	}
	if file.Approvals.Mode != nil {
		l.leave("mode", "who answers is no rule; see approvals.mode in assent's config.yaml")
	}
	return nil
}

// decodeYAML reads what it knows of a file, and passes over the rest. The decoder
// panics on some of what is no YAML.
func decodeYAML(raw []byte, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it cannot be read: %v: %w", p, assent.ErrInvalid)
		}
	}()
	err = yaml.Unmarshal(raw, into)
	var bad yaml.Error
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("line %d: %s: %w", bad.GetToken().Position.Line, bad.GetMessage(), assent.ErrInvalid)
	case err != nil:
		return fmt.Errorf("it cannot be read: %w: %w", err, assent.ErrInvalid)
	}
	return nil
}

// isCommand tells the commands of Hermes's list from the names of its classes,
// which are words of a language ("recursive delete", "tirith:homoglyph").
func isCommand(entry string) bool {
	first, _, _ := strings.Cut(entry, " ")
	return programs.Lookup(first) != nil || strings.ContainsAny(first, "*./") || strings.Contains(entry, " -")
}
