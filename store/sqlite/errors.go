package sqlite

// What the driver's errors mean, in words that say what to do.

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"assent"
)

// explain turns what the driver and the file system report into one sentence
// with a hint. It keeps the cause, and leaves alone what is not theirs.
func (s *Store) explain(err error) error {
	var lite *driver.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &lite):
		return s.explainCode(lite.Code(), err)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("no space is left for %s; free some and try again: %w", s.path, err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the directory of %s does not exist; make it and try again: %w", s.path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s cannot be written; check who owns it and its directory: %w", s.path, err)
	}
	return err
}

func (s *Store) explainCode(code int, err error) error {
	switch code & 0xff {
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_PROTOCOL:
		return fmt.Errorf("%s was busy for more than %s; end the program that holds it, or try again: %w (%w)", s.path, s.o.Busy, assent.ErrLocked, err)
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return fmt.Errorf("%s is not a sound database; it was left as it is, restore it from a backup or move it away: %w (%w)", s.path, assent.ErrDamaged, err)
	case codes.SQLITE_FULL:
		return fmt.Errorf("no space is left for %s; free some and try again: %w", s.path, err)
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_AUTH:
		return fmt.Errorf("%s cannot be written; check who owns it and its directory, and that the disk is not read-only: %w", s.path, err)
	case codes.SQLITE_CANTOPEN:
		return fmt.Errorf("%s cannot be opened; check that its directory exists and is yours: %w", s.path, err)
	case codes.SQLITE_IOERR:
		return fmt.Errorf("the disk failed under %s; check it and its free space: %w", s.path, err)
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// damaged is for rows that this program cannot have written.
func damaged(what string, err error) error {
	return fmt.Errorf("%s cannot be read: %w (%w)", what, assent.ErrDamaged, err)
}
