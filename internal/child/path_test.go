package child_test

// Whose PATH finds a program.

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assent/internal/child"
)

func TestTheChildsOwnPathFindsItsProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no #! line on Windows")
	}
	evil, mine := t.TempDir(), t.TempDir()
	for dir, text := range map[string]string{evil: "#!/bin/sh\necho evil\n", mine: "#!/bin/sh\necho mine\n"} {
		if err := os.WriteFile(filepath.Join(dir, "tool"), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", evil)
	r, err := child.Run(t.Context(), child.Spec{Args: []string{"tool"}, Env: []string{"PATH=" + mine}})
	if err != nil || string(r.Stdout) != "mine\n" {
		t.Errorf("%q, %v", r.Stdout, err)
	}
	if _, err := child.Run(t.Context(), child.Spec{Args: []string{"tool"}, Env: []string{"PATH=" + t.TempDir()}}); !errors.Is(err, child.ErrNotFound) {
		t.Errorf("found where it is not: %v", err)
	}
	if r, err := child.Run(t.Context(), child.Spec{Args: []string{"tool"}}); err != nil || string(r.Stdout) != "evil\n" {
		t.Errorf("without a PATH of its own: %q, %v", r.Stdout, err)
	}
}
