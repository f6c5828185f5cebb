// Package mem keeps requests, answers, grants, calls, sessions and the record
// chain in memory: for embedding, for tests and for measuring the engine
// without a disk.
//
// It keeps every promise of assent.Store but one: nothing survives the process.
// It never writes a file, never starts a goroutine and never reads a clock.
//
//	s := mem.New()
//	rec, err := s.Append(ctx, assent.Draft{Record: assent.Record{At: now, Kind: assent.KindEvent}})
//	head, err := s.Head(ctx) // head.N == rec.N
//	lines, err := s.Lines(ctx, 0, 100)
//	report, err := audit.Verify(ctx, s, nil)
package mem

// The store itself: its tables, and the lock around every verb.

import (
	"context"
	"errors"
	"sync"

	"assent"
)

// Store is an assent.Store in memory. It may be used concurrently.
type Store struct {
	mu     sync.Mutex
	closed bool

	witness assent.Witness
	head    assent.Head
	lines   []assent.Line   // line n stands at n-1
	signed  map[uint64]bool // by record: what the witness said of it

	requests []*request // request n stands at n-1
	pending  map[pendingKey]*request
	waiting  int            // how many are pending
	waits    map[string]int // how many of one session are

	grants []*grant         // grant n stands at n-1
	exact  map[string][]int // by digest: the numbers of its grants, oldest first
	class  map[string][]int // by tool
	calls  map[callKey]*call
	opened int // how many calls were ever opened
	held   []assent.Held

	sessions map[speaker]assent.Session
}

var _ assent.Store = (*Store)(nil)

var errClosed = errors.New("the store is closed")

// New returns an empty store, whose records nobody signs.
func New() *Store { return Witnessed(nil) }

// Witnessed returns an empty store whose records w signs. Nobody else writes into the
// memory of this process, so nothing in it is marked.
func Witnessed(w assent.Witness) *Store {
	return &Store{
		witness:  w,
		signed:   map[uint64]bool{},
		pending:  map[pendingKey]*request{},
		waits:    map[string]int{},
		exact:    map[string][]int{},
		class:    map[string][]int{},
		calls:    map[callKey]*call{},
		sessions: map[speaker]assent.Session{},
	}
}

// enter takes the lock; leave with s.mu.Unlock unless it failed.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errClosed
	}
	return nil
}

// Close makes every later verb fail.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}
