package terminal

// Golden cards: each file of testdata/cards holds a request and the card it
// makes. go test ./surface/terminal -update writes them anew, to be reviewed.

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"assent"
)

var update = flag.Bool("update", false, "write the golden cards anew")

// goldens calls show with each archive's first file and compares what it returns
// with the archive's second.
func goldens(t *testing.T, dir string, show func(t *testing.T, in []byte, o Options) string) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var o Options
			if len(a.Comment) > 0 {
				unmarshal(t, a.Comment, &o)
			}
			got := show(t, a.Files[0].Data, o)
			if *update {
				a.Files = append(a.Files[:1:1], txtar.File{Name: "shown", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			at := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "shown" })
			if at < 0 {
				t.Fatal("no card in the file: run with -update and review it")
			}
			if diff := cmp.Diff(string(a.Files[at].Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func unmarshal(t *testing.T, raw []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(raw, to); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}

func TestCards(t *testing.T) {
	goldens(t, "cards", func(t *testing.T, in []byte, o Options) string {
		var r assent.Request
		unmarshal(t, in, &r)
		text, _ := Card(r, o)
		return text
	})
}

func TestJudgements(t *testing.T) {
	goldens(t, "judged", func(t *testing.T, in []byte, o Options) string {
		var j Judgement
		unmarshal(t, in, &j)
		short := Judged(j, o)
		j.Weigh = func(code string) string { return "tier of " + code }
		return short + "-----\n" + Explained(j, o)
	})
}

func TestTables(t *testing.T) {
	goldens(t, "tables", func(t *testing.T, in []byte, o Options) string {
		var lists struct {
			Requests []assent.Request
			Grants   []assent.Grant
		}
		unmarshal(t, in, &lists)
		text := Requests(lists.Requests, o) + "\n" + Grants(lists.Grants, o) + "\n"
		for _, r := range lists.Requests {
			text += Outcome(r, Options{}) + "\n"
		}
		return text
	})
}
