//go:build corpus

package review_test

// What others would remember of a command, by a corpus outside of the project.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/programs/reach"
)

// TestPrefixesOfTheCorpus: the prefix that would be remembered for a command is what
// others would remember, and where a class is offered, it is of that.
func TestPrefixesOfTheCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("ASSENT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "shapes.jsonl"))
	if err != nil {
		t.Fatalf("the corpus is not here (ASSENT_CORPUS names its folder): %v", err)
	}
	defer f.Close()
	seen, offered := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		var x struct{ Command, Expect, Prefix string }
		if err := json.Unmarshal(s.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		if x.Expect != "always-prefix" {
			continue
		}
		seen++
		words := strings.Fields(x.Command)
		if got := strings.Join(words[:reach.Prefix(words...)], " "); got != x.Prefix {
			t.Errorf("%q: %q, not %q", x.Command, got, x.Prefix)
		}
		for _, o := range ladder(shop, x.Command)[1:] {
			offered++
			if !slices.Contains(o.Scope.Programs, x.Prefix) {
				t.Errorf("%q: %v is offered, without %q", x.Command, o.Scope.Programs, x.Prefix)
			}
		}
	}
	if seen == 0 || offered == 0 {
		t.Errorf("%d lines, %d offers", seen, offered)
	}
}
