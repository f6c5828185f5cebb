package engine

// Events that nobody may veto: they are recorded, and they end calls, turns and
// sessions.

import (
	"context"
	"errors"

	"assent"
)

// listen tells the user's own code of an event, and returns what it gives for the
// model, or in place of a text.
func (e *Engine) listen(ctx context.Context, ev assent.Event) (assent.Verdict, error) {
	m := matter{Case: assent.Case{Event: ev}}
	var v assent.Verdict
	if e.o.Users != nil {
		said, err := askOne(ctx, e.o.Users, m.Case)
		if err != nil {
			said.Parts = []assent.Reply{{By: "hooks", Fault: err.Error()}}
		}
		m.heard = heard(said)
		v.Context, v.Text, v.Directive = said.Context, said.Text, said.Directive
		if ev.Name == assent.PreVerify && len(v.Directive) > 0 && e.nudged(ctx, ev.Session) {
			v.Directive = nil
			m.heard = append(m.heard, assent.Heard{By: "assent", Fault: "hooks have kept this turn going three times: it ends"})
		}
	}
	if t, _ := assent.EventNamed(ev.Name); len(m.heard) == 0 && (t.Hears == assent.HearsText || t.Hears == assent.HearsDirective) {
		return v, nil // it is only for hooks, and there are none for it
	}
	return v, e.observe(ctx, m)
}

func (e *Engine) observe(ctx context.Context, m matter) error {
	ev, d := m.Event, e.draft(m, assent.Verdict{})
	var err error
	if ev.Synthetic { // nothing has happened, so nothing has ended
		_, err = e.o.Store.Append(ctx, d)
		return err
	}
	switch ev.Name {
	case assent.PostToolCall:
		if err = e.overtaken(ctx, ev); err == nil {
			err = e.o.Store.Finish(ctx, ev.Session, ev.Call, d)
		}
	case assent.TurnEnd:
		if err = e.unasked(ctx, ev); err == nil {
			err = e.o.Store.Finish(ctx, ev.Session, "", d)
		}
	case assent.PreLLMCall:
		if err = e.unasked(ctx, ev); err == nil {
			_, err = e.o.Store.Append(ctx, d)
		}
	case assent.SessionEnd:
		_, err = e.o.Store.EndSession(ctx, ev.Session, e.o.Now(), d)
	case assent.SubagentStop:
		if ev.ParentSession == "" { // it does not say which
			_, err = e.o.Store.Append(ctx, d)
		} else {
			_, err = e.o.Store.EndSession(ctx, ev.Session, e.o.Now(), d)
		}
	default:
		_, err = e.o.Store.Append(ctx, d)
	}
	return err
}

// unasked withdraws what still waits of a session whose agent asks with its own
// prompt: its turn is over, so that prompt was answered, and not with a yes.
func (e *Engine) unasked(ctx context.Context, ev assent.Event) error {
	if e.o.Ask != assent.AskAgent || ev.Session == "" {
		return nil
	}
	waiting, err := e.o.Store.Requests(ctx, assent.RequestFilter{State: assent.Pending, Session: ev.Session})
	for _, r := range waiting {
		err = errors.Join(err, e.withdraw(ctx, ev, r, "withdrawn: its agent's own prompt was answered"))
	}
	return err
}

// overtaken withdraws the request of a call that has run without its answer: the
// agent's own prompt was answered, or the agent did not wait.
func (e *Engine) overtaken(ctx context.Context, ev assent.Event) error {
	gated := ev
	gated.Name = assent.PreToolCall // the digest is of what was judged, operands and all
	c, err := e.analyse(gated)
	if err != nil {
		return nil // an input that cannot be analysed never had a request
	}
	call, err := e.o.Store.Call(ctx, ev.Session, ev.Call, c.Digest())
	if errors.Is(err, assent.ErrNotFound) || err == nil && call.Request == "" {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := e.o.Store.Request(ctx, call.Request)
	if err != nil || r.State != assent.Pending || r.Asked > 1 {
		return err
	}
	return e.withdraw(ctx, ev, r, "withdrawn: the call ran before it was answered here")
}

func (e *Engine) withdraw(ctx context.Context, ev assent.Event, r assent.Request, why string) error {
	d := e.draft(matter{Case: assent.Case{Event: ev}}, assent.Verdict{Request: r.ID})
	d.Record.Note = why
	r, _, err := e.o.Store.Settle(ctx, assent.Settlement{Request: r.ID, State: assent.Withdrawn, At: e.o.Now()}, d)
	if errors.Is(err, assent.ErrSettled) {
		return nil
	}
	if err == nil {
		e.resolved(ctx, r)
	}
	return err
}
