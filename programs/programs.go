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
	takes string // options that take a value: letters and long names, without dashes
	fine  string // options that are no cause for doubt in this program
	long  bool   // options with one dash are long names, as in "-auto-approve"
	stops bool   // options end at the first operand
	rules []rule
}

// Fact is one thing that an invocation does.
type Fact struct {
	Code  string
	Note  string // a sentence for people; empty = what Says has for the code
	Words int    // how many operands are the subcommand that does it
}

// family is one file: the programs it names, parsed when first asked for.
type family struct {
	path string
	once sync.Once
	all  map[string]*Program
}

// index finds the file that speaks of a program. It is made at the first Lookup:
// what imports this package must not pay for it when it starts.
var index = sync.OnceValue(func() map[string]*family {
	out := map[string]*family{}
	entries, _ := files.ReadDir("data")
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".txtar") {
			continue
		}
		f := &family{path: "data/" + e.Name()}
		for line := range knowledge(f.path) {
			if names, ok := head(line); ok {
				for _, name := range names {
					out[name] = f
				}
			}
		}
	}
	return out
})

// Lookup returns what is known about the program with this base name, or nil. A
// version or the ending of a Windows program is not part of the name:
// python3.12, clang-17 and git.exe are python3, clang and git. It may be called
// concurrently.
func Lookup(name string) *Program {
	for {
		if f := index()[name]; f != nil {
			f.once.Do(f.read)
			return f.all[name]
		}
		short := unversioned(name)
		if short == name {
			return nil
		}
		name = short
	}
}

// Names returns every program of which something is known, in no order.
func Names() []string {
	var out []string
	for name := range index() {
		out = append(out, name)
	}
	return out
}

// unversioned cuts ".exe", or a last part made of digits and dots: first what
// follows the last dot or dash, then the digits that end the name.
func unversioned(name string) string {
	if s, ok := strings.CutSuffix(name, ".exe"); ok {
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
