package main

// The gate of one run: found anew for each step only where the server goes away.

import (
	"context"
	"errors"

	"assent"
	"assent/config"
)

// kept is a redial that stays with the server. It is a broker.Gate for one goroutine.
type kept struct {
	redial
	server config.Assent // nil = there is none, or it went away
}

func (g *kept) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	return keep(ctx, g, func(d config.Assent) (assent.Verdict, error) { return d.Use(ctx, u) })
}

func (g *kept) Begin(ctx context.Context, s assent.Start) error {
	_, err := keep(ctx, g, func(d config.Assent) (struct{}, error) { return struct{}{}, d.Begin(ctx, s) })
	return err
}

func (g *kept) End(ctx context.Context, e assent.End) error {
	_, err := keep(ctx, g, func(d config.Assent) (struct{}, error) { return struct{}{}, d.End(ctx, e) })
	return err
}

// keep takes one step with the server, or with whoever decides now.
func keep[T any](ctx context.Context, g *kept, take func(config.Assent) (T, error)) (T, error) {
	if g.server != nil {
		v, err := take(g.server)
		if !errors.Is(err, assent.ErrUnavailable) {
			return v, err
		}
		g.server = nil
	}
	return step(ctx, g.redial, func(d config.Assent) (T, error) {
		if d.Served() {
			g.server = d // which stays usable when it is closed
		}
		return take(d)
	})
}
