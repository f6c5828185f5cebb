package sqlite

// Opening a file: what is in it, and whether this program may use it.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"assent"
)

// Version is the schema that this program reads and writes: the number of its
// newest migration.
const Version = 4

// applicationID marks a file as assent's: "asnt".
const applicationID = 0x61736e74

// Open opens the file, and makes it, with mode 0600, if there is none; its
// directory must exist. An older file is brought up to date. ErrNewer: a newer
// program wrote it. ErrDamaged: it is no database of assent's, or a broken one;
// it was left as it is. ErrLocked: another program writes to it for longer than
// Options.Busy.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.Busy <= 0 {
		o.Busy = 2 * time.Second
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s := &Store{path: path, o: o, turn: make(chan struct{}, 1)}
	s.trust.witness = o.Witness
	s.known = statements{ready: map[string]*sql.Stmt{}, seen: map[string]int{}}
	if err := create(path); err != nil {
		return nil, s.explain(err)
	}
	if s.writer, err = sql.Open("sqlite", source(path, o, "_txlock", "immediate")); err != nil {
		return nil, s.explain(err)
	}
	if s.reader, err = sql.Open("sqlite", source(path, o, "_pragma", "query_only(1)")); err != nil {
		return nil, s.explain(errors.Join(err, s.writer.Close()))
	}
	s.writer.SetMaxOpenConns(1)
	s.reader.SetMaxOpenConns(readers)
	s.reader.SetMaxIdleConns(readers)
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.reader.Close(), s.writer.Close())
	}
	return s, nil
}

// create makes an empty file for the user alone, if there is none.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// source is the driver's name for the file and its settings. FULL syncs the
// write-ahead log at every commit: what lets something through survives a power
// cut.
func source(path string, o Options, more ...string) string {
	q := url.Values{
		"_pragma": {
			"busy_timeout(" + strconv.FormatInt(o.Busy.Milliseconds(), 10) + ")",
			"synchronous(FULL)",
			"foreign_keys(1)",
		},
		"_error_rc":  {"1"},
		"_defensive": {"1"},
	}
	for i := 0; i+1 < len(more); i += 2 {
		q.Add(more[i], more[i+1])
	}
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' { // a drive letter
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// prepare sees to it that the file has this program's schema. A file that has
// costs one look at its header.
func (s *Store) prepare(ctx context.Context) error {
	current, err := s.current(ctx)
	if err != nil || current {
		return err
	}
	if s.o.Lock != nil {
		unlock, err := s.o.Lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
		if current, err = s.current(ctx); err != nil || current { // somebody was faster
			return err
		}
	}
	return s.explain(migrate(ctx, s.writer))
}

// current reports whether the file has this program's schema. ErrNewer and
// ErrDamaged for files that this program may not touch.
func (s *Store) current(ctx context.Context) (bool, error) {
	var app, version, foreign int64
	row := s.writer.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%')`)
	if err := row.Scan(&app, &version, &foreign); err != nil {
		return false, s.explain(err)
	}
	switch {
	case app == 0 && version == 0 && foreign == 0:
		return false, nil
	case app != applicationID:
		return false, fmt.Errorf("%s is a database of another program; move it away, or point assent somewhere else: %w", s.path, assent.ErrDamaged)
	case version > Version:
		return false, fmt.Errorf("%s has version %d, this program knows %d; use a newer assent, or another home: %w", s.path, version, Version, assent.ErrNewer)
	}
	return version == Version, nil
}
