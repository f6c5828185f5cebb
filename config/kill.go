package config

// Kill: the end of what runs under a grant that was revoked.

import (
	"context"
	"time"

	"assent"
	"assent/internal/child"
	"assent/internal/peer"
)

// politely is how long what runs has to end by itself.
const politely = 3 * time.Second

// kill ends the process group that a call has started. One whose leader's number is
// another process's by now has ended.
func kill(ctx context.Context, c assent.Call) error {
	if c.Child == nil {
		return nil
	}
	if p, err := peer.Inspect(c.Child.PID); c.Child.Boot != peer.BootID() || err == nil && p.Start != c.Child.Start {
		return nil
	}
	return child.Stop(ctx, c.Child.PID, politely)
}
