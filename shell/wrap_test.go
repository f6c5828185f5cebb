package shell

// The table of wrappers is well formed.

import (
	"slices"
	"strings"
	"testing"
)

// TestTable: every row names its programs and options in the way the code reads
// them, and no row is hidden by one before it.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, row := range wrappers {
		for _, list := range []string{row.name, row.sub, row.global, row.when, row.long, row.twice, row.dir, row.idle, row.text, row.side, row.split, row.span, row.head, row.script} {
			if list != strings.Join(strings.Fields(list), " ") {
				t.Errorf("%s: blanks in %q", row.name, list)
			}
			for _, name := range strings.Fields(list) {
				if strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") {
					t.Errorf("%s: %q has a dash at its end", row.name, name)
				}
			}
		}
		for _, name := range strings.Fields(row.name) {
			key := name + "/" + row.sub + "/" + row.when
			if seen[key] || seen[name+"//"] {
				t.Errorf("%s %s: a row before it is always taken", name, row.sub)
			}
			seen[key] = true
		}
		if row.code == nil && slices.Contains(strings.Fields(row.side), "*") {
			t.Errorf("%s: no operand is code as a whole", row.name)
		}
	}
}

// TestCommandVars: they are looked up by halves.
func TestCommandVars(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(commandVars) {
		t.Error("commandVars is not sorted")
	}
}
