package policy_test

// The corpus: commands, the facts they lead to, and what becomes of them.

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent"
	"assent/analyze"
	"assent/policy"
)

var update = flag.Bool("update", false, "write the facts that are found into testdata (decisions are never written)")

// places of the person in every case.
var places = assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"}

// event reads one line of the corpus: a command, or "@tool argument". The sign
// ⏎ stands for a line end.
func event(line string) assent.Event {
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Tool: assent.ToolShell, Dir: "/home/ada/shop"}
	field, text := "command", strings.ReplaceAll(line, "⏎", "\n")
	if rest, ok := strings.CutPrefix(line, "@"); ok {
		e.Tool, text, _ = strings.Cut(rest, " ")
		field = "path"
		if e.Tool == assent.ToolFetch {
			field = "url"
		}
	}
	e.Input, _ = json.Marshal(map[string]string{field: text})
	return e
}

func judge(t *testing.T, c assent.Case) assent.Decision {
	t.Helper()
	d := assent.None
	for _, h := range []assent.Hook{policy.Floor, policy.BuiltIn} {
		r, err := h.Judge(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Decision != assent.None && r.Reason == "" {
			t.Errorf("%v without a reason", r.Decision)
		}
		d = max(d, r.Decision)
	}
	return d
}

func codes(c assent.Case) []string {
	var out []string
	for _, f := range c.Findings {
		if policy.Of(f.Code).Tier != policy.StrictTier && !slices.Contains(out, f.Code) {
			out = append(out, f.Code)
		}
	}
	slices.Sort(out)
	return out
}

// TestCorpus judges every line of testdata. Each archive is a theme, each part
// of it a decision, each line "facts | command"; "-" is no fact. Facts that only
// the posture "strict" asks about are left out: the knowledge has examples of them.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	total := 0
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Files {
			var n int
			a.Files[i].Data, n = checkPart(t, name, a.Files[i])
			total += n
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if total < 250 {
		t.Errorf("%d cases, at least 250 are wanted", total)
	}
}

func checkPart(t *testing.T, name string, f txtar.File) ([]byte, int) {
	var want assent.Decision
	if err := want.UnmarshalText([]byte(f.Name)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out strings.Builder
	n := 0
	for line := range strings.Lines(string(f.Data)) {
		line = strings.TrimSuffix(line, "\n")
		facts, cmd, ok := strings.Cut(line, " | ")
		if !ok {
			out.WriteString(line + "\n")
			continue
		}
		n++
		c := analyze.Case(event(cmd), places)
		if d := judge(t, c); d != want {
			t.Errorf("%s: %s\n\tis %v, not %v: %v", name, cmd, d, want, c.Findings)
		}
		have := strings.Join(codes(c), " ")
		if have == "" {
			have = "-"
		}
		if have != strings.TrimSpace(facts) && !*update {
			t.Errorf("%s: %s\n\thas the facts %s, not %s", name, cmd, have, facts)
		}
		out.WriteString(have + " | " + cmd + "\n")
	}
	return []byte(out.String()), n
}
