package programs

// The list of what is known, for people who want to read it.

import (
	"iter"
	"slices"
	"strings"
)

// Statement is one thing that the knowledge says of programs, as its file has it.
type Statement struct {
	Verb     string   `json:"verb"`           // "takes", "looks", "dry" …, or the code of a fact
	Patterns []string `json:"patterns"`       // for which uses, or which options; none = every use
	Note     string   `json:"note,omitempty"` // the sentence for people
}

// Statements returns what is known about the program with this base name, in the
// order of its file, and the name under which it is known: python3 for
// python3.12. It returns "" and nil when nothing is known. It may be called
// concurrently.
func Statements(name string) (known string, all []Statement) {
	p := Lookup(name)
	if p == nil {
		return "", nil
	}
	for names, s := range statements(familyNamed(fileOf(p.Name)).path) {
		if slices.Contains(names, p.Name) {
			all = append(all, s)
		}
	}
	return p.Name, all
}

// Doing returns the programs of which a statement has this verb or code, sorted.
func Doing(verb string) []string {
	found := map[string]bool{}
	for _, path := range paths() {
		for names, s := range statements(path) {
			for _, name := range names {
				found[name] = found[name] || s.Verb == verb
			}
		}
	}
	out := []string{}
	for name, does := range found {
		if does {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// paths are the files of the knowledge, sorted.
func paths() []string {
	var out []string
	entries, _ := files.ReadDir("data") // it is embedded: a test reads every file
	for _, e := range entries {
		out = append(out, "data/"+e.Name())
	}
	return out
}

// statements yields what a file says, each with the programs that it says it of.
func statements(path string) iter.Seq2[[]string, Statement] {
	return func(yield func([]string, Statement) bool) {
		var names []string
		for line := range knowledge(path) {
			if named, ok := head(line); ok {
				names = named
			} else if !yield(names, statement(line)) {
				return
			}
		}
	}
}

// statement takes one line apart.
func statement(line string) Statement {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	patterns, note, _ := strings.Cut(rest, "=>")
	s := Statement{Verb: verb, Patterns: []string{}, Note: strings.TrimSpace(note)}
	for one := range strings.SplitSeq(patterns, ",") {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			s.Patterns = append(s.Patterns, one)
		}
	}
	return s
}
