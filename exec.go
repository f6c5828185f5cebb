package assent

// Exec as it is read: one spelling, or nothing.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// OpenStdin is the Stdin of an Exec that reads whatever comes, such as what is typed
// at a terminal: it is bound to nothing.
const OpenStdin = "open"

// Exec returns the input of a call of ToolExec. ErrInvalid for what has more, less or
// other in it than an Exec: who shows it, who judges it and who runs it read the same.
func (e Event) Exec() (Exec, error) {
	var x Exec
	if e.Tool != ToolExec {
		return x, fmt.Errorf("a call of %s is no program to run: %w", e.Tool, ErrInvalid)
	}
	canon, err := Canonical(e.Input)
	if err != nil {
		return x, fmt.Errorf("the input of the call is no program to run: %w", err)
	}
	if err := json.Unmarshal(canon, &x); err != nil {
		return x, fmt.Errorf("the input of the call is no program to run: %w", ErrInvalid)
	}
	again, err := x.Input()
	if err != nil {
		return x, err
	}
	if !bytes.Equal(again, canon) {
		return x, fmt.Errorf("the input of the call has other fields than a program to run has: %w", ErrInvalid)
	}
	return x, nil
}

// Input is x as the canonical input of an Event. ErrInvalid for what cannot be run, or
// not be written as JSON: an argument that is not UTF-8, or has a NUL in it.
func (x Exec) Input() (json.RawMessage, error) {
	if err := x.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrInvalid)
	}
	raw, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	return Canonical(raw)
}

func (x Exec) check() error {
	if len(x.Argv) == 0 || x.Argv[0] == "" {
		return errors.New("there is no program to run")
	}
	for i, arg := range x.Argv {
		if !utf8.ValidString(arg) || strings.ContainsRune(arg, 0) {
			return fmt.Errorf("argument %d is not text: what cannot be shown cannot be approved", i)
		}
	}
	for name, value := range x.Env {
		if !VariableName(name) || !hashed(value) {
			return fmt.Errorf("%q is no name of a variable, or its value is not bound", name)
		}
	}
	if x.Stdin != "" && x.Stdin != OpenStdin && !hashed(x.Stdin) {
		return errors.New("its standard input is not bound")
	}
	for _, o := range append([]Operand{x.Program}, x.Files...) {
		if !filepath.IsAbs(o.Path) || !utf8.ValidString(o.Path) || len(o.SHA256) != 64 {
			return fmt.Errorf("%q is not bound by its content", o.Path)
		}
	}
	if !slices.IsSortedFunc(x.Files, func(a, b Operand) int { return strings.Compare(a.Path, b.Path) }) {
		return errors.New("the files are not sorted")
	}
	return nil
}

// hashed reports whether a text stands for what is bound by its hash.
func hashed(s string) bool { return strings.HasPrefix(s, "sha256:") && len(s) == len("sha256:")+64 }

// VariableName reports whether an environment may have a variable of this name.
func VariableName(name string) bool {
	return name != "" && (name[0] < '0' || name[0] > '9') && strings.Trim(name, wordRunes) == ""
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Line spells the arguments as a shell would take them, each as itself.
func (x Exec) Line() string {
	out := make([]string, len(x.Argv))
	for i, arg := range x.Argv {
		out[i] = quoted(arg, i == 0)
	}
	return strings.Join(out, " ")
}

// quoted is a word that no shell takes for anything but itself: as the name of a
// program neither a keyword nor an assignment.
func quoted(word string, program bool) string {
	plain := word != "" && strings.Trim(word, wordRunes+"-./:,@+%=") == ""
	if plain && !(program && (strings.Contains(word, "=") || slices.Contains(keywords, word))) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// keywords are words that mean something else to a shell where a program could stand.
var keywords = []string{
	"if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in", "select", "function", "time", "coproc",
	"declare", "typeset", "local", "export", "readonly", "nameref", "let",
}
