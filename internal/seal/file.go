package seal

// The key's file: private, readable as text, made once and never overwritten.

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assent"
)

// title is the first line of the file.
const title = "assent home key 1: it signs what assent writes beside it. Show it to nobody, and keep a copy with those of the database."

const (
	size  = 32
	check = 4 // of the key's hash follow it, so that a damaged file is none
)

// read returns the key in the file at path. fs.ErrNotExist: there is no file.
// ErrForbidden when others could have read or written it; ErrInvalid when it holds no
// key.
func read(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("the home's key: %w", err)
	}
	if err := private(path, info); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the home's key: %w", err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, fmt.Errorf("%s changed while it was read: look who writes there: %w", path, assent.ErrForbidden)
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return nil, fmt.Errorf("the home's key: %w", err)
	}
	return decode(path, text)
}

// private refuses what is no file of this user alone.
func private(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no plain file (%s): put the key itself there, not a link to it: %w", path, info.Mode().Type(), assent.ErrForbidden)
	case info.Mode().Perm()&0o177 != 0 && owners:
		return fmt.Errorf("%s has mode %04o, so others could use it: run chmod 600 %s: %w", path, info.Mode().Perm(), path, assent.ErrForbidden)
	case !owned(info):
		return fmt.Errorf("%s belongs to another user: move it away, or set ASSENT_HOME to a directory of your own: %w", path, assent.ErrForbidden)
	}
	return nil
}

func encode(root []byte) []byte {
	sum := sha256.Sum256(root)
	return fmt.Appendf(nil, "%s\n%s\n", title, base64.RawURLEncoding.EncodeToString(append(root[:size:size], sum[:check]...)))
}

// decode is strict: only what encode writes is a key.
func decode(path string, text []byte) ([]byte, error) {
	_, line, _ := bytes.Cut(text, []byte("\n"))
	raw := make([]byte, base64.RawURLEncoding.DecodedLen(len(line)))
	n, _ := base64.RawURLEncoding.Decode(raw, bytes.TrimSuffix(line, []byte("\n")))
	if n != size+check || !bytes.Equal(encode(raw[:size]), text) {
		return nil, fmt.Errorf("%s is not as assent wrote it: put your copy of it back. Without one, move it away: a new key is made, and no grant given before counts any more: %w", path, assent.ErrInvalid)
	}
	return raw[:size], nil
}

// create makes a key in a new file, whole from the first moment. That there is a file
// already is no error: then it is that one that counts.
func create(path string) error {
	root := make([]byte, size)
	rand.Read(root) // never fails
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("cannot make the home's key: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(encode(root))
	err = errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path) // unlike a rename, it takes no one's place
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cannot make the home's key: %w", err)
	}
	if err := settle(dir); err != nil {
		return fmt.Errorf("cannot make the home's key: %w", err)
	}
	return nil
}
