package engine

// Handle: from an event to a verdict, recorded before it is told.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
	"assent/review"
)

// Handle judges an event, records what became of it, and returns the verdict.
// An Ask verdict names the request that now waits for a person; once that is
// approved, the same event handled again spends the grant and is an Allow.
//
// ErrInvalid: the event lacks what an event must have. ErrFull: too many
// requests wait already. Any other error is a failure of the store. Whatever the
// error, nothing may run.
func (e *Engine) Handle(ctx context.Context, ev assent.Event) (assent.Verdict, error) {
	if err := complete(ev); err != nil {
		return assent.Verdict{}, err
	}
	if ev.At.IsZero() {
		ev.At = e.o.Now()
	}
	if e.o.Profile != nil {
		ev.Profile = e.o.Profile(ev)
	}
	v, err := e.decide(ctx, ev)
	e.notify()
	if err != nil {
		return assent.Verdict{}, err
	}
	return v, nil
}

func (e *Engine) decide(ctx context.Context, ev assent.Event) (assent.Verdict, error) {
	if !assent.Gates(ev.Name) && ev.Invalid == "" {
		return e.listen(ctx, ev)
	}
	m, v := e.judge(ctx, ev)
	if v.Decision == assent.Ask {
		return e.ask(ctx, m, v)
	}
	_, err := e.o.Store.Append(ctx, e.draft(m, v))
	return v, err
}

// complete reports what an event lacks.
func complete(ev assent.Event) error {
	lacks := func(what string) error {
		return fmt.Errorf("event %q lacks its %s: %w", ev.Name, what, assent.ErrInvalid)
	}
	switch _, known := assent.EventNamed(ev.Name); {
	case !known:
		return fmt.Errorf("event %q is not in the catalogue: %w", ev.Name, assent.ErrInvalid)
	case ev.ID == "":
		return lacks("id")
	case ev.Agent == "":
		return lacks("agent")
	case ev.Principal == "":
		return lacks("principal")
	case ev.Name == assent.PreToolCall && ev.Invalid == "" && ev.Tool == "":
		return lacks("tool")
	case ev.Name == assent.PreToolCall && ev.Invalid == "" && ev.Session == "":
		return lacks("session")
	case ev.Name != assent.PreToolCall && assent.Gates(ev.Name) && ev.Tool != "":
		// a yes to it would have the digest of a call whose commands nobody looked at
		return fmt.Errorf("event %q names a tool, and is no tool call: %w", ev.Name, assent.ErrInvalid)
	}
	return nil
}

// ask turns an Ask into an Allow by spending a grant, into a Deny where a person
// has denied this very call, or else into a request.
func (e *Engine) ask(ctx context.Context, m matter, v assent.Verdict) (assent.Verdict, error) {
	call, earlier, err := e.call(ctx, m)
	if err != nil {
		return assent.Verdict{}, err
	}
	if ended(call, earlier) {
		v = e.denied(v, earlier)
		_, err := e.o.Store.Append(ctx, e.draft(m, v))
		return v, err
	}
	if m.Synthetic {
		return e.lapse(ctx, m, v, assent.Call{}) // a canary spends nothing and asks nobody
	}
	if err := e.standing(ctx, m.Profile); err != nil {
		return assent.Verdict{}, err
	}
	allow := v
	allow.Decision, allow.Request = assent.Allow, call.Request
	call.From, call.Broker = m.paid.from, m.paid.broker
	g, err := e.o.Store.Spend(ctx, m.Case, call, e.o.Now(), e.o.Boot, e.draft(m, allow))
	if err == nil {
		allow.Grant, allow.Tell = g.ID, fmt.Sprintf("allowed by grant %s of %s", g.ID, g.By.Called())
		return allow, nil
	}
	switch {
	case !noGrant(err):
		return assent.Verdict{}, err
	case m.paid.from != "":
		return assent.Verdict{}, e.unpaid(ctx, m, v, fmt.Errorf("%s: %w", m.paid.from, err))
	case m.paid.use && !m.paid.ask:
		return e.uncovered(ctx, m, v, err)
	}
	return e.open(ctx, m, v, call)
}

// apart begins the name of a call that is known by its event alone.
const apart = "event "

// call finds the call that the case belongs to, and the request it joined. An
// event that names no call may be the second gate of the newest open call with the
// same action; else it is a call by itself. Otherwise one
// yes would serve all the calls of an agent that names none.
func (e *Engine) call(ctx context.Context, m matter) (assent.Call, assent.Request, error) {
	id := m.Call
	if id == "" {
		id = apart + m.ID
	}
	call, err := e.o.Store.Call(ctx, m.Session, id, m.digest)
	if errors.Is(err, assent.ErrNotFound) && e.secondGate(ctx, m) {
		call, err = e.o.Store.Call(ctx, m.Session, "", m.digest)
	}
	switch {
	case errors.Is(err, assent.ErrNotFound), err == nil && call.ID != id && strings.HasPrefix(call.ID, apart):
		return assent.Call{Session: m.Session, ID: id, Digest: m.digest, Opened: e.o.Now()}, assent.Request{}, nil
	case err != nil:
		return assent.Call{}, assent.Request{}, err
	case call.Request == "":
		return call, assent.Request{}, nil
	}
	r, err := e.Request(ctx, call.Request)
	return call, r, err
}

