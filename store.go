package assent

// The interfaces: what the parts of assent need of each other.

import (
	"context"
	"time"
)

// Hook judges cases. An error, a panic or a time-out of a hook is at least an
// Ask, never an Allow (law 3). It may be called concurrently.
type Hook interface {
	Judge(ctx context.Context, c Case) (Reply, error)
}

// HookFunc is a function as a Hook.
type HookFunc func(ctx context.Context, c Case) (Reply, error)

// Judge calls f.
func (f HookFunc) Judge(ctx context.Context, c Case) (Reply, error) { return f(ctx, c) }

// Decider is what an agent needs of assent. Near it is the engine, far it is
// serve.Client. It may be called concurrently.
type Decider interface {
	// Handle judges an event and returns what is to become of it. An event with
	// the ID of an earlier one is that event again: nothing is spent twice. Any
	// error means that nothing may run.
	Handle(ctx context.Context, e Event) (Verdict, error)
	// Wait returns the request once it is no longer pending, or as it stands
	// when hold has passed. ErrNotFound if there is none.
	Wait(ctx context.Context, request string, hold time.Duration) (Request, error)
}

// Approver may answer a request before people do. Whatever it says is recorded, and
// its yes is a grant out of the bounded one that its owner gave it (law 4). An
// error is no answer: people decide. It may be called concurrently.
type Approver interface {
	// Name is who it is: the surface, the content that decides, and a name for
	// people. It is known before it is asked.
	Name() Identity
	Approve(ctx context.Context, r Request) (Advice, error)
}

// Roster says who stands behind an answer. signed is what the proof's signature
// must be over. ErrForbidden: nobody that is known. ErrSelfApproval: the proof
// leads to an agent. It may be called concurrently.
type Roster interface {
	Identify(ctx context.Context, p Proof, signed []byte) (Identity, error)
}

// Draft is a record before it is numbered and chained, with its payload and the
// session it came from, if that is to be noted. A record without a time is
// ErrInvalid. A session that is noted again by the same process goes on from where
// it started; one that had ended starts anew.
type Draft struct {
	Record  Record
	Payload []byte
	Session *Session
}

// Selection picks grants: one by ID, all of a session and its sub-agents (Within),
// or all. Exactly one field is set.
type Selection struct {
	ID      string `json:"id,omitempty"`
	Session string `json:"session,omitempty"`
	All     bool   `json:"all,omitempty"`
}

// RequestFilter picks requests. The zero filter is all, newest last.
type RequestFilter struct {
	State   State  // empty = any
	Session string // empty = any
	After   string // an ID; only later ones
	Limit   int    // 0 = 100
}

// GrantFilter picks grants. The zero filter is all, oldest first.
type GrantFilter struct {
	Session string // empty = any
	Live    bool   // only those that Check passes, with all their ancestors
	Now     time.Time
	Boot    string
}

// Bounds are the most pending requests a store holds (law 12). 0 = none.
type Bounds struct {
	Session int // of one session
	All     int
}

