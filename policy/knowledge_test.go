package policy_test

// The examples that stand in the files of knowledge come out as they claim.

import (
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

func TestExamplesOfTheKnowledge(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../programs/data/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no files of knowledge", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range txtar.Parse(raw).Files {
				for line := range strings.Lines(string(f.Data)) {
					if line = strings.TrimSpace(line); line != "" {
						example(t, f.Name, line)
					}
				}
			}
		})
	}
}

// example holds one command to the section it stands in.
func example(t *testing.T, want, cmd string) {
	t.Helper()
	c := analyze.Case(event(cmd), places)
	var have []string
	for _, f := range c.Findings {
		have = append(have, f.Code)
	}
	if want != "looks" {
		if !slices.Contains(have, want) {
			t.Errorf("%s\n\thas the facts %v, not %s", cmd, have, want)
		}
		return
	}
	if d := posture(t, c, assent.Ask); d != assent.Allow {
		t.Errorf("%s\n\tis %v and does not only look: %v", cmd, d, c.Findings)
	}
}

// posture is the verdict in a posture.
func posture(t *testing.T, c assent.Case, d assent.Decision) assent.Decision {
	t.Helper()
	var in assent.Tiers
	for _, x := range []struct {
		hook assent.Hook
		tier *[]assent.Reply
	}{{policy.Floor, &in.Floor}, {policy.BuiltIn, &in.BuiltIn}} {
		r, err := x.hook.Judge(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		*x.tier = append(*x.tier, r)
	}
	r, err := policy.Default(d).Judge(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	in.Default = r
	return assent.Fold(in).Decision
}
