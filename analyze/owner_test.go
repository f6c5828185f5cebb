//go:build unix

package analyze

// Scripts in the temporary directory: one's own is as good as one in the project.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assent"
	"assent/shell"
)

func TestAScriptOfOnesOwnMayLieInTheTemporaryDirectory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "try.sh")
	unknown := func() bool {
		in, _ := json.Marshal(map[string]string{"command": "bash " + path})
		c := Case(assent.Event{Name: assent.PreToolCall, Tool: assent.ToolShell, Dir: "/srv/work", Input: in}, assent.Places{Home: "/home/you"})
		return slices.ContainsFunc(c.Findings, func(f assent.Finding) bool { return f.Code == shell.Unknown })
	}
	if !temporary(path) {
		t.Skip("the temporary directory of tests is none that is known: " + path)
	}
	if !unknown() {
		t.Error("a script that is not there is known")
	}
	if err := os.WriteFile(path, []byte("echo hi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if unknown() {
		t.Error("one's own script is not known")
	}
	if err := os.Chmod(path, 0o622); err != nil {
		t.Fatal(err)
	}
	if !unknown() {
		t.Error("a script that others may write is known")
	}
}
