// Package programs is what is known about programs: which of their subcommands
// and options only look, which write, delete or send, and which options take a
// value. It is data, one file a family of programs, in the folder data; the
// grammar of the files is in data/README.md.
//
// It never looks at the machine, knows nothing of shells, and has no opinion: a
// fact's code is all it says.
//
//	p := programs.Lookup("git")
//	a := p.Read(args)               // push --force origin main
//	facts, known := p.Facts(a)      // vcs.force_push
package programs

import (
	"embed"
	"strings"
	"sync"
)

//go:embed data/*.txtar
var files embed.FS

// Program is what is known about one program.
type Program struct {
	Name  string // as it was looked up
	takes set    // options that take a value: letters and long names, without dashes
	may   set    // letters of options that take a value when it follows in the same argument
	fine  set    // options that are no cause for doubt in this program
	long  bool   // options with one dash are long names, as in "-auto-approve"
	stops bool   // options end at the first operand
	runs  set    // options that another command follows, up to ";" or "{} +"
	only  []list // the options that it is known to have, empty when there may be others

	first  map[string][]*rule  // rules by the first subcommand that they name
	free   []*rule             // rules that may begin with any
	codes  set                 // of all rules
	knows  set                 // every option that is written of
	speaks map[optionName]bool // those that a rule asks for
	more   bool                // an option makes more of the program than a look
}

// set is a set of options, without their dashes.
type set map[string]bool

func newProgram(name string) *Program {
	return &Program{Name: name, takes: set{}, may: set{}, fine: set{}, runs: set{}, first: map[string][]*rule{}, codes: set{}, knows: set{}, speaks: map[optionName]bool{}}
}

// Fact is one thing that an invocation does.
type Fact struct {
	Code  string
	Note  string // a sentence for people; empty = what Says has for the code
	Words int    // how many operands are the subcommand that does it
}

// family is one file: the programs it names, each read when first asked for.
type family struct {
	path string
	once sync.Once
	says map[string][]string // the statements about a program, block by block
	done sync.Map            // *Program by name
}

// index says which file speaks of a program: sorted lines "name file". It is made
// by the tests of this package, so that nobody has to read all the files first.
//
//go:embed index.txt
var index string

// families are the files that were asked for, by name.
var families sync.Map

// fileOf finds the file that speaks of a program, empty when there is none.
func fileOf(name string) string {
	lo, hi := 0, len(index)
	for lo < hi {
		mid := strings.LastIndexByte(index[:(lo+hi)/2], '\n') + 1
		if mid < lo {
			mid = lo
		}
		line, _, _ := strings.Cut(index[mid:], "\n")
		key, file, _ := strings.Cut(line, " ")
		switch {
		case key == name:
			return file
		case key < name:
			lo = mid + len(line) + 1
		default:
			hi = mid
		}
	}
	return ""
}

func familyNamed(file string) *family {
	if f, ok := families.Load(file); ok {
		return f.(*family)
	}
	f, _ := families.LoadOrStore(file, &family{path: "data/" + file + ".txtar"})
	return f.(*family)
}

// Lookup returns what is known about the program with this base name, or nil. A
// version or the ending of a Windows program is not part of the name:
// python3.12, eslint@8 and git.exe are python3, eslint and git. It may be called
// concurrently.
func Lookup(name string) *Program {
	if p, ok := found.Load(name); ok {
		return p.(*Program)
	}
	p := lookup(name)
	if p != nil && p.Name == name { // other spellings have no end
		found.Store(name, p)
	}
	return p
}

// found are the programs that were asked for, by their own names.
var found sync.Map

func lookup(name string) *Program {
	for {
		if file := fileOf(name); file != "" {
			return familyNamed(file).program(name)
		}
		short := unversioned(name)
		if short == name {
			return nil
		}
		name = short
	}
}

// Can reports whether any use of the program is a fact of this code.
func (p *Program) Can(code string) bool { return p.codes[code] }

// Names returns every program of which something is known, sorted.
func Names() []string {
	var out []string
	for line := range strings.Lines(index) {
		name, _, _ := strings.Cut(line, " ")
		out = append(out, name)
	}
	return out
}

// unversioned cuts ".exe", what follows "@", or a last part made of digits and dots: first what
// follows the last dot or dash, then the digits that end the name.
func unversioned(name string) string {
	if s, ok := strings.CutSuffix(name, ".exe"); ok {
		return s
	}
	if s, _, ok := strings.Cut(name, "@"); ok && s != "" {
		return s
	}
	s := strings.TrimRight(name, "0123456789.")
	if i := len(s); i < len(name) && strings.Contains(name[i:], ".") && name[i] != '.' {
		major, _, _ := strings.Cut(name[i:], ".") // python3.12 is python3
		return s + major
	}
	if s = strings.TrimRight(s, "-"); s == "" {
		return name
	}
	return s
}
