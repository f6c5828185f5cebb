//go:build corpus

package rules_test

// Risky and fine rules, by a corpus outside of the project.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent"
	"assent/policy/rules"
)

// shape is one line of the corpus of shapes.
type shape struct {
	Command, Expect, Prefix string
	Inner                   []string
}

func shapes(t *testing.T) []shape {
	t.Helper()
	dir := os.Getenv("ASSENT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "shapes.jsonl"))
	if err != nil {
		t.Fatalf("the corpus is not here (ASSENT_CORPUS names its folder): %v", err)
	}
	defer f.Close()
	var out []shape
	for s := bufio.NewScanner(f); s.Scan(); {
		var x shape
		if err := json.Unmarshal(s.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// TestLintOfTheCorpus: every risky rule is a remark, and no fine one is.
func TestLintOfTheCorpus(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, s := range shapes(t) {
		if !strings.HasSuffix(s.Expect, "-allow-rule") {
			continue
		}
		seen[s.Expect]++
		r, err := rules.FromLine(assent.Allow, s.Command)
		remarks := []rules.Remark{{}}
		if err == nil {
			remarks = rules.Lint([]rules.Rule{r}, codes(), analyse)
		}
		if risky := s.Expect == "risky-allow-rule"; (len(remarks) > 0) != risky {
			t.Errorf("%q is %s: %v %+v", s.Command, s.Expect, err, remarks)
		}
	}
	if seen["risky-allow-rule"] == 0 || seen["fine-allow-rule"] == 0 {
		t.Errorf("too few lines: %v", seen)
	}
}
