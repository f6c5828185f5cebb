package main

// The gate of whoever executes: the server, or the store itself, found anew for each
// step. A server may come and go between them.

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"assent"
	"assent/config"
)

// redial is the way to a home's assent. It is a broker.Gate.
type redial struct {
	home config.Home
	now  func() time.Time
}

func (g redial) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	return step(ctx, g, func(d config.Assent) (assent.Verdict, error) { return d.Use(ctx, u) })
}

func (g redial) Begin(ctx context.Context, s assent.Start) error {
	_, err := step(ctx, g, func(d config.Assent) (struct{}, error) { return struct{}{}, d.Begin(ctx, s) })
	return err
}

func (g redial) End(ctx context.Context, e assent.End) error {
	_, err := step(ctx, g, func(d config.Assent) (struct{}, error) { return struct{}{}, d.End(ctx, e) })
	return err
}

// Wait waits in steps, so that a server which stopped or started is found out.
func (g redial) Wait(ctx context.Context, request string, hold time.Duration) (assent.Request, error) {
	until := g.now().Add(hold)
	for {
		left := max(0, until.Sub(g.now()))
		r, err := step(ctx, g, func(d config.Assent) (assent.Request, error) { return d.Wait(ctx, request, min(left, holdStep)) })
		if err != nil || r.State != assent.Pending || left <= holdStep {
			return r, err
		}
	}
}

// step takes one step with whoever decides now. Where that changes meanwhile it is
// taken again: each step names its call, and does the same once.
func step[T any](ctx context.Context, g redial, take func(config.Assent) (T, error)) (T, error) {
	for end := g.now().Add(serverGone); ; {
		d, err := config.Dial(ctx, g.home, g.now)
		var v T
		again := errors.Is(err, assent.ErrUnavailable) || errors.Is(err, assent.ErrLocked)
		if err == nil {
			v, err = take(d)
			again = err != nil && elsewhere(ctx, g.home, d, err)
			err = errors.Join(err, d.Close())
		}
		if !again || !g.now().Before(end) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// notByPipes keeps this process from ending at once when nobody reads what it writes:
// it has children to end first. They are not kept so.
func notByPipes() (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return func() { signal.Stop(c) }
}
