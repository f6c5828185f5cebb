package main

// Waiting for a person, in the hook process: the call is held as long as the
// agent allows, and then denied with the name of its request.

import (
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
	if v.Ask != assent.AskHold && !h.row.Races {
		return v, nil
	}
	file, err := config.Load(home.Config())
	if err != nil {
		return v, err
	}
	state, err := h.hold(ctx, home, v.Request, h.until(file))
	if err != nil {
		return v, err
	}
	if state == assent.Pending && h.row.Races && v.Ask != assent.AskHold {
		return assent.Verdict{}, nil // the agent's own prompt is still open
	}
	ev.Lapsed = state == assent.Pending
	return h.handle(ctx, home, ev)
}

// unattended reports whether the agent runs without a person at its terminal.
func unattended(ev assent.Event) bool {
	var attended bool
	raw, ok := ev.Extra["attended"]
	return ok && json.Unmarshal(raw, &attended) == nil && !attended
}

// until is when the call stops waiting: after approvals.wait, and in any case
// before our own deadline.
func (h *hookCall) until(f config.File) time.Time {
	end := h.end.Add(-lastStep)
	if f.Approvals.Wait == config.Unset {
		return end
	}
	if at := h.now().Add(time.Duration(f.Approvals.Wait)); at.Before(end) {
		return at
	}
	return end
}

// hold waits until the request is settled or the time is over, and returns its
// state. A server that goes away is looked for, and then the call fails: a held
// request is never decided here.
func (h *hookCall) hold(ctx context.Context, home config.Home, request string, until time.Time) (assent.State, error) {
	d, err := config.Dial(ctx, home, h.now)
	if err != nil {
		return "", err
	}
	served := d.Served()
	for {
		left := until.Sub(h.now())
		if left <= 0 {
			return assent.Pending, nil
		}
		r, err := d.Wait(ctx, request, min(left, holdStep))
		if err == nil && r.State != assent.Pending {
			return r.State, nil
		}
		if err == nil && !served {
			err = assent.ErrUnavailable // look again: a server may have started
		}
		if err != nil {
			if d, err = h.again(ctx, home, served, err); err != nil {
				return "", err
			}
			served = served || d.Served()
		}
	}
}

// again finds assent anew after why. Where a server held the call, only a server
// will do.
func (h *hookCall) again(ctx context.Context, home config.Home, served bool, why error) (config.Assent, error) {
	if !errors.Is(why, assent.ErrUnavailable) && !errors.Is(why, assent.ErrLocked) {
		return nil, why
	}
	for end := h.now().Add(serverGone); ; {
		d, err := config.Dial(ctx, home, h.now)
		if err == nil && (d.Served() || !served) {
			return d, nil
		}
		if !h.now().Before(end) || ctx.Err() != nil {
			return nil, fmt.Errorf("the server went away while this call was held; its request stays: %w", assent.ErrUnavailable)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
