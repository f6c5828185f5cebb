package shell

// Wrappers: programs that start the program their arguments name, or run code
// that an option holds. What a row of their table says.

import (
	"strings"
	"sync"

	"assent"
)

// wrapper is one way in which a program starts others. Options are named
// without their dashes, several with blanks between.
type wrapper struct {
	name   string // base names of programs
	sub    string // subcommands after which it does, in order; "a|b" is either, "*" any
	global string // options in front of the subcommand that take a value, and count only there
	when   string // options of which one must be given, perhaps as option=value

	short   string // letters of the options that take a value
	long    string // other options that take a value
	twice   string // long options that take two
	abbr    bool   // long options may be shortened
	onedash bool   // long options have one dash
	env     bool   // operands NAME=value set its environment
	dir     string // options whose value is the directory of what it starts
	idle    string // options with which it starts nothing

	text   string // options whose value is shell code that runs instead of operands
	side   string // options whose value is shell code that runs besides; "*" is every operand
	code   code   // finds the shell code in a value of side or global, or in joined operands
	split  string // options whose value is split into words
	span   string // options after which the words up to ";" are a command
	head   string // options whose value is the inner program, its operands behind it
	script string // options whose value is a file of shell code

	skip  int    // operands in front of the inner program
	gap   bool   // the inner program only begins behind "--"
	kind  kinds  // what the operands are
	runs  string // the inner program, when the operands are only its arguments
	pkg   bool   // the inner program is named by its package, perhaps with a version
	feeds bool   // it appends words of its own (xargs)
	stdin bool   // without an inner program it runs its standard input as shell code

	keep bool // it is a command of its own besides
	far  bool // it starts on another machine or in a container
}

// code returns the shell code that an option's value holds, if it holds any.
type code func(option, value string) (string, bool)

// kinds is what the operands of a wrapper are.
type kinds int

const (
	program  kinds = iota // a program and its arguments
	joined                // words that are joined and given to a shell
	texts                 // each is shell code
	template              // as joined, once for each word behind ":::" or line of input
	none                  // nothing that runs
)

// rows are the wrappers by the names of programs.
var rows = sync.OnceValue(func() map[string][]*wrapper {
	m := make(map[string][]*wrapper, 2*len(wrappers))
	for i := range wrappers {
		for _, name := range strings.Fields(wrappers[i].name) {
			m[name] = append(m[name], &wrappers[i])
		}
	}
	return m
})

// Far reports whether a command runs on another machine or in a container:
// paths, processes and users that it names are not those of this machine.
func Far(c assent.Command) bool {
	for _, name := range c.Via {
		for _, row := range rows()[name] {
			if row.far {
				return true
			}
		}
	}
	return false
}
