package serve

// Requests: what people are asked, waiting for it, and their answers.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"assent"
)

const maxPage = 1000

type requestList struct {
	Requests []assent.Request `json:"requests"`
}

var states = []assent.State{"", assent.Pending, assent.Approved, assent.Denied, assent.Expired, assent.Withdrawn}

func (c *call) requests() (any, error) {
	q := c.r.URL.Query()
	f := assent.RequestFilter{State: assent.State(q.Get("state")), Session: q.Get("session"), After: q.Get("after")}
	if !slices.Contains(states, f.State) {
		return nil, fmt.Errorf("there is no state %q: %w", clip(string(f.State)), assent.ErrInvalid)
	}
	var err error
	if f.Limit, err = c.page(); err != nil {
		return nil, err
	}
	list, err := c.Engine.Store().Requests(c.r.Context(), f)
	return requestList{listed(list)}, err
}

// listed makes an empty list of none, so that it travels as [].
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// request asks the engine rather than the store: what has run out is settled.
func (c *call) request() (any, error) { return c.Engine.Wait(c.r.Context(), c.id(), 0) }

// wait is a long poll. It ends with the hold, with the peer's leaving, and when
// the server stops: then with the request as it stands.
func (c *call) wait() (any, error) {
	hold, err := c.hold()
	if err != nil {
		return nil, err
	}
	select {
	case c.polls <- struct{}{}:
		defer func() { <-c.polls }()
	default:
		return nil, fmt.Errorf("%d calls wait already: %w", cap(c.polls), assent.ErrFull)
	}
	ctx, cancel := context.WithCancel(c.r.Context())
	defer cancel()
	defer context.AfterFunc(c.stopped, cancel)()
	r, err := c.Engine.Wait(ctx, c.id(), hold)
	if err != nil && ctx.Err() != nil && c.r.Context().Err() == nil {
		return c.request() // the store gave up because we stop, not because it failed
	}
	return r, err
}

// hold reads seconds, or a Go duration.
func (c *call) hold() (time.Duration, error) {
	text := c.r.URL.Query().Get("hold")
	if text == "" {
		return defaultHold, nil
	}
	d, err := time.ParseDuration(text)
	if sec, serr := strconv.ParseFloat(text, 64); serr == nil && sec >= 0 && sec <= maxHold.Seconds() {
		d, err = time.Duration(sec*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > maxHold {
		return 0, fmt.Errorf("hold is a time from 0 to %s: %w", maxHold, assent.ErrInvalid)
	}
	return d, nil
}

// answer takes one person's word. Who that is, is proved by the door and the
// roster; what the body says of it is refused.
func (c *call) answer() (any, error) {
	var a assent.Answer
	if err := c.read(&a, "proof"); err != nil {
		return nil, err
	}
	switch {
	case a.By != assent.Identity{}:
		return nil, fmt.Errorf("who answers is proved, not said (by): %w", assent.ErrInvalid)
	case a.Request == "":
		a.Request = c.id()
	case a.Request != c.id():
		return nil, fmt.Errorf("the answer is to %q, not to %q: %w", clip(a.Request), clip(c.id()), assent.ErrInvalid)
	}
	if len(a.Proof.Signature) == 0 || a.At.IsZero() {
		a.At = c.Engine.Now() // a signature covers its time, nothing else does
	}
	if err := c.stand(&a.Proof, "answers"); err != nil {
		return nil, err
	}
	r, err := c.Engine.Answer(c.r.Context(), a)
	if errors.Is(err, assent.ErrSettled) && r.ID != "" {
		err = &settledError{err, r}
	}
	return r, err
}