// Store keeps requests, answers, grants, calls, sessions and the record chain.
// Every verb that writes is one transaction that has reached the disk when it
// returns, and writes its record in that same transaction: what it did and that
// it did it are one fact (law 9). All may be called concurrently. Errors that
// are not in the vocabulary mean that the store failed, and nothing happened.
// storetest holds every implementation to this.
type Store interface {
	// Append writes a record of its own.
	Append(ctx context.Context, d Draft) (Record, error)

	// Ask opens a request for the call, or joins the call to the pending request
	// of the same kind, principal, session and digest (Asked rises unless the call
	// had joined it before); what has no digest joins nothing. A closed call with
	// the same ID is opened anew. The store gives the ID ("req_1", "req_2", …).
	// ErrFull at a bound, and nothing is written.
	Ask(ctx context.Context, r Request, call Call, b Bounds, d Draft) (Request, error)

	// Settle moves a pending request to the state of s once, keeps the answer,
	// and inserts the grant, which gets its ID and its record here. ErrNotFound;
	// ErrSettled with the request as it stands when somebody was first; ErrInvalid
	// for a grant that the record would not vouch for; ErrNoSuchGrant for a parent
	// that there is not.
	Settle(ctx context.Context, s Settlement, d Draft) (Request, *Grant, error)

	// Advise writes on a pending request that an approver is asked (Done is false;
	// only where there is no advice yet), or what it said (Done; only over its own
	// claim: the same By and At). ErrNotFound; ErrSettled, with the request as it
	// stands, when it is no longer pending, or another has claimed it.
	Advise(ctx context.Context, request string, a Advice, d Draft) (Request, error)

	// Give inserts a grant that no request led to: one of the owner's own, out of
	// the configuration (Owner), a child of another grant (Parent, and any width
	// but Owner), or a standing grant that is renewed (Always, and the Request of the
	// first). ErrInvalid for any other, and for one that the record would not vouch
	// for; ErrNoSuchGrant for a parent that there is not; ErrSettled for one with the
	// same Seal as a child or a renewed one that was given before.
	Give(ctx context.Context, g Grant, d Draft) (Grant, error)

	// Spend takes one use of a live grant that covers the case and notes it on
	// the call, over the whole chain of ancestors; the record (Use, Grant) is
	// written in any case. Exact grants are taken before classes, older before
	// newer. An open call (same session, ID and digest) that has spent already
	// gets the same grant again, as long as that is not revoked, and nothing is
	// taken; a closed one is a new call, and one that began is ErrSettled. Where
	// call.From names a grant, that is the only one: ErrScope when it is live and does
	// not cover the case. A grant that its record does not vouch for (Grant.VouchedBy, Genuine),
	// or whose row was written by somebody else, does not exist. When no live grant covers the case:
	// the error of the newest covering grant that is no longer live, else
	// ErrNoSuchGrant; then nothing is written.
	Spend(ctx context.Context, c Case, call Call, now time.Time, boot string, d Draft) (Grant, error)

	// Begin notes on an open call that has spent a use that what it was for runs now,
	// and in which processes. ErrNotFound: there is no such call. ErrSettled: it began
	// before. ErrRevoked: its
	// grant, or one that came before it, was revoked meanwhile: then nothing is noted,
	// and the caller ends what it has started.
	Begin(ctx context.Context, call Call, d Draft) error

	// Refund gives back the use that an open call has taken, over the whole line of
	// its grant, and closes the call, as long as it did not begin. ErrNotFound: there
	// is no such call, it has spent nothing, or it began.
	Refund(ctx context.Context, call Call, d Draft) (Grant, error)

	// Running lists the open calls that began under one of these grants or what
	// descends of them, oldest first; without grants, all that began. ErrDamaged comes
	// with those that are as they were written, when others are not.
	Running(ctx context.Context, grants []string) ([]Call, error)

	// Hold keeps a handle of a grant and gives it its ID ("hd_1", "hd_2", …) and its
	// record. ErrNoSuchGrant; ErrInvalid for one without a hash, a nonce or a holder.
	Hold(ctx context.Context, h Held, d Draft) (Held, error)
	// Held returns the handle with this hash or ID. ErrNoSuchGrant, also for one whose
	// record does not vouch for it.
	Held(ctx context.Context, hashOrID string) (Held, error)

	// Finish closes the open call of the session with this ID, or with an empty
	// ID all that are open. Closing none is no error. One that began goes on
	// whatever its agent says: only the record of its own end closes it (EndsRun).
	Finish(ctx context.Context, session, call string, d Draft) error

	// EndSession marks the session and its sub-agents' ended (Within), closes their
	// calls and revokes their grants of the width InSess. It returns the grants it
	// revoked, each with a record (KindRevoke) after the session's own.
	EndSession(ctx context.Context, session string, at time.Time, d Draft) ([]Grant, error)

	// Revoke revokes the selected grants that are not revoked yet and returns
	// them, with one record for each. When it has returned nothing is spent from
	// them or from their descendants (law 6). ErrNoSuchGrant if ID names none.
	Revoke(ctx context.Context, s Selection, by string, at time.Time, d Draft) ([]Grant, error)

	// Expire settles as Expired every pending request whose time has come, at
	// most limit of them, the earliest deadline first, each with a record
	// (KindExpire, Deny), and returns them.
	Expire(ctx context.Context, now time.Time, limit int) ([]Request, error)

	// Request returns one request with its answer. ErrNotFound.
	Request(ctx context.Context, id string) (Request, error)
	// Requests lists requests, oldest first.
	Requests(ctx context.Context, f RequestFilter) ([]Request, error)
	// Grants lists grants, oldest first.
	Grants(ctx context.Context, f GrantFilter) ([]Grant, error)
	// Call returns the session's call with this digest: the one with this ID, open
	// or closed, or when the ID is empty the newest open one. ErrNotFound.
	Call(ctx context.Context, session, id, digest string) (Call, error)
	// Sessions lists the sessions, once for each process that has spoken for them,
	// oldest first. Those that ended stay: who has asked once does not answer,
	// whatever it says of its session later. One that the store cannot vouch for is
	// Doubtful. When a process of a new boot speaks, those of other boots are forgotten.
	Sessions(ctx context.Context) ([]Session, error)
	// Lines returns the records after n, in order, at most limit.
	Lines(ctx context.Context, after uint64, limit int) ([]Line, error)
	// Keys returns the records of kind KindKey, oldest first. ErrChain when one is
	// not as it was written.
	Keys(ctx context.Context) ([]Record, error)
	// Head returns the end of the chain.
	Head(ctx context.Context) (Head, error)
	// Close releases what the store holds.
	Close() error
}

// Settlement is how one request is settled.
type Settlement struct {
	Request string
	State   State   // Approved, Denied, Expired or Withdrawn
	Answer  *Answer // nil for Expired and Withdrawn
	Grant   *Grant  // for Approved; its ID and Record are the store's to give
	At      time.Time
}
