package programs

// Rules: one statement of a file, and whether it fits an invocation.

import (
	"slices"
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
	code   string
	note   string
	words  []either // subcommands; anyNumber is any number of them
	given  []choice // options that must be given
	not    []choice // options that must not be given
	any    []either // one of the further operands must fit each
	but    []either // every further operand is known not to fit
	more   int      // further operands, at least
	none   bool     // no further operand
	away   bool     // an operand or an option's value that leads out of the directory
	asks   int      // the most that the rule asks for
	weight int      // how many subcommands it names
}

// either is one of several texts.
type either []pattern

// pattern is a text, in which "*" is any text when it is a glob.
type pattern struct {
	text string
	glob bool
}

// anyNumber is any number of subcommands.
const anyNumber = "**"

func newEither(text string) either {
	var out either
	for one := range strings.SplitSeq(text, "|") {
		out = append(out, pattern{one, strings.Contains(one, "*")})
	}
	return out
}

// free reports whether any word fits, or any number of them.
func (e either) free() bool { return strings.Trim(e[0].text, "*") == "" }

// choice is an option by any of its names, with any of these values if there
// are some.
type choice struct {
	names  []optionName
	values either
}

// optionName is a name without its dashes; a long one may be cut short.
type optionName struct {
	text string
	long bool
}

func newChoice(text string) choice {
	var c choice
	names, values, with := strings.Cut(text, "=")
	for one := range strings.SplitSeq(names, "|") {
		one = strings.TrimPrefix(one, "-")
		name, long := strings.CutPrefix(one, "-")
		c.names = append(c.names, optionName{name, long})
	}
	if with {
		c.values = newEither(values)
	}
	return c
}

func newRule(code string, elements []string, note string) rule {
	r := rule{code: code, note: note}
	for _, e := range elements {
		switch {
		case e == ".":
			r.none = true
		case e == "/":
			r.away = true
		case strings.Trim(e, "+") == "":
			r.more = len(e)
		case e[0] == '?' && len(e) > 1:
			r.any = append(r.any, newEither(e[1:]))
		case strings.HasPrefix(e, "!?") && len(e) > 2:
			r.but = append(r.but, newEither(e[2:]))
		case e[0] == '!' && len(e) > 1:
			r.not = append(r.not, newChoice(e[1:]))
		case e[0] == '-' && len(e) > 1:
			r.given = append(r.given, newChoice(e))
		default:
			r.words = append(r.words, newEither(e))
		}
	}
	r.asks = r.most()
	for _, w := range r.words {
		if !w.free() {
			r.weight++
		}
	}
	return r
}

// What a rule asks for besides subcommands.
const (
	nothing  = iota
	operands // further operands, or options that must not be given
	options  // options that must be given
)

// most is the most that the rule asks for.
func (r *rule) most() int {
	switch {
	case len(r.given) > 0:
		return options
	case len(r.not)+len(r.any)+len(r.but) > 0 || r.more > 0 || r.none || r.away:
		return operands
	}
	return nothing
}

// fits reports whether the rule says something about an invocation, and how many
// operands are its subcommands.
func (r *rule) fits(a *Arguments) (words int, ok bool) {
	for i := range r.given {
		if !r.given[i].in(a) || r.code == dry && !r.given[i].on(a) {
			return 0, false
		}
	}
	for i := range r.not {
		if r.not[i].in(a) {
			return 0, false
		}
	}
	if r.away && !a.away() {
		return 0, false
	}
	rest, ok := r.along(r.words, a.Operands)
	return len(a.Operands) - rest, ok
}

// suits is fits without the number.
func (r *rule) suits(a *Arguments) bool {
	_, ok := r.fits(a)
	return ok
}

// away reports whether an operand or an option's value leads out of the
// directory by its looks: "/x", "~/x", "../x", or what is not known.
func (a *Arguments) away() bool {
	out := func(w assent.Word) bool {
		v := w.Value
		return v == "" && !w.Known && w.Text != "" || v != "" && (v[0] == '/' || v[0] == '~') || v == ".." || strings.HasPrefix(v, "../") || strings.Contains(v, "/../")
	}
	return slices.ContainsFunc(a.Operands, out) || slices.ContainsFunc(a.Options, func(o Option) bool { return o.Given && out(o.Value) })
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
	for _, unwanted := range r.but {
		if anyOf(unwanted, rest) || slices.ContainsFunc(rest, func(w assent.Word) bool { return !w.Known }) {
			return false
		}
	}
	return true
}

func anyOf(want either, words []assent.Word) bool {
	for i := range words {
		if want.fits(&words[i]) {
			return true
		}
	}
	return false
}

// along matches subcommands from the first operand on, and what follows them: how
// many operands those are.
func (r *rule) along(want []either, have []assent.Word) (rest int, ok bool) {
	for i, w := range want {
		if w[0].text == anyNumber {
			for j := range len(have) + 1 {
				if rest, ok := r.along(want[i+1:], have[j:]); ok {
					return rest, true
				}
			}
			return 0, false
		}
		if len(have) == 0 || !w.fits(&have[0]) {
			return 0, false
		}
		have = have[1:]
	}
	return len(have), r.further(have)
}

// in reports whether the option is among those that are given.
func (c *choice) in(a *Arguments) bool {
	for i := range a.Options {
		if o := &a.Options[i]; c.has(o) && (c.values == nil || o.Given && c.values.fits(&o.Value)) {
			return true
		}
	}
	return false
}

// has reports whether the option has one of the names.
func (c *choice) has(o *Option) bool {
	return slices.ContainsFunc(c.names, o.is)
}

// on reports whether the option is still on at the end, in the program's own
// arguments: neither "--dry-run=false", nor a later "--no-dry-run" takes it back.
func (c *choice) on(a *Arguments) bool {
	on := false
	for i := range a.Options {
		o := &a.Options[i]
		positive, negated := strings.CutPrefix(o.Name, "no-")
		switch {
		case o.other:
		case c.has(o):
			on = !o.off() && (i+1 == len(a.Options) || a.Options[i+1].Name != "=") // "-n=false"
		case negated && c.has(&Option{Name: positive}):
			on = false
		}
	}
	return on
}

// off reports whether the option is given with a value that switches it off, or
// that is not known, or that makes something else of it than help: "-h HOST".
func (o *Option) off() bool {
	if !o.Given || o.Value.Text == "" {
		return false
	}
	return !o.Value.Known || has("h v V", o.Name) || has("false 0 no off none f", strings.ToLower(o.Value.Value))
}

// fits reports whether a word is one of the texts. What is not known is "*", and
// what its known start is for sure: "s3://$X" is "s3://*".
func (e either) fits(w *assent.Word) bool {
	for i := range e {
		one := &e[i]
		switch {
		case one.glob && one.text == "*":
			return true
		case !w.Known && (w.Value == "" || !strings.HasSuffix(one.text, "*")):
		case one.text == w.Value || one.glob && like(one.text, w.Value):
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
