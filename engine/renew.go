package engine

// Renew: a standing grant stands on because a person says so again, and for no other
// reason.

import (
	"context"
	"encoding/json"
	"fmt"

	"assent"
	"assent/review"
)

// Renew gives a standing grant anew, on one person's word, and ends the old one: the
// same scope, with its uses and its time from now on. ErrForbidden, ErrSelfApproval:
// recorded. ErrNoSuchGrant; ErrRevoked, ErrExpired, ErrExhausted: what has ended is
// asked for anew. ErrInvalid: it is no standing grant, or the time is too long.
// ErrStale: it was signed too long ago. ErrSettled: this word was heard before.
func (e *Engine) Renew(ctx context.Context, r assent.Renewal) (assent.Grant, error) {
	if r.Grant == "" || r.For < 0 || len(r.Note) > review.MaxNote {
		return assent.Grant{}, fmt.Errorf("renew: a grant, a time that is not negative and a note of at most %d bytes are needed: %w", review.MaxNote, assent.ErrInvalid)
	}
	r.At = e.saidAt(r.Proof, r.At)
	what := "renew " + r.Grant
	who, err := e.person(ctx, what, r.Proof, r.At, r.Signed)
	if err != nil {
		return assent.Grant{}, err
	}
	line, err := e.line(ctx, r.Grant)
	if err != nil {
		return assent.Grant{}, fmt.Errorf("%s: %w", what, err)
	}
	g, err := review.Renewed(line[0], who, r)
	if err != nil {
		return assent.Grant{}, fmt.Errorf("%s: %w", what, err)
	}
	return e.renew(ctx, line[0], g, r)
}

// renew ends the old grant before it gives the new one: at no time are there two.
func (e *Engine) renew(ctx context.Context, old, g assent.Grant, r assent.Renewal) (assent.Grant, error) {
	data, _ := json.Marshal(r)
	now := e.o.Now()
	d := assent.Draft{Record: assent.Record{At: now, Kind: assent.KindRevoke, By: g.By.String(), Note: "renewed", Data: data}}
	if _, err := e.o.Store.Revoke(ctx, assent.Selection{ID: old.ID}, g.By.String(), now, d); err != nil {
		return assent.Grant{}, err
	}
	g, err := e.o.Store.Give(ctx, g, assent.Draft{Record: assent.Record{
		At: now, Kind: assent.KindAnswer, Agent: g.Scope.Agent, Tool: g.Scope.Tool, Digest: g.Scope.Digest,
		Decision: assent.Allow, By: g.By.String(), Note: r.Note, Seal: g.Seal(), Data: data,
	}})
	e.notify()
	return g, err
}
