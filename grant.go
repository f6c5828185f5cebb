package assent

// The Grant: what a yes is.

import (
	"slices"
	"time"
)

// Width is how far a yes reaches, in the words people use.
type Width string

// The widths (design section 9).
const (
	Once     Width = "once"    // this digest, one use, ten minutes to be used
	ForTurns Width = "for"     // the chosen offer, for a time and a number of uses
	InSess   Width = "session" // the chosen offer, until the session ends
	Always   Width = "always"  // a standing grant, listed, lapsing, revocable
	Owner    Width = "owner"   // what the owner's configuration gives: to everybody, or to an approver
)

// Grant is authority with a holder, a scope, a deadline, a use count and a
// revoker. Its ID is public and safe to log.
type Grant struct {
	ID      string    `json:"id"`
	Parent  string    `json:"parent,omitempty"`
	Request string    `json:"request,omitempty"` // what was asked when it was given
	Width   Width     `json:"width"`
	Scope   Scope     `json:"scope"`
	By      Identity  `json:"by"`
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"`            // valid in [From, Until)
	Lapse   Duration  `json:"lapse,omitempty"`  // ends when unused for so long; 0 = does not lapse
	Boot    string    `json:"boot,omitempty"`   // void under another boot id; empty = survives
	Record  uint64    `json:"record,omitempty"` // the record that vouches for it
	Mints   bool      `json:"mints,omitempty"`  // it is never spent itself: its holder gives grants out of it

	Used      int       `json:"used"`
	LastUsed  time.Time `json:"last_used,omitzero"`
	Revoked   time.Time `json:"revoked,omitzero"`
	RevokedBy string    `json:"revoked_by,omitempty"`
}

// Check reports whether the grant is live at now under this boot: nil, or the
// first of ErrRevoked, ErrExpired, ErrExhausted that holds.
func (g Grant) Check(now time.Time, boot string) error {
	switch {
	case !g.Revoked.IsZero():
		return ErrRevoked
	case now.Before(g.From), !now.Before(g.Until), g.Boot != "" && g.Boot != boot, g.lapsed(now):
		return ErrExpired
	case g.Used >= g.Scope.Uses:
		return ErrExhausted
	}
	return nil
}

// Covers reports whether a use of the grant may be spent on the case, as far as its
// scope goes.
func (g Grant) Covers(c Case) bool { return !g.Mints && g.Scope.Covers(c) }

// CheckLine is Check over a grant and its ancestors: a grant is as dead as the
// deadest of them. Of several errors it returns the first in the contract's
// order.
func CheckLine(line []Grant, now time.Time, boot string) error {
	order := []error{ErrRevoked, ErrExpired, ErrExhausted}
	worst := len(order)
	for _, g := range line {
		if err := g.Check(now, boot); err != nil {
			worst = min(worst, slices.Index(order, err))
		}
	}
	if worst < len(order) {
		return order[worst]
	}
	return nil
}

func (g Grant) lapsed(now time.Time) bool {
	if g.Lapse <= 0 {
		return false
	}
	last := g.From
	if g.LastUsed.After(last) {
		last = g.LastUsed
	}
	return now.Sub(last) >= time.Duration(g.Lapse)
}

// Seal is the hash of everything of the grant that never changes. The record
// that gave the grant carries it: a grant whose seal its record does not carry
// was not given by anybody, and never loads.
func (g Grant) Seal() string {
	g.ID, g.Record = "", 0 // given by the store, after the answer was made
	g.From, g.Until = g.From.UTC(), g.Until.UTC()
	g.Used, g.LastUsed, g.Revoked, g.RevokedBy = 0, time.Time{}, time.Time{}, ""
	return canonicalHash(g)
}

// VouchedBy reports whether rec is the whole and unaltered record that gave g.
//
// Whether the record itself is genuine is Witness.Genuine's to say.
func (g Grant) VouchedBy(rec Record) bool {
	return rec.Kind == KindAnswer && rec.Decision == Allow && rec.N == g.Record &&
		rec.Grant == g.ID && rec.Seal != "" && rec.Seal == g.Seal()
}

// Call is one tool call: open from its first gating event to its result, a denial
// or the end of the turn. It makes spending idempotent: one call, one use.
type Call struct {
	Session string    `json:"session"`
	ID      string    `json:"id"` // the agent's id of the call
	Digest  string    `json:"digest"`
	Request string    `json:"request,omitempty"` // the request it joined
	Grant   string    `json:"grant,omitempty"`   // the grant it spent one use of
	Opened  time.Time `json:"opened"`
	Closed  time.Time `json:"closed,omitzero"`

	// Of what assent executes itself:
	Broker *Process  `json:"broker,omitempty"` // who starts it; Begin sets it
	Child  *Process  `json:"child,omitempty"`  // what was started, the leader of its own process group
	Began  time.Time `json:"began,omitzero"`

	From string `json:"-"` // to Spend: the only grant that a use may be taken from; empty = any that covers the case
}
