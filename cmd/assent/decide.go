package main

// Asking whoever decides: the server, or the store itself, within the hook's time.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assent"
	"assent/config"
)

var errSlow = errors.New("it came to no decision in time")

// handle asks whoever decides now, and once more when that has just become
// somebody else. Where a server went away that was asking the user's hooks, nobody
// asks them a second time: the call is denied.
func (h *hookCall) handle(ctx context.Context, home config.Home, ev assent.Event) (assent.Verdict, error) {
	v, again, err := h.decided(ctx, home, ev)
	if !again || ctx.Err() != nil {
		return v, err
	}
	if h.hooked && h.row.Gates && errors.Is(err, assent.ErrUnavailable) {
		ev.Invalid = "assent serve went away while it asked your user's hooks about this: make exactly the same call again"
	}
	v, _, err = h.decided(ctx, home, ev)
	return v, err
}

// decided asks once. again says that somebody else may decide by now. The user's
// hooks get their own time on top of ours.
func (h *hookCall) decided(ctx context.Context, home config.Home, ev assent.Event) (v assent.Verdict, again bool, err error) {
	h.give(handleLimit)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := time.AfterFunc(handleLimit, func() { cancel(errSlow) })
	defer end.Stop()
	d, err := config.Dial(ctx, home, h.now)
	if err != nil {
		return v, errors.Is(err, assent.ErrLocked) && home.Served(ctx), slow(ctx, err)
	}
	if more := d.Limit(); more > 0 {
		h.hooked = true
		h.give(handleLimit + more)
		end.Reset(min(handleLimit+more, h.end.Sub(h.now())))
	}
	if v, err = d.Handle(ctx, ev); err != nil {
		return v, elsewhere(ctx, home, d, err), slow(ctx, err)
	}
	h.served = d.Served()
	if err := d.Close(); err != nil { // what was decided is on the disk
		fmt.Fprintln(h.err, "assent:", err)
	}
	return v, false, nil
}

// slow says of an error after the time was over that it was.
func slow(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// elsewhere reports whether an error means that somebody else may decide by now:
// a server that has just taken the lock, or nobody any more.
func elsewhere(ctx context.Context, home config.Home, d config.Assent, err error) bool {
	if d.Served() {
		return errors.Is(err, assent.ErrUnavailable)
	}
	return errors.Is(err, assent.ErrLocked) && home.Served(ctx)
}
