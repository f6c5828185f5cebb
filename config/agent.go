package config

// What agents may not do to their own gate.

import (
	"context"
	"errors"
	"fmt"

	"assent"
	"assent/internal/peer"
)

// NoAgent refuses to go on in a process that leads to an agent, as far as can be
// seen: the one who is gated does not move the gate. ErrSelfApproval.
func NoAgent(ctx context.Context, h Home) error {
	agents, err := agents(ctx, h)
	if err != nil {
		return err
	}
	if lead := peer.Lead(peer.Self(), agents); lead != "" {
		return fmt.Errorf("%s: %w", lead, assent.ErrSelfApproval)
	}
	return nil
}

// agents lists the sessions that the home knows to run.
func agents(ctx context.Context, h Home) ([]assent.Session, error) {
	s, err := OpenLog(ctx, h)
	if errors.Is(err, assent.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Sessions(ctx)
}
