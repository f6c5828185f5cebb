package rules_test

// The reference of rules is the code's own list.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/policy/rules"
)

func TestTheReferenceIsTheCodesOwnList(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	must(t, err)
	var want strings.Builder
	want.WriteString("| key | what it asks for |\n|---|---|\n")
	for _, k := range rules.Keys {
		fmt.Fprintf(&want, "| `%s` | %s |\n", k.Name, k.Doc)
	}
	if !strings.Contains(string(raw), want.String()) {
		t.Errorf("docs/configuration.md does not have this table:\n%s", want.String())
	}
}
