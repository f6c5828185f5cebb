package engine

// Advice: an approver may answer a request before people do. It is asked once, its
// word is recorded, and its yes is a grant out of the one that its owner gave it.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"assent"
	"assent/review"
)

// Consult asks the approver about one request, unless it has been asked, and
// settles the request if it decides. It returns the request as it then stands; one
// that is not pending any more, or that another process sees to, is no error.
func (e *Engine) Consult(ctx context.Context, id string) (assent.Request, error) {
	r, err := e.Request(ctx, id)
	if err != nil || e.o.Advisor == nil || r.State != assent.Pending || r.Advice != nil || r.Kind != assent.KindApproval {
		return r, err
	}
	who := e.o.Advisor(r.Case.Profile)
	if who == nil || slices.ContainsFunc(r.Reasons, func(s assent.Reason) bool { return s.Decision == assent.Deny }) {
		return r, nil // nobody to ask, or one whose denial a person is overruling
	}
	claim := assent.Advice{By: who.Name(), At: e.o.Now().UTC()}
	r, err = e.advise(ctx, r, claim)
	if err != nil {
		return r, settledIsFine(err)
	}
	a := opinion(ctx, who, r)
	decider := claim.By
	if a.By.Approver() {
		decider = a.By // of several approvers, one; never a person
	}
	a.By, a.At, a.Done = claim.By, claim.At, true
	if a.Took == 0 {
		a.Took = assent.Duration(e.o.Now().Sub(claim.At))
	}
	save := context.WithoutCancel(ctx) // it was asked: what it said is kept
	if r, err = e.advise(save, r, a); err != nil || a.Decision == assent.Ask {
		return r, settledIsFine(err)
	}
	r, err = e.carry(save, r, a, decider)
	return r, settledIsFine(err)
}

