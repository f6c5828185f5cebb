package serve

// Health: whether the server is well, in a few numbers and words that tell
// nothing of anybody.

import (
	"assent"
)

// Health is what a server says of itself to everybody.
type Health struct {
	Version string          `json:"version"`
	Uptime  assent.Duration `json:"uptime"`  // seconds
	Pending int             `json:"pending"` // requests that wait for people
	Rules
}

// Rules are what a server read of its configuration when it started.
type Rules struct {
	Ask     assent.AskMode  `json:"ask,omitempty"`     // who asks
	Default string          `json:"default,omitempty"` // what becomes of a call that nobody has an opinion on
	Expires assent.Duration `json:"expires,omitempty"` // seconds after which a request runs out
	Said    string          `json:"rules,omitempty"`   // names the user's rules by their content; empty: there are none
	Hooks   string          `json:"hooks,omitempty"`   // names the user's hooks, likewise

	Approvals string `json:"approvals,omitempty"` // names who answers, likewise
}

const maxCount = 10_000

func (c *call) health() (any, error) {
	n, err := c.pending.read(c.Engine.Changed, func() (int, error) {
		list, err := c.Engine.Store().Requests(c.r.Context(), assent.RequestFilter{State: assent.Pending, Limit: maxCount})
		return len(list), err
	})
	return Health{c.Version, assent.Duration(c.Engine.Now().Sub(c.started)), n, c.Rules}, err
}
