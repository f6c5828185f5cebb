package config

// Incidents of other gates that concern the home; docs/threats.md lists them.

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assent"
)

// CVE-2026-46406: a place with a name that everybody knows, where somebody else was
// first.
func TestIncidentAPlaceThatOthersMade(t *testing.T) {
	t.Parallel()
	if windows {
		t.Skip("modes say nothing there")
	}
	for name, first := range map[string]func(dir string) error{
		"open to read":  func(dir string) error { return os.Mkdir(dir, 0o755) },
		"open to write": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) },
		"a link":        func(dir string) error { return errors.Join(os.Mkdir(dir+".x", 0o700), os.Symlink(dir+".x", dir)) },
		"a dead link":   func(dir string) error { return os.Symlink(dir+".gone", dir) },
		"a file":        func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
	} {
		dir := filepath.Join(t.TempDir(), "assent-0123456789abcdef")
		if err := first(dir); err != nil {
			t.Fatal(err)
		}
		if err := makePrivate(dir); err == nil {
			t.Errorf("%s: it is used", name)
		}
		if there, err := private(dir); there && !errors.Is(err, assent.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := filepath.Join(t.TempDir(), "own")
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
}
