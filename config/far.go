package config

// Far: a server over its socket, which must answer in time. One that was stopped
// still takes connections, for the kernel does that, and never answers.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"assent"
	"assent/serve"
)

// answerWait is how long a server may take for one call. It lies under the time
// that the hook gives everything.
const answerWait = 8 * time.Second

// far is a home's server.
type far struct {
	*serve.Client
	home Home
}

// Served is true.
func (far) Served() bool { return true }

var errSilent = errors.New("no answer in time")

// within makes one call that the server must answer in time. ErrLocked names a
// server that does not.
func within[T any](ctx context.Context, f far, limit time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSilent)
	defer cancel()
	v, err := call(ctx)
	if err != nil && context.Cause(ctx) == errSilent {
		err = fmt.Errorf("%s has not answered for %s: %w", f.home.holder(), limit, assent.ErrLocked)
	}
	return v, err
}

// Limit is what the server noted that its hooks may take.
func (f far) Limit() time.Duration {
	raw, err := os.ReadFile(f.home.limit())
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
	return time.Duration(n) * time.Second
}

func (f far) Handle(ctx context.Context, e assent.Event) (assent.Verdict, error) {
	return within(ctx, f, answerWait+f.Limit(), func(ctx context.Context) (assent.Verdict, error) { return f.Client.Handle(ctx, e) })
}

// lookAgain is how often a server is asked whether its approver has spoken.
const lookAgain = 100 * time.Millisecond

func (f far) Advised(ctx context.Context, id string, most time.Duration) (assent.Request, error) {
	for end := time.Now().Add(most); ; {
		r, err := f.Request(ctx, id)
		if err != nil || r.State != assent.Pending || r.Advice != nil && r.Advice.Done || !time.Now().Before(end) {
			return r, err
		}
		r, err = f.Wait(ctx, id, lookAgain)
		if err != nil || r.State != assent.Pending {
			return r, err
		}
	}
}

func (f far) Wait(ctx context.Context, id string, hold time.Duration) (assent.Request, error) {
	return within(ctx, f, hold+answerWait, func(ctx context.Context) (assent.Request, error) { return f.Client.Wait(ctx, id, hold) })
}

func (f far) Answer(ctx context.Context, a assent.Answer) (assent.Request, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) (assent.Request, error) { return f.Client.Answer(ctx, a) })
}

// killWait is how long a server may take beside to end what runs under grants.
const killWait = 15 * time.Second

func (f far) Revoke(ctx context.Context, r assent.Revocation) (assent.Revoked, error) {
	limit := answerWait
	if r.Kill {
		limit += killWait
	}
	return within(ctx, f, limit, func(ctx context.Context) (assent.Revoked, error) { return f.Client.Revoke(ctx, r) })
}

func (f far) Forward(ctx context.Context, w assent.Forwarding) (assent.Grant, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) (assent.Grant, error) { return f.Client.Forward(ctx, w) })
}

func (f far) Renew(ctx context.Context, r assent.Renewal) (assent.Grant, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) (assent.Grant, error) { return f.Client.Renew(ctx, r) })
}

func (f far) Hold(ctx context.Context, w assent.Handling) (string, assent.Held, error) {
	out, err := within(ctx, f, answerWait, func(ctx context.Context) (out serve.Handled, err error) {
		out.Handle, out.Held, err = f.Client.Hold(ctx, w)
		return out, err
	})
	return out.Handle, out.Held, err
}

func (f far) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	return within(ctx, f, answerWait+f.Limit(), func(ctx context.Context) (assent.Verdict, error) { return f.Client.Use(ctx, u) })
}

func (f far) Begin(ctx context.Context, s assent.Start) error {
	return f.say(ctx, func(ctx context.Context) error { return f.Client.Begin(ctx, s) })
}

func (f far) End(ctx context.Context, n assent.End) error {
	return f.say(ctx, func(ctx context.Context) error { return f.Client.End(ctx, n) })
}

func (f far) Receipt(ctx context.Context, w assent.ReceiptWish) (string, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) (string, error) { return f.Client.Receipt(ctx, w) })
}

func (f far) Usable(ctx context.Context, p *assent.Peer) ([]assent.Grant, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) ([]assent.Grant, error) { return f.Client.Usable(ctx, p) })
}

// say makes a call that has no reply.
func (f far) say(ctx context.Context, call func(context.Context) error) error {
	_, err := within(ctx, f, answerWait, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

func (f far) Enroll(ctx context.Context, n assent.Enrollment) error {
	return f.say(ctx, func(ctx context.Context) error { return f.Client.Enroll(ctx, n) })
}

func (f far) Request(ctx context.Context, id string) (assent.Request, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) (assent.Request, error) { return f.Client.Request(ctx, id) })
}

func (f far) Requests(ctx context.Context, q assent.RequestFilter) ([]assent.Request, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) ([]assent.Request, error) { return f.Client.Requests(ctx, q) })
}

func (f far) Grants(ctx context.Context, q assent.GrantFilter) ([]assent.Grant, error) {
	return within(ctx, f, answerWait, func(ctx context.Context) ([]assent.Grant, error) { return f.Client.Grants(ctx, q) })
}
