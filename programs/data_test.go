package programs

// The files of knowledge are well formed.

import (
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write index.txt anew")

// TestTheIndexIsCurrent: go test ./programs -update makes it so.
func TestTheIndexIsCurrent(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, path := range paths() {
		for names := range blocks(path) {
			for name := range strings.FieldsSeq(names) {
				lines = append(lines, name+" "+strings.TrimSuffix(strings.TrimPrefix(path, "data/"), ".txtar"))
			}
		}
	}
	// by name alone: the search compares names, not lines
	slices.SortFunc(lines, func(a, b string) int {
		x, _, _ := strings.Cut(a, " ")
		y, _, _ := strings.Cut(b, " ")
		return strings.Compare(x, y)
	})
	want := strings.Join(slices.Compact(lines), "\n") + "\n"
	if *update {
		if err := os.WriteFile("index.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if index != want {
		t.Fatal("index.txt is not what the files say: go test ./programs -update")
	}
	for _, line := range lines {
		name, file, _ := strings.Cut(line, " ")
		if got := fileOf(name); got != file {
			t.Errorf("%s is looked for in %q, not in %s", name, got, file)
		}
	}
	for _, name := range []string{"", " ", "no-such-program", "zzzzzz", "!"} {
		if got := fileOf(name); got != "" {
			t.Errorf("%q is said to be in %s", name, got)
		}
	}
}

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

// wrongOptions says what is wrong with a list of options.
func wrongOptions(list string) string {
	for _, o := range strings.Fields(list) {
		if o[0] != '-' || len(o) < 2 {
			return o + " is no option"
		}
		if name, value := strings.CutSuffix(o, "="); value && len(name) != 2 {
			return o + " is no letter that takes a value"
		}
	}
	return ""
}

// wrong says what is wrong with a statement.
func wrong(line string) string {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case slices.Contains([]string{"takes", "may", "fine", "runs"}, verb):
		return wrongOptions(rest)
	case verb == "only":
		of, options := ofWhich(strings.TrimSpace(rest))
		for _, w := range strings.Fields(of) {
			if strings.ContainsAny(w[:1], "-+.?!/|") || strings.HasSuffix(w, "|") {
				return w + " is no subcommand"
			}
		}
		return wrongOptions(options)
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
			if e == "!" || e == "!?" || e == "?" || e == "-" || strings.HasSuffix(e, "|") || strings.HasPrefix(e, "|") {
				return e + " is no element of a pattern"
			}
		}
	}
	return ""
}
