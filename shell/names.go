package shell

// Names that builtins are given: which variables they set, and what runs because
// of how a name is written.

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"assent"
)

// given tells of a variable that the shell obeys and that is set by other means
// than an assignment.
func (w *walker) given(name string, v value) {
	if !slices.Contains(obeyed, name) {
		return
	}
	if !v.known && name == "PATH" {
		w.find(Unknown, "It sets PATH to what is only known when the command runs.")
	}
	env := []assent.Assign{{Name: name, Value: assent.Word{Text: v.text, Value: v.text, Known: v.known}}}
	w.emit(run{words: []assent.Word{{Value: ":", Known: true}}, env: env, dir: w.st.dir})
}

// namers are builtins whose operands are names, with the options that take a
// value, and those of them whose value is a name. Of some only these are.
var namers = []namer{
	{"read", "adinNptu", "a", true}, {"mapfile readarray", "dnOsuCc", "", true},
	{"unset getopts declare typeset local export readonly", "", "", true},
	{"wait", "p", "p", false}, {"printf test [", "v", "v", false},
}

type namer struct {
	builtins, short, names string
	operands               bool
}

// names walks what runs because of the names, and the numbers, that a builtin
// is given.
func (w *walker) names(name string, args []assent.Word) {
	if name == "let" {
		for _, a := range args {
			w.number(a.Value, name, 0)
		}
		return
	}
	for _, b := range namers {
		if has(b.builtins, name) {
			w.named(b, name, args)
		}
	}
}

func (w *walker) named(b namer, name string, args []assent.Word) {
	for i := 0; i < len(args); i++ {
		v := args[i].Value
		option, letter := len(v) > 1 && v[0] == '-', ""
		if at := strings.IndexAny(v, b.short); option && v[1] != '-' && at > 0 {
			letter, v = v[at:at+1], v[at+1:]
			if v == "" && i+1 < len(args) {
				i++
				v = args[i].Value
			}
		}
		switch {
		case letter == "C":
			if !args[i].Known {
				w.find(Unknown, "It gives %s a text to run as shell code that is only made when the command runs.", name)
			}
			w.code(v, name)
		case letter != "" && strings.Contains(b.names, letter), !option && b.operands && !assigns(v):
			w.evaluated(v, name)
		}
	}
}

// assigns reports whether an operand gives a value to a plain name.
func assigns(operand string) bool {
	name, _, ok := strings.Cut(operand, "=")
	return ok && syntax.ValidName(strings.TrimSuffix(name, "+"))
}
