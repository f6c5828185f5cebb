// Package sqlite keeps requests, answers, grants, calls, sessions and the record
// chain in one SQLite file, without cgo. It is what assent uses by default.
//
// Many processes may open the same file: what one has written, the others read.
// Who may write is settled by a lock outside the file (Options.Lock). It never
// recreates, truncates or repairs a file that it finds damaged, and never
// changes one that a newer program wrote.
//
//	s, err := sqlite.Open(ctx, filepath.Join(home, "assent.db"), sqlite.Options{})
//	if err != nil { … }
//	defer s.Close()
//	rec, err := s.Append(ctx, assent.Draft{Record: assent.Record{At: now, Kind: assent.KindEvent}})
//	// rec is on the disk: kill -9 does not lose it, nor does a power cut
package sqlite

//go:generate go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1 generate

// The store itself: its connections, and the one way to write and to read.

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assent"
	"assent/store/sqlite/db"
)

// Options are how a store is opened. The zero Options are for a process that
// holds assent's lock as long as the store is open.
type Options struct {
	// Lock is taken around every transaction that writes, and around migrations.
	// Nil: the caller holds the lock for the store's lifetime.
	Lock func(ctx context.Context) (unlock func(), err error)
	// Busy is how long to wait for another program that writes to the file
	// without the lock, before ErrLocked. 0 = two seconds.
	Busy time.Duration
	// Witness signs and marks what is written, and what it did not sign and mark gives
	// no authority. Nil: nothing is signed, and everything counts.
	Witness assent.Witness
}

// readers is how many connections read at a time.
const readers = 4

// Store is an assent.Store in one file. It may be used concurrently.
type Store struct {
	path   string
	o      Options
	turn   chan struct{} // one writer of this process at a time, in order
	known  statements    // of the writer
	trust  trust
	writer *sql.DB
	reader *sql.DB
}

var _ assent.Store = (*Store)(nil)

// tx is one transaction, with what its store believes.
type tx struct {
	*db.Queries
	*trust
	changed map[int64]int64 // which grants it changes, by which record; nil where it only reads
}

// write runs do in one transaction that is on the disk when write returns nil,
// and has not happened when it returns an error.
func (s *Store) write(ctx context.Context, do func(tx) error) (err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.o.Lock != nil {
		unlock, err := s.o.Lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	t, err := s.writer.BeginTx(ctx, nil) // BEGIN IMMEDIATE: see source
	if err != nil {
		return s.explain(err)
	}
	changed := map[int64]int64{}
	if err := do(tx{db.New(compiled{t, &s.known}), &s.trust, changed}); err != nil {
		return s.explain(errors.Join(err, undone(t.Rollback())))
	}
	if err := t.Commit(); err != nil {
		return s.explain(err)
	}
	s.trust.note(changed)
	s.known.learn(ctx, s.writer)
	return nil
}

// undone is nil when a rollback found the transaction gone: a context that ended
// has rolled it back already.
func undone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// read returns queries that see, each by itself, what every process has written so far.
func (s *Store) read() tx { return tx{db.New(s.reader), &s.trust, nil} }

// look runs do on one state of the database: what belongs together is seen together,
// whoever writes meanwhile.
func (s *Store) look(ctx context.Context, do func(tx) error) error {
	t, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	err = do(tx{db.New(t), &s.trust, nil})
	return s.explain(errors.Join(err, undone(t.Rollback())))
}

// Close ends the connections. Everything that was written is on the disk
// already; Close only tidies up, and a process that is killed loses nothing.
//
// A process that does one thing should close all the same: the last one to
// leave moves the write-ahead log into the file, which costs about 0.6 ms. The
// log that is left behind without it is read by whoever opens the file next,
// and it only ever starts anew within one process, so it would grow for good.
func (s *Store) Close() error {
	s.known.close()
	return s.explain(errors.Join(s.reader.Close(), s.writer.Close()))
}
