package programs

// The files of knowledge are well formed.

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestEveryFileIsWellFormed(t *testing.T) {
	t.Parallel()
	entries, err := fs.ReadDir(files, "data")
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string]string{}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		if !strings.HasSuffix(e.Name(), ".txtar") {
			t.Errorf("%s: a file of knowledge ends in .txtar", e.Name())
		}
		named := false
		for line := range knowledge("data/" + e.Name()) {
			names, ok := head(line)
			if !ok {
				if !named {
					t.Errorf("%s: %q stands before any program", e.Name(), line)
				}
				if what := wrong(line); what != "" {
					t.Errorf("%s: %q: %s", e.Name(), line, what)
				}
				continue
			}
			named = true
			for _, name := range names {
				if other := owner[name]; other != "" && other != e.Name() {
					t.Errorf("%s: %s is in %s already", e.Name(), name, other)
				}
				owner[name] = e.Name()
			}
		}
		if !named {
			t.Errorf("%s: names no program", e.Name())
		}
	}
}

// wrong says what is wrong with a statement.
func wrong(line string) string {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case verb == "takes" || verb == "fine":
		for _, o := range strings.Fields(rest) {
			if o[0] != '-' || len(o) < 2 {
				return o + " is no option"
			}
		}
		return ""
	case verb == "onedash" || verb == "stops":
		if rest != "" {
			return "nothing may follow"
		}
		return ""
	case verb != looks && verb != dry && !slices.Contains(Codes(), verb):
		return verb + " is no code"
	}
	patterns, note, told := strings.Cut(rest, "=>")
	if note = strings.TrimSpace(note); told && (len(note) < 10 || note[0] < 'A' || note[0] > 'Z' || !strings.HasSuffix(note, ".")) {
		return "what follows => is no sentence"
	}
	for p := range strings.SplitSeq(patterns, ",") {
		if strings.TrimSpace(p) == "" && strings.TrimSpace(patterns) != "" {
			return "a comma too many"
		}
		for _, e := range strings.Fields(p) {
			if e == "!" || e == "?" || e == "-" || strings.HasSuffix(e, "|") || strings.HasPrefix(e, "|") {
				return e + " is no element of a pattern"
			}
		}
	}
	return ""
}
