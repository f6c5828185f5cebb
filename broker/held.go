package broker

// Held: files and directories that are kept open, and known by their content.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"assent"
)

// held is a regular file that is kept open.
type held struct {
	name string // as it was found, links and all
	path string // where it lies
	f    *os.File
	info os.FileInfo
	sum  string // hex SHA-256 of its content

	stamp stamp // of a program: when it was last changed before it was hashed
}

// hold opens a file that is run as code. The path it has is the one without links.
func hold(name string) (*held, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, found(err)
	}
	f, err := openQuietly(path)
	if err != nil {
		return nil, found(err)
	}
	h := &held{name: name, path: path, f: f}
	if h.info, err = f.Stat(); err == nil {
		err = h.fit()
	}
	if err == nil {
		h.firm()
		h.sum, err = h.content()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return h, nil
}

// holdProgram opens a file that is to be started.
func holdProgram(name string) (*held, error) {
	h, err := hold(name)
	if err == nil && !startable(h.info) {
		h.close()
		return nil, fmt.Errorf("%s may not be started: it has no permission to: %w", h.path, assent.ErrInvalid)
	}
	return h, err
}

// found names an error of a path: what is not there cannot be run.
func found(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: %w", err, assent.ErrNotFound)
	}
	return err
}

// fit says why a file is nothing that could be bound by its content.
func (h *held) fit() error {
	switch {
	case h.info.IsDir():
		return fmt.Errorf("%s is a directory: %w", h.path, assent.ErrInvalid)
	case !h.info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file: %w", h.path, assent.ErrInvalid)
	case openToAll(h.info):
		return fmt.Errorf("%s may be written by every user of the machine: %w", h.path, assent.ErrInvalid)
	}
	return nil
}

// content is the hash of what the file holds now.
func (h *held) content() (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(h.f, 0, math.MaxInt64)); err != nil {
		return "", fmt.Errorf("%s: %w", h.path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// sameContent compares the content with what was approved.
func (h *held) sameContent() error {
	now, err := h.content()
	if err == nil && now != h.sum {
		err = h.changed()
	}
	return err
}

// inPlace reports whether its name still leads to it.
func (h *held) inPlace() error {
	info, err := os.Stat(h.name)
	if err == nil && os.SameFile(info, h.info) {
		return nil
	}
	return fmt.Errorf("%s leads elsewhere: %w", h.name, ErrChanged)
}

func (h *held) changed() error { return fmt.Errorf("%s: %w", h.path, ErrChanged) }

func (h *held) operand() assent.Operand { return assent.Operand{Path: h.path, SHA256: h.sum} }

func (h *held) close() {
	if h != nil {
		h.f.Close()
	}
}

// place is a directory that is kept open.
type place struct {
	given string // as the caller named it
	path  string // where it lies
	f     *os.File
	info  os.FileInfo
}

// openDir opens the directory that a program is to run in; "" is that of this process.
func openDir(given string) (*place, error) {
	given, err := filepath.Abs(given)
	if err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, found(err)
	}
	f, err := openQuietly(path)
	if err != nil {
		return nil, found(err)
	}
	p := &place{given: given, path: path, f: f}
	if p.info, err = f.Stat(); err == nil && !p.info.IsDir() {
		err = fmt.Errorf("%s is no directory: %w", given, assent.ErrInvalid)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// same reports whether the names of the directory still lead to it.
func (p *place) same() error {
	for _, name := range []string{p.given, p.path} {
		if info, err := os.Stat(name); err != nil || !os.SameFile(info, p.info) {
			return fmt.Errorf("the directory %s leads elsewhere: %w", name, ErrChanged)
		}
	}
	return nil
}

func (p *place) close() {
	if p != nil {
		p.f.Close()
	}
}
