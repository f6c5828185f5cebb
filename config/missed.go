package config

// Missed: a configuration that was there and is gone is no zero configuration.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"assent"
)

// Load reads the home's file as Load does, and the first time notes that there is one.
// ErrInvalid where there was one, and it is gone or holds nothing: with it would go what
// it denies, unseen.
func (h Home) Load() (File, error) {
	f, err := Load(h.Config())
	if err != nil {
		return f, err
	}
	return f, h.missed()
}

func (h Home) missed() error {
	info, err := os.Stat(h.Config())
	there := err == nil && info.Size() > 0
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("config: %w", err)
	}
	_, err = os.Stat(h.configSeen())
	switch noted := err == nil; {
	case there && !noted:
		return mark(h.configSeen())
	case !there && noted:
		return fmt.Errorf("%s was there, and is gone or empty: put it back, or write a line of comment into it if there is to be nothing else: %w", h.Config(), assent.ErrInvalid)
	}
	return nil
}

// mark makes an empty file. A home that is not made yet has nothing to note.
func mark(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}
