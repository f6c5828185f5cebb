package roster

// Files that only their owner may read: checked when read, so when made.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"assent"
)

const maxFile = 16 << 10

// readPrivate reads a small regular file that nobody but its owner may touch.
// The file that is checked is the one that is read.
func readPrivate(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0) // a named pipe must not hang us
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s is no key file: %w", path, assent.ErrInvalid)
	}
	if err := ownersOnly(path, info, 0o600); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// private checks a directory.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no directory: %w", dir, assent.ErrForbidden)
	}
	return ownersOnly(dir, info, 0o700)
}

// ownersOnly refuses what group or others may read or change, and what belongs
// to another user. Windows has no such bits; there the home's own rights hold.
func ownersOnly(path string, info fs.FileInfo, mode fs.FileMode) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		return fmt.Errorf("%s can be read or changed by others (mode %04o): chmod %04o %s: %w",
			path, info.Mode().Perm(), mode, path, assent.ErrForbidden)
	}
	if uid, ok := ownerOf(info); ok && uid != os.Getuid() {
		return fmt.Errorf("%s belongs to user %d, not to you: %w", path, uid, assent.ErrForbidden)
	}
	return nil
}

// makePrivate makes the directory 0700, or checks the one that is there.
func makePrivate(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("keys: %w", err)
	}
	return private(dir)
}

// writeNew writes a new 0600 file to the disk; one that exists is an error.
func writeNew(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
		return fmt.Errorf("keys: %w", err)
	}
	return nil
}
