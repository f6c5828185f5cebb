package assent

// The vocabulary of failure: what callers may branch on.

import "errors"

// Grant errors, a stable contract. Where several hold, the first in this order
// is the one returned.
var (
	ErrRevoked     = errors.New("grant revoked")
	ErrExpired     = errors.New("grant expired")
	ErrExhausted   = errors.New("grant exhausted")
	ErrScope       = errors.New("outside the grant's scope")
	ErrNoSuchGrant = errors.New("no such grant")
)

// Errors of requests, stores and doors.
var (
	ErrInvalid      = errors.New("invalid input")              // it cannot be understood, or breaks a rule of its own form
	ErrNotFound     = errors.New("not found")                  // no such request, session or record
	ErrSettled      = errors.New("already settled")            // the first answer won
	ErrStale        = errors.New("changed since it was shown") // the answer was to another version
	ErrForbidden    = errors.New("not allowed")                // who asks for this may not have it
	ErrSelfApproval = errors.New("the one who asks can never answer")
	ErrFull         = errors.New("the queue is full")       // law 12: every queue has a bound
	ErrUnavailable  = errors.New("assent is not reachable") // no server, or it went away
	ErrLocked       = errors.New("another assent holds the lock")
	ErrNewer        = errors.New("the database is newer than this program")
	ErrDamaged      = errors.New("the database is damaged")
	ErrChain        = errors.New("the log's chain is broken")
)
