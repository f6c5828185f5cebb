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
	var a Arguments
	for i := 0; i < len(args); i++ {
		w := args[i]
		v := w.Value
		switch {
		case v == "--" && w.Known:
			a.Operands = append(a.Operands, args[i+1:]...)
			return a
		case strings.HasPrefix(v, "--") && len(v) > 2:
			i = a.one(args, i, v[2:], p.takes)
		case p.long && strings.HasPrefix(v, "-") && len(v) > 1:
			i = a.one(args, i, v[1:], p.takes)
		case strings.HasPrefix(v, "-") && len(v) > 1:
			i = a.cluster(args, i, p.takes)
		case p.stops:
			a.Operands = append(a.Operands, args[i:]...)
			return a
		default:
			a.Operands = append(a.Operands, w)
		}
	}
	return a
}

// one reads one long option and returns the index of the last argument it used.
func (a *Arguments) one(args []assent.Word, i int, text, takes string) int {
	name, val, given := strings.Cut(text, "=")
	o := Option{Name: name, Given: given, Value: assent.Word{Text: args[i].Text, Value: val, Known: args[i].Known}}
	if !given && has(takes, name) && i+1 < len(args) {
		i++
		o.Given, o.Value = true, args[i]
	}
	a.Options = append(a.Options, o)
	return i
}

// cluster reads letters that share one dash and returns the index of the last
// argument it used.
func (a *Arguments) cluster(args []assent.Word, i int, takes string) int {
	v := args[i].Value
	for j := 1; j < len(v); j++ {
		o := Option{Name: v[j : j+1]}
		if has(takes, o.Name) {
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
func (o Option) named(wanted string) bool {
	for wanted != "" {
		var want string
		want, wanted, _ = strings.Cut(wanted, " ")
		want = strings.TrimPrefix(want, "-")
		long := strings.HasPrefix(want, "-")
		want = strings.TrimPrefix(want, "-")
		if o.Name == want || long && len(o.Name) > 2 && strings.HasPrefix(want, o.Name) {
			return true
		}
	}
	return false
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
