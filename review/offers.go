package review

// Offers: the scopes that a person may choose to grant for one case.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assent"
)

// plain are programs whose findings name everything that they change, so that a
// class of their calls may be granted. No wrapper and no interpreter is ever
// among them; nor is mv, which takes away what no finding names, nor chmod and
// mkdir, which often have no finding at all, nor printf, which sets variables.
var plain = []string{"cd", "echo", "ls", "pwd", "rm", "rmdir", "test", "true"}

// offers returns the scopes to choose from, narrowest first: exactly this
// action, and where it is made only of plain programs, their kind of action
// under the path that all its targets share.
func offers(c assent.Case, digest string) []assent.Offer {
	list := []assent.Offer{{
		Scope: assent.Scope{Digest: digest},
		Text:  "exactly this, in " + orUnknown(c.Dir),
	}}
	if class, ok := class(c); ok {
		list = append(list, assent.Offer{Scope: class, Text: classText(class)})
	}
	return list
}

func orUnknown(dir string) string {
	if dir == "" {
		return "an unknown directory"
	}
	return dir
}

// class is the scope of this case's kind, if every part of it is plain and all
// its targets lie in the working directory.
func class(c assent.Case) (assent.Scope, bool) {
	s := assent.Scope{Tool: c.Tool}
	for _, cmd := range c.Commands {
		if !slices.Contains(plain, cmd.Name) {
			return assent.Scope{}, false
		}
		s.Programs = append(s.Programs, cmd.Name)
	}
	for _, f := range c.Findings {
		if !assent.Under(f.Target, c.Dir) {
			return assent.Scope{}, false
		}
		s.Codes = append(s.Codes, f.Code)
		s.Under = commonDir(s.Under, f.Target)
	}
	s.Programs, s.Codes = unique(s.Programs), unique(s.Codes)
	return s, s.Covers(c)
}

// commonDir is the longest path that both lie under; an empty a is no path yet.
func commonDir(a, b string) string {
	if a == "" {
		return filepath.Clean(b)
	}
	for !assent.Under(b, a) {
		a = filepath.Dir(a)
	}
	return a
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func classText(s assent.Scope) string {
	what := strings.Join(s.Programs, ", ")
	if what == "" {
		what = s.Tool
	}
	return fmt.Sprintf("%s (%s) under %s", what, strings.Join(s.Codes, ", "), s.Under)
}
