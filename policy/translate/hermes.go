package translate

// Hermes: config.yaml, approvals.deny and command_allowlist.

import (
	"errors"
	"fmt"
	"slices"
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
			l.entry = assent.Allow
			l.leave(entry, "it is a class of commands that Hermes knows, and no command; here commands are allowed by program and arguments")
		}
	}
	l.entry = assent.None
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

// prose are words that the names of Hermes's classes have in them, and that hardly
// stand in commands.
var prose = []string{"a", "and", "execution", "flag", "flags", "from", "into", "of", "or", "outside", "over", "piped", "the", "under", "using", "via", "with", "without"}

// isCommand tells the commands of Hermes's list from the names of its classes,
// which are words of a language ("recursive delete", "code of a pipe via -c/-e",
// "tirith:homoglyph").
func isCommand(entry string) bool {
	words := strings.Fields(entry)
	if len(words) == 0 || strings.ContainsAny(entry, "()") || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(prose, w) }) {
		return false
	}
	first := words[0]
	return programs.Lookup(first) != nil || strings.ContainsAny(first[:1], "./~") || strings.Contains(first, "*") || strings.Contains(entry, " -")
}
