package review

// Examples: commands that a scope covers, and such that it does not, so that a
// person sees where it ends.

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"assent"
)

// Bounds of examples.
const (
	wanted     = 2    // of either kind
	maxExample = 1000 // bytes of a command of which examples are made
)

// exemplified is an offer with examples, each judged as it would be. Without an
// analyser, or of what is no short command, it has none.
func exemplified(o assent.Offer, c assent.Case, analyse Analyse) assent.Offer {
	line := text(c)
	if analyse == nil || len(c.Commands) != 1 || line == "" || len(line) > maxExample {
		return o
	}
	covers := func(candidate string) bool {
		e := c.Event
		e.Input, _ = json.Marshal(map[string]string{"command": candidate})
		return o.Scope.Covers(analyse(e))
	}
	for _, x := range alike(line, c.Commands[0], o.Scope.Programs) {
		if len(o.Match) < wanted && !slices.Contains(o.Match, x) && covers(x) {
			o.Match = append(o.Match, x)
		}
	}
	for _, kind := range unlike(line, c.Commands[0]) {
		i := slices.IndexFunc(kind, func(x string) bool { return !covers(x) })
		if i >= 0 && len(o.NotMatch) < wanted {
			o.NotMatch = append(o.NotMatch, kind[i])
		}
	}
	return o
}

// text is the command line of a case.
func text(c assent.Case) string {
	var in struct{ Command string }
	_ = json.Unmarshal(c.Input, &in) // what is no command has no examples
	return strings.TrimSpace(in.Command)
}

// alike are commands that may be covered as well: this one, and with other operands
// or another subcommand.
func alike(line string, cmd assent.Command, programs []string) []string {
	words, head := given(cmd), prefix(cmd)
	out := []string{line}
	if len(programs) > 1 {
		out = append(out, programs...)
	}
	if i := operand(words, len(head)); i > 0 {
		out = append(out, with(words, i, path.Join(words[i], "other")), with(words, i, "other"))
	}
	return append(out, joined(append(words, "other")), joined(append(head, "other")), joined(head), joined(append(head, "--verbose")))
}

// unlike are commands that should not be covered, by kind: another subcommand,
// another place, something more, and other rights.
func unlike(line string, cmd assent.Command) [][]string {
	words, head := given(cmd), prefix(cmd)
	var other, outside []string
	if n := len(head) - 1; n > 0 {
		for _, sub := range []string{"push", "delete", "publish", "remove"} {
			other = append(other, with(head, n, sub))
		}
	}
	if i := operand(words, len(head)); i > 0 {
		outside = append(outside, with(words, i, "../other"))
	}
	return [][]string{other, append(outside, joined(append(head, "../other"))), {line + " && rm -rf other"}, {"sudo " + line}}
}

// operand is the last operand after the first words; 0: there is none.
func operand(words []string, from int) int {
	for i := len(words) - 1; i >= from; i-- {
		if !strings.HasPrefix(words[i], "-") {
			return i
		}
	}
	return 0
}

// with is a command line with another word in one place.
func with(words []string, i int, word string) string {
	words = slices.Clone(words)
	words[i] = word
	return joined(words)
}

// given are the words of a command as they are known.
func given(cmd assent.Command) []string {
	words := []string{cmd.Name}
	for _, a := range cmd.Args {
		words = append(words, a.Value)
	}
	return slices.Clip(words)
}

// joined writes words as a command line.
func joined(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+%") != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}
