package assent

// Where a command's words lead, and what stands beside the commands of a call.

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// devices are files that keep nothing and give nothing away.
var devices = []string{"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"}

// Within reports whether the command runs in root or below it, and no word of it
// leads out: every word is known, and whatever in one is an absolute path, or
// climbs with "..", lies under root. Links are not followed.
func (cmd Command) Within(root string) bool {
	if !Under(cmd.Dir, root) {
		return false
	}
	inside := func(w Word) bool { return w.Known && !leads(w.Value, cmd.Dir, root) }
	for _, w := range cmd.Args {
		if !inside(w) {
			return false
		}
	}
	return !slices.ContainsFunc(cmd.Redirects, func(r Redirect) bool {
		return !strings.HasPrefix(r.Op, "<<") && !inside(r.Target)
	})
}

// leads reports whether a word, or a part of it behind an option or one of the
// signs that programs put between paths, leads out of root.
func leads(word, dir, root string) bool {
	if strings.Contains(word, "://") {
		return strings.HasPrefix(strings.ToLower(word), "file:") || !Under(path.Join(dir, word), root)
	}
	if out(word, dir, root) {
		return true
	}
	for part := range strings.FieldsFuncSeq(word, func(c rune) bool { return strings.ContainsRune("=,:@", c) }) {
		if out(part, dir, root) || len(part) > 2 && part[0] == '-' && out(part[2:], dir, root) {
			return true
		}
	}
	return false
}

// out reports whether a path leads out of root.
func out(text, dir, root string) bool {
	switch {
	case strings.HasPrefix(text, "~"):
		return true // somebody's home, and whose is for a shell to say
	case path.IsAbs(text):
		return !Under(text, root) && !slices.Contains(devices, path.Clean(text))
	}
	return !Under(path.Join(dir, text), root)
}

// separators are what may stand between the commands of a class.
const separators = " \t\n;&|"

// Besides returns what stands in the text of a shell call beside its commands and
// the signs that separate them: assignments, loops, functions. Empty: nothing.
// Of a call that is no shell's, or whose commands are not where they say, it is
// everything.
func (c Case) Besides() string {
	text, ok := c.line()
	if !ok {
		return string(c.Input)
	}
	rest := []byte(text)
	for _, cmd := range c.Commands {
		from, to := cmd.Span.From, cmd.Span.To
		if from < 0 || from >= to || to > len(rest) {
			return text
		}
		for i := from; i < to; i++ {
			rest[i] = ' '
		}
	}
	return strings.Trim(string(rest), separators)
}

// line is the text of a shell call.
func (c Case) line() (text string, ok bool) {
	var in map[string]json.RawMessage
	ok = json.Unmarshal(c.Input, &in) == nil && json.Unmarshal(in["command"], &text) == nil && text != ""
	return text, ok
}
