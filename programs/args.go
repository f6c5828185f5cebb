package programs

// Arguments: options and operands of a command, by the habits of its program.

import (
	"strings"

	"assent"
)

// Option is one option as given: a letter or a long name, without its dashes.
type Option struct {
	Name  string
	Value assent.Word
	Given bool // with a value
	whole bool // the program knows the name, so it is not another's cut short
	open  bool // what follows in the same argument is not known
	other bool // it stands in a command that the program runs
}

// Arguments are the arguments of one command.
type Arguments struct {
	Options  []Option
	Operands []assent.Word
}

// Read splits the arguments of a command. Of a program that nobody knows, no
// option takes a value.
func Read(c assent.Command) Arguments {
	if p := Lookup(c.Name); p != nil {
		return p.Read(c.Args)
	}
	return (&Program{}).Read(c.Args)
}

// has reports whether name stands in a list of words with blanks between.
func has(list, name string) bool {
	if !strings.Contains(list, name) {
		return false
	}
	for list != "" {
		var x string
		x, list, _ = strings.Cut(list, " ")
		if x == name {
			return name != ""
		}
	}
	return false
}

// Read splits arguments. What is not known counts as an operand, unless it
// starts as an option does.
func (p *Program) Read(args []assent.Word) Arguments {
	a := p.split(args, vocabulary{p.may})
	if may := p.letters(&a); may != nil {
		a = p.split(args, append(may, p.may))
	}
	for i := range a.Options {
		o := &a.Options[i]
		o.whole = len(o.Name) > 2 && p.knows[o.Name]
	}
	return a
}

func (p *Program) split(args []assent.Word, may vocabulary) Arguments {
	var a Arguments
	other := false
	for i := 0; i < len(args); i++ {
		w := args[i]
		v := w.Value
		n := len(a.Options)
		switch {
		case v == "--" && w.Known:
			a.Operands = append(a.Operands, args[i+1:]...)
			return a
		case strings.HasPrefix(v, "--") && len(v) > 2:
			i = a.one(args, i, v[2:], p.takes)
		case p.long && strings.HasPrefix(v, "-") && len(v) > 1:
			i = a.one(args, i, v[1:], p.takes)
		case strings.HasPrefix(v, "-") && len(v) > 1:
			i = a.cluster(args, i, p.takes, may)
		case p.stops:
			a.Operands = append(a.Operands, args[i:]...)
			return a
		default:
			a.Operands = append(a.Operands, w)
			other = other && v != ";" && (v != "+" || args[i-1].Value != "{}")
		}
		for j := range a.Options[n:] {
			o := &a.Options[n+j]
			o.other, other = other, other || p.runs[o.Name]
		}
	}
	return a
}

// one reads one long option and returns the index of the last argument it used.
func (a *Arguments) one(args []assent.Word, i int, text string, takes set) int {
	name, val, given := strings.Cut(text, "=")
	o := Option{Name: name, Given: given, open: !given && !args[i].Known, Value: assent.Word{Text: args[i].Text, Value: val, Known: args[i].Known}}
	if !given && takes[name] && i+1 < len(args) {
		i++
		o.Given, o.Value = true, args[i]
	}
	a.Options = append(a.Options, o)
	return i
}

// cluster reads letters that share one dash and returns the index of the last
// argument it used. Letters that may take a value take what follows them in the
// same argument.
func (a *Arguments) cluster(args []assent.Word, i int, takes set, may vocabulary) int {
	v := args[i].Value
	for j := 1; j < len(v); j++ {
		o := Option{Name: v[j : j+1]}
		if takes[o.Name] || j+1 < len(v) && may.name(o.Name) {
			o.Given = true
			if j+1 < len(v) {
				o.Value = assent.Word{Text: args[i].Text, Value: v[j+1:], Known: args[i].Known}
			} else if i+1 < len(args) {
				i++
				o.Value = args[i]
			}
			a.Options = append(a.Options, o)
			return i
		}
		o.open = j+1 == len(v) && !args[i].Known
		a.Options = append(a.Options, o)
	}
	return i
}

// Option reports whether one of the wanted options is given: "-f --force". Long
// options may be cut short, as most programs allow.
func (a Arguments) Option(wanted string) bool {
	for i := range a.Options {
		if a.Options[i].named(wanted) {
			return true
		}
	}
	return false
}

// named reports whether the option is one of several, as Arguments.Option says.
func (o *Option) named(wanted string) bool {
	for wanted != "" {
		var want string
		want, wanted, _ = strings.Cut(wanted, " ")
		want = strings.TrimPrefix(want, "-")
		name, long := strings.CutPrefix(want, "-")
		if o.is(optionName{name, long}) {
			return true
		}
	}
	return false
}

// is reports whether the option has this name, or is a long one cut short.
func (o *Option) is(want optionName) bool {
	return o.Name == want.text || want.text == "*" || want.long && len(o.Name) > 2 && !o.whole && strings.HasPrefix(want.text, o.Name)
}

// Values returns the values of options, all of them.
func (a Arguments) Values(names string) []assent.Word {
	var out []assent.Word
	for _, o := range a.Options {
		if o.Given && has(names, o.Name) {
			out = append(out, o.Value)
		}
	}
	return out
}

// Word returns the value of an operand, empty when there is none or it is not
// known.
func (a Arguments) Word(n int) string {
	if n >= len(a.Operands) || !a.Operands[n].Known {
		return ""
	}
	return a.Operands[n].Value
}
