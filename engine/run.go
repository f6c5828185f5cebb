package engine

// Begin and End: the broker's word on what it executes; and how what runs is ended
// when its grant is revoked.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assent"
)

// Begin notes that what a use was spent for runs, and in which process. ErrRevoked: its
// grant was revoked meanwhile, and the caller ends it at once. ErrNotFound: no such call
// is open. ErrForbidden: another process made the use.
func (e *Engine) Begin(ctx context.Context, s assent.Start) error {
	kept, err := e.spent(ctx, s.Session, s.Call, s.Digest, s.Peer)
	if err == nil && kept.Grant == "" {
		err = fmt.Errorf("the call %s has spent nothing: %w", s.Call, assent.ErrNotFound)
	}
	if err != nil {
		return err
	}
	if !kept.Began.IsZero() && kept.Closed.IsZero() && (s.Child == nil || kept.Child != nil && *kept.Child == *s.Child) {
		return nil // it is said again: the first reply was lost
	}
	kept.Child, kept.Began = s.Child, e.o.Now()
	data, _ := json.Marshal(s.Child)
	return e.o.Store.Begin(ctx, kept, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindBegin, Agent: assent.AgentBroker, Session: s.Session, Call: s.Call,
		Digest: s.Digest, Grant: kept.Grant, Decision: assent.Allow, Data: data,
	}})
}

// End notes that it is over, and what came of it. Where nothing was started, and never
// will be, the use is given back, if it is assent's own broker that says so.
func (e *Engine) End(ctx context.Context, n assent.End) error {
	kept, err := e.spent(ctx, n.Session, n.Call, n.Digest, n.Peer)
	if err != nil {
		return err
	}
	n.At = e.o.Now()
	data, _ := json.Marshal(n)
	d := assent.Draft{Record: assent.Record{
		At: n.At, Kind: assent.KindEnd, Agent: assent.AgentBroker, Session: n.Session, Call: n.Call, Digest: n.Digest,
		Grant: kept.Grant, Note: n.Note, Data: data,
	}}
	if !n.Started && kept.Grant != "" && n.Peer != nil && n.Ours {
		d.Record.Kind = assent.KindRefund
		if _, err := e.o.Store.Refund(ctx, kept, d); !errors.Is(err, assent.ErrNotFound) {
			return err
		}
		d.Record.Kind = assent.KindEnd // it began: nothing is given back
	}
	err = e.o.Store.Finish(ctx, n.Session, n.Call, d)
	e.notify()
	e.over(ctx, n)
	return err
}

// over tells the user's own code that a call of the broker's has ended.
func (e *Engine) over(ctx context.Context, n assent.End) {
	if e.o.Users == nil || !n.Started {
		return
	}
	tool := ""
	if events, err := e.recent(ctx, n.Session); err == nil {
		for r := range events {
			if r.Call == n.Call && r.Event == assent.PreToolCall {
				tool = r.Tool
				break
			}
		}
	}
	result, _ := json.Marshal(map[string]any{"exit_code": n.Exit, "bytes": n.Out})
	_, _ = askOne(ctx, e.o.Users, assent.Case{Event: assent.Event{ // it only watches: what it says changes nothing
		ID: n.Call + "-end", Name: assent.PostToolCall, At: n.At, Agent: assent.AgentBroker, Session: n.Session,
		Call: n.Call, Tool: tool, Extra: map[string]json.RawMessage{"result": result},
	}})
}

// spent is the open call of a use, or one without a grant where a rule allowed it.
// ErrForbidden: the peer is not the process that made it.
func (e *Engine) spent(ctx context.Context, session, id, digest string, p *assent.Peer) (assent.Call, error) {
	if session == "" || id == "" || digest == "" {
		return assent.Call{}, fmt.Errorf("a session, a call and a digest are needed: %w", assent.ErrInvalid)
	}
	kept, err := e.o.Store.Call(ctx, session, id, digest)
	if errors.Is(err, assent.ErrNotFound) {
		return assent.Call{}, nil
	}
	if err == nil && !made(kept.Broker, p) {
		err = fmt.Errorf("the call %s is of another process: %w", id, assent.ErrForbidden)
	}
	return kept, err
}

// made reports whether the peer is the process that made a use. One without a process
// came over HTTP, or is an agent's own call, of which no process of this machine says how
// it goes on.
func made(broker *assent.Process, p *assent.Peer) bool {
	if broker == nil || p == nil {
		return broker == nil && p == nil
	}
	return p.PID == broker.PID && p.Start == broker.Start
}
