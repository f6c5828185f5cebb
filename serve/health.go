package serve

// Health: whether the server is well, in a few numbers that tell nothing of
// anybody.

import (
	"assent"
)

// Health is what a server says of itself to everybody.
type Health struct {
	Version string          `json:"version"`
	Uptime  assent.Duration `json:"uptime"`  // seconds
	Pending int             `json:"pending"` // requests that wait for people
}

const maxCount = 10_000

func (c *call) health() (any, error) {
	n, err := c.pending.read(c.Engine.Changed, func() (int, error) {
		list, err := c.Engine.Store().Requests(c.r.Context(), assent.RequestFilter{State: assent.Pending, Limit: maxCount})
		return len(list), err
	})
	return Health{c.Version, assent.Duration(c.Engine.Now().Sub(c.started)), n}, err
}
