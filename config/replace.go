package config

// Changing a file that belongs to somebody else: whole, with a backup, keeping
// its mode.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assent"
)

// Replace writes text to the file at path, which held old when it was read, and
// returns where it put a copy of that; "" when there was no file. An empty text
// removes the file. ErrStale when somebody else has changed it meanwhile.
func Replace(path string, old, text []byte, now time.Time) (backup string, err error) {
	have, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return "", fmt.Errorf("cannot read %s: %w", path, err)
	}
	if !bytes.Equal(have, old) {
		return "", fmt.Errorf("%s: %w", path, assent.ErrStale)
	}
	mode := fs.FileMode(0o600)
	if !missing {
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		mode = info.Mode().Perm()
		backup = fmt.Sprintf("%s.assent-%s", path, now.UTC().Format("20060102T150405.000"))
		if err := writeFile(backup, old, mode); err != nil {
			return "", err
		}
	}
	if len(text) == 0 {
		return backup, os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return backup, err
	}
	return backup, writeFile(path, text, mode)
}
