package programs

// Rules: one statement of a file, and whether it fits an invocation.

import (
	"strings"

	"assent"
)

// The verbs that are no codes.
const (
	looks = "looks" // it only looks
	dry   = "dry"   // it only says what it would do, whatever else is given
)

// rule is one pattern of a statement.
type rule struct {
	code  string
	note  string
	words []string // subcommands: alternatives with "|", "*" in them is any text; "**" is any number of words
	given []choice // options that must be given
	not   []choice // options that must not be given
	any   []string // patterns of which one of the further operands must match each
	more  int      // further operands, at least
	none  bool     // no further operand
}

// choice is an option by any of its names, with any of these values if there
// are some.
type choice struct {
	names  string
	values string
}

func newRule(code string, elements []string, note string) rule {
	r := rule{code: code, note: note}
	for _, e := range elements {
		switch {
		case e == ".":
			r.none = true
		case strings.Trim(e, "+") == "":
			r.more = len(e)
		case e[0] == '?' && len(e) > 1:
			r.any = append(r.any, e[1:])
		case e[0] == '!' && len(e) > 1:
			r.not = append(r.not, newChoice(e[1:]))
		case e[0] == '-' && len(e) > 1:
			r.given = append(r.given, newChoice(e))
		default:
			r.words = append(r.words, e)
		}
	}
	return r
}

func newChoice(text string) choice {
	names, values, _ := strings.Cut(text, "=")
	return choice{names: strings.ReplaceAll(names, "|", " "), values: values}
}

// bare reports whether nothing but subcommands is asked for.
func (r *rule) bare() bool {
	return len(r.given)+len(r.not)+len(r.any) == 0 && r.more == 0 && !r.none
}

// weight is how many subcommands the rule names.
func (r *rule) weight() int {
	n := 0
	for _, w := range r.words {
		if strings.Trim(w, "*") != "" {
			n++
		}
	}
	return n
}

// fits reports whether the rule says something about an invocation.
func (r *rule) fits(a Arguments) bool {
	for _, c := range r.given {
		if !c.in(a) {
			return false
		}
	}
	for _, c := range r.not {
		if c.in(a) {
			return false
		}
	}
	return along(r.words, a.Operands, func(rest []assent.Word) bool { return r.further(rest) })
}

// further judges the operands after the subcommands.
func (r *rule) further(rest []assent.Word) bool {
	if len(rest) < r.more || r.none && len(rest) > 0 {
		return false
	}
	for _, want := range r.any {
		if !anyOf(want, rest) {
			return false
		}
	}
	return true
}

func anyOf(want string, words []assent.Word) bool {
	for _, w := range words {
		if either(want, w) {
			return true
		}
	}
	return false
}

// along matches subcommands from the first operand on.
func along(want []string, have []assent.Word, then func([]assent.Word) bool) bool {
	for i, w := range want {
		if w == "**" {
			for j := range len(have) + 1 {
				if along(want[i+1:], have[j:], then) {
					return true
				}
			}
			return false
		}
		if len(have) == 0 || !either(w, have[0]) {
			return false
		}
		have = have[1:]
	}
	return then(have)
}

func (c choice) in(a Arguments) bool {
	if c.values == "" {
		return a.Option(c.names)
	}
	for _, o := range a.Options {
		if o.named(c.names) && o.Given && either(c.values, o.Value) {
			return true
		}
	}
	return false
}

// either reports whether a word is one of several, of which each may have "*"
// in it for any text. What is not known is only "*".
func either(want string, w assent.Word) bool {
	if want == "*" {
		return true
	}
	if !w.Known {
		return false
	}
	for want != "" {
		var one string
		one, want, _ = strings.Cut(want, "|")
		if one == w.Value || strings.Contains(one, "*") && like(one, w.Value) {
			return true
		}
	}
	return false
}

// like matches a pattern in which "*" is any text.
func like(pattern, text string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	for {
		part, after, again := strings.Cut(rest, "*")
		if !again {
			return strings.HasSuffix(text, part)
		}
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(part):], after
	}
}
