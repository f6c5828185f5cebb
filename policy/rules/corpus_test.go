package rules_test

// The corpus: rules, calls, and what the rules say of them.

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent"
	"assent/analyze"
	"assent/policy/rules"
)

// places of the person in every case.
var places = assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"}

func analyse(e assent.Event) assent.Case { return analyze.Case(e, places) }

// event reads one line: a command, "@dir command", or a JSON object. The sign ⏎
// stands for a line end.
func event(t interface{ Fatalf(string, ...any) }, line string) assent.Event {
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Tool: assent.ToolShell, Dir: "/home/ada/shop"}
	text := strings.ReplaceAll(line, "⏎", "\n")
	if rest, ok := strings.CutPrefix(text, "@"); ok {
		e.Dir, text, _ = strings.Cut(rest, " ")
	}
	if !strings.HasPrefix(text, `{"`) {
		e.Input, _ = json.Marshal(map[string]string{"command": text})
		return e
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return e
}

// TestCorpus judges every line of testdata: an archive has its rules in
// rules.yaml, and a part for each decision.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatal("no corpus", err)
	}
	total := 0
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if a.Files[0].Name != "rules.yaml" {
			t.Fatalf("%s: rules.yaml comes first", name)
		}
		list, err := rules.Parse("rules.yaml", a.Files[0].Data)
		if err == nil {
			err = rules.Try(list, analyse)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range a.Files[1:] {
			total += judgePart(t, name, list, part)
		}
	}
	if total < 250 {
		t.Errorf("%d cases, at least 250 are wanted", total)
	}
}

func judgePart(t *testing.T, name string, list []rules.Rule, part txtar.File) int {
	t.Helper()
	var want assent.Decision
	if err := want.UnmarshalText([]byte(part.Name)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n := 0
	for line := range strings.Lines(string(part.Data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		c := analyse(event(t, line))
		r, err := rules.Book(list).Judge(t.Context(), c)
		if err != nil || r.Decision != want || (r.Reason == "") != (want == assent.None) {
			t.Errorf("%s: %s\n\tis %v, not %v: %s %v\n\tfacts %v", name, line, r.Decision, want, r.Reason, err, c.Findings)
			accounts, _ := rules.Explain(list, c)
			for _, a := range accounts {
				t.Logf("%+v", a)
			}
		}
	}
	return n
}
