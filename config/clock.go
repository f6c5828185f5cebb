package config

// The clock of a home: its deadlines come no later than any clock says.

import (
	"context"
	"fmt"
	"time"

	"assent"
	"assent/engine"
	"assent/internal/clock"
	"assent/internal/peer"
)

// Clock is the home's clock over a wall clock. Whoever signs or judges times of this
// home goes by it.
func (h Home) Clock(wall func() time.Time) *clock.Clock {
	return clock.Open(h.clock(), peer.BootID(), wall)
}

// lookAtClock records that the wall clock was set back, once for each time.
func lookAtClock(ctx context.Context, e *engine.Engine, c *clock.Clock) error {
	behind, fresh := c.Behind()
	if !fresh {
		return nil
	}
	_, err := e.Store().Append(ctx, assent.Draft{Record: assent.Record{
		At: e.Now(), Kind: assent.KindClock, Note: fmt.Sprintf("the wall clock stands %s behind: it was set back, and deadlines do not go by it", behind.Round(time.Second)),
	}})
	return err
}

// lookEvery is how often a server looks at the wall clock.
const lookEvery = time.Minute

// watchClock looks at the wall clock until ctx ends.
func watchClock(ctx context.Context, e *engine.Engine, c *clock.Clock) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := lookAtClock(ctx, e, c); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
