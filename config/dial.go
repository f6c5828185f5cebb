package config

// Dial: the way to a home's assent, which is its server if one answers, and
// otherwise the store itself, under the home's lock.

import (
	"context"
	"errors"
	"time"

	"assent"
)

// Assent is what commands and hooks need of a running or resting assent. Every
// call ends in time, whatever state a server is in: ErrLocked when it does not
// answer.
type Assent interface {
	assent.Decider
	// Served reports whether a server answers, rather than this process.
	Served() bool
	// Limit is how long the user's hooks may take, beside what a call takes anyway.
	Limit() time.Duration
	// Advised returns the request once whoever may answer before people do has spoken,
	// or it is settled, or so much time has passed.
	Advised(ctx context.Context, request string, most time.Duration) (assent.Request, error)
	Answer(ctx context.Context, a assent.Answer) (assent.Request, error)
	Revoke(ctx context.Context, r assent.Revocation) (assent.Revoked, error)
	Forward(ctx context.Context, f assent.Forwarding) (assent.Grant, error)
	Renew(ctx context.Context, r assent.Renewal) (assent.Grant, error)
	Hold(ctx context.Context, h assent.Handling) (handle string, held assent.Held, err error)
	Use(ctx context.Context, u assent.Use) (assent.Verdict, error)
	Begin(ctx context.Context, s assent.Start) error
	End(ctx context.Context, n assent.End) error
	Receipt(ctx context.Context, w assent.ReceiptWish) (string, error)
	// Usable lists the live grants that this process may use. Who that is, is found out:
	// the peer that is given counts for nothing.
	Usable(ctx context.Context, p *assent.Peer) ([]assent.Grant, error)
	Enroll(ctx context.Context, n assent.Enrollment) error
	Request(ctx context.Context, id string) (assent.Request, error)
	Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error)
	Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error)
	Close() error
}

// Dial finds the home's assent. It does not keep a server from ending later:
// calls then fail with ErrUnavailable, and the caller dials again. ErrLocked: a
// server has just started, or one does not answer.
func Dial(ctx context.Context, h Home, now func() time.Time) (Assent, error) {
	server, err := server(h)
	if err != nil {
		return nil, err
	}
	_, err = within(ctx, server, answerWait, func(ctx context.Context) (struct{}, error) { return struct{}{}, server.Ping(ctx) })
	if err == nil {
		return server, nil
	}
	if !errors.Is(err, assent.ErrUnavailable) {
		return nil, err
	}
	file, err := h.Load()
	if err != nil {
		return nil, err
	}
	e, mine, err := h.open(ctx, file, now, h.brief)
	if err != nil {
		return nil, err
	}
	return near{e, mine}, nil
}

// AtServer is the way to the home's server, whether there is one or not: where there is
// none, its calls fail with ErrUnavailable, and nothing has happened.
func AtServer(h Home) (Assent, error) { return server(h) }

func server(h Home) (far, error) {
	if err := h.Make(); err != nil { // before anything there is believed
		return far{}, err
	}
	return far{h.Client(), h}, nil
}