// Advise puts every request that waits to its approver, at most so many at once,
// until ctx ends.
func (e *Engine) Advise(ctx context.Context, most int) error {
	if e.o.Advisor == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	slots := make(chan struct{}, most)
	var all sync.WaitGroup
	defer all.Wait()
	last := "" // each is looked at once, and new ones come last
	for {
		change := e.Changed()
		waiting, err := e.o.Store.Requests(ctx, assent.RequestFilter{State: assent.Pending, After: last})
		if err != nil {
			return err
		}
		for _, r := range waiting {
			last = r.ID
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			all.Go(func() {
				_, _ = e.Consult(ctx, r.ID) // what went wrong is on the request
				<-slots
			})
		}
		if len(waiting) > 0 {
			continue // there may be more
		}
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settledIsFine is nil for ErrSettled: somebody was first, and that counts.
func settledIsFine(err error) error {
	if errors.Is(err, assent.ErrSettled) {
		return nil
	}
	return err
}

// opinion asks the approver. What fails is no answer: people decide.
func opinion(ctx context.Context, who assent.Approver, r assent.Request) (a assent.Advice) {
	defer func() {
		if p := recover(); p != nil {
			a = assent.Advice{Decision: assent.Ask, Fault: fmt.Sprintf("panic: %v", p)}
		}
	}()
	a, err := who.Approve(ctx, r)
	switch {
	case err != nil:
		a.Decision, a.Fault = assent.Ask, err.Error()
	case a.Decision != assent.Allow && a.Decision != assent.Deny:
		a.Decision = assent.Ask
	}
	return a
}

func (e *Engine) advise(ctx context.Context, r assent.Request, a assent.Advice) (assent.Request, error) {
	data, _ := json.Marshal(a)
	note := "asked"
	if a.Done {
		note = a.Reason
	}
	r, err := e.o.Store.Advise(ctx, r.ID, a, assent.Draft{Record: assent.Record{
		At: e.o.Now(), Kind: assent.KindAdvice, Agent: r.Case.Agent, Session: r.Case.Session, Tool: r.Case.Tool,
		Digest: r.Digest, Decision: a.Decision, Request: r.ID, By: a.By.String(), Note: note, Data: data,
	}})
	e.notify()
	return r, err
}

// carry does what the approver decided. A yes needs its own grant to stand.
func (e *Engine) carry(ctx context.Context, r assent.Request, a assent.Advice, by assent.Identity) (assent.Request, error) {
	word := assent.Answer{
		Request: r.ID, Version: r.Version, Digest: r.Digest, By: by, Decision: a.Decision,
		Offer: a.Offer, Width: a.Width, Note: a.Reason, At: e.o.Now(),
	}
	if a.Width == assent.ForTurns {
		word.Uses, word.For = a.Uses, a.For
	}
	s, err := review.Settle(r, word, e.o.Now(), e.o.Boot)
	if err == nil && s.Grant != nil {
		err = e.authorise(ctx, s.Grant, r, a)
	}
	if errors.Is(err, assent.ErrInvalid) || errors.Is(err, assent.ErrForbidden) {
		a.Decision, a.Fault = assent.Ask, err.Error()
		return e.advise(ctx, r, a)
	}
	if err != nil {
		return r, err
	}
	r, _, err = e.o.Store.Settle(ctx, s, e.answered(r, s))
	e.notify()
	if err == nil {
		e.resolved(ctx, r)
	}
	return r, err
}

// authorise makes the approver's yes a child of the grant that its owner gave it.
func (e *Engine) authorise(ctx context.Context, g *assent.Grant, r assent.Request, a assent.Advice) error {
	from, err := e.authority(ctx, r.Case.Profile)
	if err != nil {
		return err
	}
	g.Parent = from.ID
	if g.Width != assent.ForTurns && a.For > 0 {
		g.Scope.For = min(g.Scope.For, a.For)
		g.Until = g.From.Add(time.Duration(g.Scope.For))
	}
	if g.Width != assent.ForTurns && a.Uses > 0 {
		g.Scope.Uses = min(g.Scope.Uses, a.Uses)
	}
	if g.Until.After(from.Until) {
		g.Until = from.Until
	}
	return nil
}

// overruled reports whether a person says yes to what an approver has denied.
func overruled(r assent.Request, a assent.Answer) bool {
	return r.State == assent.Denied && a.Decision == assent.Allow && r.Answer != nil && r.Answer.By.Approver()
}

// reopen opens the request anew that an approver has denied, once, for the answer of
// a person: of exactly this action, for one use. ErrSettled when that was done.
func (e *Engine) reopen(ctx context.Context, r assent.Request, a assent.Answer) (assent.Request, assent.Answer, error) {
	if (a.Width != "" && a.Width != assent.Once) || a.Offer != 0 {
		return r, a, fmt.Errorf("%s was denied by %s: it can be overruled once, for exactly this: %w", r.ID, r.Answer.By.Called(), assent.ErrInvalid)
	}
	if (a.Version != 0 && a.Version != r.Version) || (a.Digest != "" && a.Digest != r.Digest) {
		return r, a, fmt.Errorf("overrule %s: %w", r.ID, assent.ErrStale)
	}
	call := assent.Call{Session: r.Case.Session, ID: "overruled " + r.ID, Digest: r.Digest, Opened: e.o.Now()}
	if _, err := e.o.Store.Call(ctx, call.Session, call.ID, call.Digest); !errors.Is(err, assent.ErrNotFound) {
		if err == nil {
			err = fmt.Errorf("%s was overruled before, and that once: %w", r.ID, assent.ErrSettled)
		}
		return r, a, err
	}
	again := review.Open(r.Case, r.Reasons, e.o.Now(), e.o.Expires, e.example)
	again.Digest = r.Digest
	again.Reasons = append(again.Reasons, assent.Reason{By: r.Answer.By.String(), Decision: assent.Deny, Text: fmt.Sprintf("%s was denied: %s", r.ID, r.Answer.Note)})
	again, err := e.o.Store.Ask(ctx, again, call, assent.Bounds{Session: math.MaxInt, All: math.MaxInt}, e.draft(matter{Case: r.Case, digest: r.Digest}, assent.Verdict{Decision: assent.Ask, Reasons: again.Reasons}))
	a.Request, a.Version, a.Digest = again.ID, again.Version, again.Digest
	return again, a, err
}
