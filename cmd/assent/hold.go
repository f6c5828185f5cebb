package main

// Waiting for a person, in the hook process: the call is held as long as the
// agent allows, and then denied with the name of its request.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/config"
)

// lastStep is what a wait leaves for the decision after it: with the codec's
// margin of 5 s a held call is answered 30 s before the agent stops waiting.
const lastStep = 25 * time.Second

// ask does what the ask mode says with a verdict that needs a person.
func (h *hookCall) ask(ctx context.Context, home config.Home, ev assent.Event, v assent.Verdict) (assent.Verdict, error) {
	if v.Ask == assent.AskResume && !(h.codec.Can.Resume && unattended(ev)) {
		v.Ask = assent.AskHold // only a run without a terminal can end and be resumed
	}
	if v.Ask == assent.AskAgent && !h.codec.Can.Ask {
		v.Ask = assent.AskHold
	}
	file, err := home.Load()
	if err != nil {
		return v, err
	}
	asked := file.For(file.ProfileOf(ev)).Approvals
	mode, until := v.Ask, h.until(asked)
	prompts := mode != assent.AskHold && !h.row.Races // the agent's own prompt asks, after whoever may answer before people do
	if early := asked.Before(); early > 0 && (prompts || until.Before(h.now().Add(early))) {
		h.give(early + lastStep)
		r, err := h.advised(ctx, home, v.Request, early)
		if err != nil {
			return h.lost(ctx, home, ev, v.Request, err)
		}
		prompts = prompts && r.State == assent.Pending
	}
	if prompts {
		return v, nil
	}
	// Hooks are asked once: what they gave and made of the input stands.
	made, words := v.Rewrite, v.Context
	for err == nil && v.Decision == assent.Ask { // again, when another call was faster to use the yes
		if len(made) > 0 {
			ev.Input = made
		}
		state, herr := h.hold(ctx, home, v.Request, until)
		switch {
		case herr != nil:
			return h.lost(ctx, home, ev, v.Request, herr)
		case h.row.Races && mode != assent.AskHold && (state == assent.Pending || state == assent.Withdrawn):
			return assent.Verdict{}, nil // the agent's own prompt is still open, or was answered
		}
		ev.Lapsed = state == assent.Pending
		v, err = h.handle(ctx, home, ev)
		v.Rewrite, v.Context = made, cmp.Or(v.Context, words)
	}
	return v, err
}

// lost denies a call whose server went away, and records it where that can be
// done: not as an answer to its request, which stays as it is.
func (h *hookCall) lost(ctx context.Context, home config.Home, ev assent.Event, request string, why error) (assent.Verdict, error) {
	if !errors.Is(why, assent.ErrUnavailable) {
		return assent.Verdict{}, why
	}
	ev.Invalid = fmt.Sprintf("assent serve went away while %s waited. Ask your user to start it and to run `assent approve %s`, then make exactly the same call again", request, request)
	if v, err := h.handle(ctx, home, ev); err == nil {
		return v, nil
	}
	return assent.Verdict{}, errors.New(ev.Invalid)
}

// unattended reports whether the agent runs without a person at its terminal.
func unattended(ev assent.Event) bool {
	var attended bool
	raw, ok := ev.Extra["attended"]
	return ok && json.Unmarshal(raw, &attended) == nil && !attended
}

// advised waits until whoever may answer before people do has spoken.
func (h *hookCall) advised(ctx context.Context, home config.Home, request string, most time.Duration) (assent.Request, error) {
	d, err := h.find(ctx, home, h.served)
	if err != nil {
		return assent.Request{}, err
	}
	defer d.Close()
	return d.Advised(ctx, request, most)
}

// until is when the call stops waiting for people: after approvals.wait, and in any
// case before our own deadline.
func (h *hookCall) until(a config.Approvals) time.Time {
	end := h.end.Add(-lastStep)
	if a.Wait == config.Unset {
		return end
	}
	if at := h.now().Add(time.Duration(a.Wait)); at.Before(end) {
		return at
	}
	return end
}

// hold waits until the request is settled or the time is over, and returns its
// state. A server that goes away is looked for, and then the call fails, as it
// does when a server does not answer: a held request is never decided here.
func (h *hookCall) hold(ctx context.Context, home config.Home, request string, until time.Time) (assent.State, error) {
	h.give(until.Sub(h.now()) + lastStep)
	served := h.served
	for h.now().Before(until) {
		d, err := h.find(ctx, home, served)
		if err != nil {
			return "", err
		}
		served = d.Served()
		state, err := h.wait(ctx, d, request, until)
		_ = d.Close()
		switch {
		case err == nil && state != assent.Pending:
			return state, nil
		case err != nil && !elsewhere(ctx, home, d, err):
			return "", err
		}
	}
	return assent.Pending, nil
}

// wait waits in steps, so that a server which stopped is found out. Without a
// server it is one step: by then one may have started.
func (h *hookCall) wait(ctx context.Context, d config.Assent, request string, until time.Time) (assent.State, error) {
	for {
		left := until.Sub(h.now())
		r, err := d.Wait(ctx, request, max(0, min(left, holdStep)))
		if err != nil || r.State != assent.Pending || left <= holdStep || !d.Served() {
			return r.State, err
		}
	}
}

// find finds assent. Where a server held the call, only a server will do, and it
// has a moment to come back.
func (h *hookCall) find(ctx context.Context, home config.Home, served bool) (config.Assent, error) {
	for end := h.now().Add(serverGone); ; time.Sleep(50 * time.Millisecond) {
		d, err := config.Dial(ctx, home, h.now)
		if err == nil && (d.Served() || !served) {
			return d, nil
		}
		if err == nil {
			_ = d.Close()
			err = fmt.Errorf("the server went away while this call was held: %w", assent.ErrUnavailable)
		}
		if !h.now().Before(end) || !errors.Is(err, assent.ErrUnavailable) && !errors.Is(err, assent.ErrLocked) {
			return nil, err
		}
	}
}
