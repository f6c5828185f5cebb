package engine

// Forward: a grant is handed on to a named session. A session starts with nothing,
// a sub-agent's too; what it is handed is a child of the grant, never the grant.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
	"assent/review"
)

// maxOnward is how often in a row a grant may be handed on.
const maxOnward = 8

// Forward hands a grant on to a session, on one person's word, and returns the child
// that the session then holds. The child covers for that session what its parent
// covers, and nothing else; it has no more uses and no more time than are left, and is
// dead when its parent is.
//
// ErrForbidden, ErrSelfApproval: recorded. ErrNoSuchGrant; ErrRevoked, ErrExpired,
// ErrExhausted: of the grant or what it came out of. ErrScope: it has not so much to
// give, or is the owner's own. ErrNotFound: there is no such session, or it has ended.
// ErrInvalid: a part is missing, or the session has it already. ErrStale: it was signed
// too long ago. ErrSettled: this very word was heard before.
func (e *Engine) Forward(ctx context.Context, f assent.Forwarding) (assent.Grant, error) {
	if f.Grant == "" || f.To == "" || f.Uses < 0 || f.For < 0 || len(f.Note) > review.MaxNote {
		return assent.Grant{}, fmt.Errorf("forward: a grant, a session, uses and a time that are not negative, and a note of at most %d bytes are needed: %w", review.MaxNote, assent.ErrInvalid)
	}
	f.At = e.saidAt(f.Proof, f.At)
	what := "forward " + f.Grant
	who, err := e.person(ctx, what, f.Proof, f.At, f.Signed)
	if err != nil {
		return assent.Grant{}, err
	}
	g, err := e.child(ctx, f, who)
	switch {
	case errors.Is(err, assent.ErrForbidden):
		return assent.Grant{}, e.refuse(ctx, what, f.Proof.Peer, err)
	case err != nil:
		return assent.Grant{}, fmt.Errorf("%s: %w", what, err)
	}
	return e.hand(ctx, g, f)
}

// hand gives the child, with the record of who handed it on.
func (e *Engine) hand(ctx context.Context, g assent.Grant, f assent.Forwarding) (assent.Grant, error) {
	data, _ := json.Marshal(f)
	g, err := e.o.Store.Give(ctx, g, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindAnswer, Agent: g.Scope.Agent, Session: g.Scope.Session, Tool: g.Scope.Tool,
		Digest: g.Scope.Digest, Decision: assent.Allow, By: g.By.String(), Note: f.Note, Seal: g.Seal(), Data: data,
	}})
	e.notify()
	return g, err
}

// child is the grant that a forwarding makes: less than the live one it names, or as
// much, and for another session.
func (e *Engine) child(ctx context.Context, f assent.Forwarding, who assent.Identity) (assent.Grant, error) {
	line, err := e.line(ctx, f.Grant)
	if err != nil {
		return assent.Grant{}, err
	}
	parent := line[0]
	switch {
	case parent.Mints, parent.Width == assent.Owner:
		return parent, fmt.Errorf("it is what the configuration gives, and nobody's to hand on: %w", assent.ErrScope)
	case parent.Scope.Session == f.To:
		return parent, fmt.Errorf("the session %s has it already: %w", f.To, assent.ErrInvalid)
	case onward(line) >= maxOnward:
		return parent, fmt.Errorf("it was handed on %d times in a row, and that is the most: %w", maxOnward, assent.ErrScope)
	case parent.Scope.Principal == assent.PrincipalToken && len(f.Proof.Signature) == 0:
		return parent, fmt.Errorf("which process asks is not known, so it may be this one: forward with an approver key (--key FILE): %w", assent.ErrForbidden)
	}
	if err := e.present(ctx, f.To); err != nil {
		return parent, err
	}
	return narrowed(line, f, who)
}

// narrowed is the child of the first of a line, within what all of them have left.
func narrowed(line []assent.Grant, f assent.Forwarding, who assent.Identity) (assent.Grant, error) {
	parent := line[0]
	g := assent.Grant{Parent: parent.ID, Width: parent.Width, By: who, From: parent.From, Until: parent.Until, Boot: parent.Boot}
	if g.Width == assent.Always {
		g.Width = assent.ForTurns // a standing grant is of nobody in particular
	}
	if f.At.After(g.From) {
		g.From = f.At // and not now: the same word is the same grant
	}
	left := parent.Scope.Uses
	for _, a := range line {
		left = min(left, a.Scope.Uses-a.Used)
		if a.Until.Before(g.Until) {
			g.Until = a.Until
		}
	}
	uses := cmp.Or(f.Uses, 1)
	if uses > left {
		return g, fmt.Errorf("uses left: %d, wanted: %d: %w", left, uses, assent.ErrScope)
	}
	end := g.From.Add(time.Duration(f.For))
	if end.After(g.Until) {
		return g, fmt.Errorf("it ends at %s, and what comes of it no later: %w", g.Until.UTC().Format(time.RFC3339), assent.ErrScope)
	}
	if f.For > 0 {
		g.Until = end
	}
	anybodys := parent.Scope
	anybodys.Session = ""
	var err error
	g.Scope, err = anybodys.Narrow(assent.Scope{Session: f.To, Uses: uses, For: assent.Duration(g.Until.Sub(g.From))})
	return g, err
}

// onward is how often the first of a line was handed on already: the owner's
// authority, out of which an approver gave, does not count.
func onward(line []assent.Grant) int {
	n := 0
	for _, g := range line[1:] {
		if !g.Mints {
			n++
		}
	}
	return n
}

// line is a live grant and its ancestors, or why there is none.
func (e *Engine) line(ctx context.Context, id string) ([]assent.Grant, error) {
	f := assent.GrantFilter{Live: true, Now: e.o.Now(), Boot: e.o.Boot}
	live, err := e.o.Store.Grants(ctx, f)
	if err != nil {
		return nil, err
	}
	if line := lineOf(id, live); line != nil {
		return line, nil
	}
	all, err := e.o.Store.Grants(ctx, assent.GrantFilter{})
	if err != nil {
		return nil, err
	}
	if err := assent.CheckLine(lineOf(id, all), f.Now, f.Boot); err != nil {
		return nil, err
	}
	return nil, assent.ErrNoSuchGrant // or its record does not vouch for it
}

// lineOf picks a grant and its ancestors out of a list in which the older stand first;
// nil when one is not there.
func lineOf(id string, list []assent.Grant) (line []assent.Grant) {
	for at := len(list); id != ""; {
		at = slices.IndexFunc(list[:at], func(g assent.Grant) bool { return g.ID == id })
		if at < 0 {
			return nil
		}
		line, id = append(line, list[at]), list[at].Parent
	}
	return line
}

// present returns nil for a session that has been heard of and has not ended, or else
// ErrNotFound. One of which no process is known was heard of when it asked.
func (e *Engine) present(ctx context.Context, session string) error {
	all, err := e.o.Store.Sessions(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(s assent.Session) bool { return s.ID != session || s.Doubtful })
	if slices.ContainsFunc(all, func(s assent.Session) bool { return s.Ended.IsZero() }) {
		return nil
	}
	if len(all) > 0 {
		return fmt.Errorf("the session %s has ended: %w", session, assent.ErrNotFound)
	}
	asked, err := e.o.Store.Requests(ctx, assent.RequestFilter{Session: session, Limit: 1})
	if err == nil && len(asked) == 0 {
		err = fmt.Errorf("the session %s: %w", session, assent.ErrNotFound)
	}
	return err
}
