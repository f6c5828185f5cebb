package config

// Changing somebody else's file.

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"assent"
)

var at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestReplaceKeepsWhatWasThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	old := []byte("{}\n")
	if err := os.WriteFile(path, old, 0o640); err != nil {
		t.Fatal(err)
	}
	backup, err := Replace(path, old, []byte("new"), at)
	if err != nil || backup == "" {
		t.Fatal(backup, err)
	}
	for file, want := range map[string]string{path: "new", backup: "{}\n"} {
		got, err := os.ReadFile(file)
		info, serr := os.Stat(file)
		if err != nil || serr != nil || string(got) != want || info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
			t.Errorf("%s: %q, %v, %v", file, got, info.Mode(), err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Error("left behind:", left, err)
	}
}

func TestReplaceMakesAndRemoves(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "settings.json")
	if backup, err := Replace(path, nil, []byte("new"), at); err != nil || backup != "" {
		t.Fatal(backup, err)
	}
	backup, err := Replace(path, []byte("new"), nil, at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got, err := os.ReadFile(backup); err != nil || string(got) != "new" {
		t.Error(got, err)
	}
}

func TestReplaceDoesNotOverwriteWhatSomebodyElseWrote(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	theirs := []byte("theirs")
	if err := os.WriteFile(path, theirs, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, read := range [][]byte{nil, []byte("before")} {
		if _, err := Replace(path, read, []byte("new"), at); !errors.Is(err, assent.ErrStale) {
			t.Error(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, theirs) {
		t.Error(got, err)
	}
	if _, err := Replace(filepath.Dir(path), nil, []byte("new"), at); err == nil {
		t.Error("a directory was replaced")
	}
}
