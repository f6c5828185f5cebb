package engine

// Use: what assent executes itself. No cap, no call: what no rule of the owner's allows
// needs a live grant, and nobody behind us decides in our place.

import (
	"context"
	"errors"
	"fmt"

	"assent"
)

// paid is how a matter is to be paid for, where assent executes it itself.
type paid struct {
	use    bool                    // it is a use: a grant, or a rule that allows, and nothing less
	from   string                  // the only grant to spend from; empty = any that covers it
	ask    bool                    // people are asked where none does
	broker *assent.Process         // who executes it
	binds  func(assent.Case) error // what a handle's own limits say of it; nil = none
}

// Use decides whether assent's own broker may do what the event says, and spends the
// use before it does. Allow: do it, once, and say Begin and End; v.Grant is what was
// spent, and empty where a rule of the owner's allows it. Ask: v.Request waits for
// people, and the same event is used again once it is answered; without u.Ask nobody
// was asked, and v.Request is empty. Deny is final for the call.
//
// Where u names a grant, by its ID or a handle, only that is spent, and an error says
// why it cannot be: ErrRevoked, ErrExpired, ErrExhausted, ErrScope, ErrNoSuchGrant;
// ErrForbidden: it is held by somebody else. Each is recorded. Other errors as Handle.
func (e *Engine) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	ev, pay, err := e.presented(ctx, u)
	if err != nil {
		return assent.Verdict{}, e.refuse(ctx, "use", u.Peer, err)
	}
	if err := complete(ev); err != nil {
		return assent.Verdict{}, err
	}
	if e.o.Profile != nil {
		ev.Profile = e.o.Profile(ev)
	}
	v, err := e.use(ctx, ev, pay)
	e.notify()
	if err != nil {
		return assent.Verdict{}, err
	}
	return v, nil
}

// presented fills in who uses: the session and the grant that the connection and the
// handle prove, never what the event says of itself.
func (e *Engine) presented(ctx context.Context, u assent.Use) (assent.Event, paid, error) {
	ev, pay := u.Event, paid{use: true, from: u.Grant, ask: u.Ask}
	ev.At, ev.Agent, ev.Name = e.o.Now(), assent.AgentBroker, assent.PreToolCall
	ev.ParentSession, ev.Process, ev.Again, ev.Lapsed, ev.Synthetic = "", nil, false, false, false
	if ev.Call == "" {
		return ev, pay, fmt.Errorf("a use needs the name of its call: %w", assent.ErrInvalid)
	}
	if u.Peer != nil {
		p := u.Peer.Process
		pay.broker = &p
	}
	if u.Handle != "" {
		return e.handled(ctx, u, ev, pay)
	}
	var err error
	ev.Session, err = e.speaker(ctx, u.Peer, ev)
	if err == nil && u.Ask {
		ev.Process = u.Peer.Root // who asks does not answer
	}
	return ev, pay, err
}

// use judges the event and pays for it.
func (e *Engine) use(ctx context.Context, ev assent.Event, pay paid) (assent.Verdict, error) {
	m, v := e.judge(ctx, ev)
	v.Session, v.Digest = m.Session, m.digest
	if v.Rewrite != nil && v.Decision != assent.Deny {
		v = refused("a hook would have something else run than was approved: where assent executes, nothing is rewritten")
	}
	m.paid = pay
	if pay.binds != nil && v.Decision != assent.Deny {
		if err := pay.binds(m.Case); err != nil {
			return assent.Verdict{}, e.unpaid(ctx, m, v, err)
		}
	}
	switch {
	case v.Decision == assent.Deny, v.Decision == assent.Allow && pay.from == "":
		_, err := e.o.Store.Append(ctx, e.draft(m, v))
		return v, err
	}
	v.Decision = assent.Ask
	return e.ask(ctx, m, v)
}

// uncovered is what becomes of a use that no grant covers, where people are not to be
// asked: no request is opened.
func (e *Engine) uncovered(ctx context.Context, m matter, v assent.Verdict, why error) (assent.Verdict, error) {
	v.Tell = "no grant covers it, and nobody was asked"
	if !errors.Is(why, assent.ErrNoSuchGrant) {
		v.Tell = fmt.Sprintf("no live grant covers it (%v), and nobody was asked", why)
	}
	_, err := e.o.Store.Append(ctx, e.draft(m, v))
	return v, err
}

// unpaid records that the grant which was named cannot be spent, and returns why.
func (e *Engine) unpaid(ctx context.Context, m matter, v assent.Verdict, why error) error {
	v.Decision, v.Grant = assent.Deny, ""
	v.Reasons = append(v.Reasons, assent.Reason{By: "grant", Decision: assent.Deny, Text: why.Error()})
	if _, err := e.o.Store.Append(ctx, e.draft(m, v)); err != nil {
		return err
	}
	return why
}
