package docscript

// The reference tables of the documentation: printed from the code's own lists.
// go test ./internal/docscript -update writes them anew.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assent"
	"assent/config"
	"assent/harness"
	"assent/policy"
)

var update = flag.Bool("update", false, "write the reference tables anew")

const top = "../.."

func TestTheConfigurationPageIsTheCodesOwnList(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, k := range config.Keys {
		rows = append(rows, fmt.Sprintf("| `%s` | `%s` | %s |", k.Name, k.Default, k.Doc))
	}
	table(t, "configuration.md", rows)
}

func TestThePageOfFactsIsTheCodesOwnList(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, r := range policy.Table {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", r.Code, asks(r, true), asks(r, false), r.Why))
	}
	table(t, "facts.md", rows)
}

func TestThePageOfHooksIsTheCodesOwnList(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, e := range assent.Events {
		fold := e.Fold
		if fold == "" {
			fold = "–"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s | %s |", e.Name, e.Hears, e.When, fold, harness.Origin(e)))
	}
	table(t, "hooks.md", rows)
}

// asks is what becomes of facts of a row, in the posture strict or in another.
func asks(r policy.Row, strict bool) string {
	if r.Decision == assent.None || r.Tier == policy.StrictTier && !strict {
		return "–"
	}
	return r.Decision.String()
}

// table compares the first table of a page with the rows it should have.
func table(t *testing.T, page string, want []string) {
	t.Helper()
	file := filepath.Join(top, "docs", page)
	raw, err := os.ReadFile(file)
	if err != nil || len(want) == 0 {
		t.Fatal(err, want)
	}
	before, rest, found := strings.Cut(string(raw), "\n|---")
	columns, rest, _ := strings.Cut(rest, "\n")
	have, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatalf("%s has no table", page)
	}
	head := "\n|---" + columns + "\n"
	if diff := cmp.Diff(want, strings.Split(strings.Trim(have, "\n"), "\n")); diff == "" || !*update {
		if diff != "" {
			t.Errorf("%s does not say what the code says:\n%s", page, diff)
		}
		return
	}
	if err := os.WriteFile(file, []byte(before+head+strings.Join(want, "\n")+"\n\n"+strings.TrimLeft(after, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