// ended reports whether this call's request ended without a yes. A denial stays
// a denial for its call; what ran out or was withdrawn is asked anew by a call
// that comes after its turn.
func ended(call assent.Call, r assent.Request) bool {
	switch r.State {
	case assent.Denied:
		return true
	case assent.Expired, assent.Withdrawn:
		return call.Closed.IsZero()
	}
	return false
}

func (e *Engine) denied(v assent.Verdict, r assent.Request) assent.Verdict {
	v.Decision, v.Request = assent.Deny, r.ID
	v.Tell = fmt.Sprintf("%s %s", r.ID, review.Outcome(r))
	v.Reasons = append(v.Reasons, assent.Reason{By: "answer", Decision: assent.Deny, Text: v.Tell})
	return v
}

// noGrant reports whether Spend failed because no live grant covers the case.
func noGrant(err error) bool {
	for _, want := range []error{assent.ErrNoSuchGrant, assent.ErrRevoked, assent.ErrExpired, assent.ErrExhausted, assent.ErrScope} {
		if errors.Is(err, want) {
			return true
		}
	}
	return false
}

// open opens or joins the request that asks a person.
func (e *Engine) open(ctx context.Context, m matter, v assent.Verdict, call assent.Call) (assent.Verdict, error) {
	if m.Lapsed && call.Request != "" {
		return e.lapse(ctx, m, v, call)
	}
	if err := e.expire(ctx); err != nil {
		return assent.Verdict{}, err
	}
	r := review.Open(m.Case, v.Reasons, e.o.Now(), e.o.Expires, e.example)
	bounds := assent.Bounds{Session: MaxPerSession, All: MaxPending}
	r, err := e.o.Store.Ask(ctx, r, call, bounds, e.draft(m, v))
	if err != nil {
		return assent.Verdict{}, err
	}
	v.Request = r.ID
	e.asked(ctx, r)
	if m.Lapsed {
		call.Request = r.ID
		return e.lapse(ctx, m, v, call)
	}
	return v, nil
}

// example is a case that is only shown: nothing is true of one that cannot be
// analysed, and so no scope covers it.
func (e *Engine) example(ev assent.Event) assent.Case {
	c, _ := e.analyse(ev)
	return c
}

// lapse denies a call that waits no longer, or never does. Its request stays:
// after a yes the same call passes once.
func (e *Engine) lapse(ctx context.Context, m matter, v assent.Verdict, call assent.Call) (assent.Verdict, error) {
	v.Decision, v.Request = assent.Deny, call.Request
	if v.Request != "" {
		v.Tell = fmt.Sprintf("%s. Nobody has approved it yet: ask your user to run `assent approve %s` in a terminal of their own, then make exactly the same call again", strings.TrimSuffix(v.Tell, "."), v.Request)
	}
	_, err := e.o.Store.Append(ctx, e.draft(m, v))
	return v, err
}

// draft is the record of an event and what became of it. What the agent sent
// goes into the payload, which can be deleted without breaking the chain.
func (e *Engine) draft(m matter, v assent.Verdict) assent.Draft {
	d := assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindEvent, Event: m.Name, EventID: m.ID, Agent: m.Agent, Session: m.Session,
		Call: m.Call, Tool: m.Tool, Decision: v.Decision, Reasons: v.Reasons, Request: v.Request, Grant: v.Grant,
		By: m.Principal,
	}}
	if m.Synthetic {
		d.Record.Note = synthetic
	}
	more := map[string]any{}
	if len(m.heard) > 0 {
		more["hooks"] = m.heard
	}
	if call := said(m.Event); m.paid.use && call != "" {
		more[AgentCall] = call
	}
	if len(more) > 0 {
		d.Record.Data, _ = json.Marshal(more)
	}
	if assent.Gates(m.Name) {
		d.Record.Digest = m.digest
		d.Payload, _ = json.Marshal(payload{m.Dir, m.Input, m.Findings, m.Operands})
	}
	if m.Process != nil && m.Session != "" {
		d.Session = &assent.Session{
			ID: m.Session, Agent: m.Agent, Principal: m.Principal, Dir: m.Dir, Process: *m.Process, Started: e.o.Now(),
		}
	}
	return d
}

type payload struct {
	Dir      string           `json:"dir,omitempty"`
	Input    json.RawMessage  `json:"input,omitempty"`
	Findings []assent.Finding `json:"findings,omitempty"`
	Operands []assent.Operand `json:"operands,omitempty"`
}
