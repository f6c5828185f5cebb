package e2e

// The installer: what is there is used, what is missing is named.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstallUsesTheCache(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no npm
	cache := t.TempDir()
	env := func(string) string { return cache }
	p := Package{Name: "@x/agent", Version: "1.2.3", Program: "agent"}
	if got, err := Install(t.Context(), p, env); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "npm") {
		t.Fatalf("%q %v", got, err)
	}
	want := filepath.Join(cache, "x-agent-1.2.3", "node_modules", "agent")
	if err := os.MkdirAll(filepath.Dir(want), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(want, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Install(t.Context(), p, env); err != nil || got != want {
		t.Fatalf("%q %v", got, err)
	}
	if _, err := Install(t.Context(), Package{Name: "@x/agent", Version: "1.2.4", Program: "agent"}, env); !errors.Is(err, ErrMissing) {
		t.Errorf("another version: %v", err)
	}
}
