package sqlite_test

// Who may write: the caller's lock, and programs that ignore it.

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/store/sqlite"
)

// mutex is a lock that many stores can share.
func mutex(lock chan struct{}) func(context.Context) (func(), error) {
	return func(ctx context.Context) (func(), error) {
		select {
		case lock <- struct{}{}:
			return func() { <-lock }, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func TestTheLockIsHeldUntilTheCommit(t *testing.T) {
	t.Parallel()
	path := file(t)
	other := open(t, path, sqlite.Options{})
	var heads []uint64
	look := func() {
		h, err := other.Head(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Error(err)
		}
		heads = append(heads, h.N)
	}
	s := open(t, path, sqlite.Options{Lock: func(context.Context) (func(), error) { look(); return look, nil }})
	if _, err := s.Append(t.Context(), event("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context()); err != nil { // reading takes no lock
		t.Fatal(err)
	}
	if len(heads) != 2 || heads[0] != 0 || heads[1] != 1 {
		t.Fatalf("heads when the lock was taken and given back: %v", heads)
	}
}

func TestWithoutTheLockNothingIsWritten(t *testing.T) {
	t.Parallel()
	path := file(t)
	open(t, path, sqlite.Options{})
	s := open(t, path, sqlite.Options{Lock: func(context.Context) (func(), error) { return nil, assent.ErrLocked }})
	if _, err := s.Append(t.Context(), event("x")); !errors.Is(err, assent.ErrLocked) {
		t.Fatal(err)
	}
	if h, err := s.Head(t.Context()); err != nil || h.N != 0 {
		t.Fatal(h, err)
	}
}

func TestABusyFileIsNamedAndWrittenLater(t *testing.T) {
	t.Parallel()
	path := file(t)
	s := open(t, path, sqlite.Options{Busy: 20 * time.Millisecond})
	db := raw(t, path)
	db.SetMaxOpenConns(1)
	execute(t, db, "BEGIN IMMEDIATE")
	_, err := s.Append(t.Context(), event("x"))
	if !errors.Is(err, assent.ErrLocked) || !strings.Contains(err.Error(), "try again") {
		t.Fatal(err)
	}
	if h, err := s.Head(t.Context()); err != nil || h.N != 0 { // reading waits for nobody
		t.Fatal(h, err)
	}
	execute(t, db, "COMMIT")
	if _, err := s.Append(t.Context(), event("x")); err != nil {
		t.Fatal(err)
	}
}

func TestAWaitForTheFileEndsWithItsContext(t *testing.T) {
	t.Parallel()
	path := file(t)
	s := open(t, path, sqlite.Options{Busy: time.Hour})
	db := raw(t, path)
	db.SetMaxOpenConns(1)
	execute(t, db, "BEGIN IMMEDIATE")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Append(ctx, event("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	execute(t, db, "ROLLBACK")
	if rec, err := s.Append(t.Context(), event("x")); err != nil || rec.N != 1 {
		t.Fatal(rec, err)
	}
}
