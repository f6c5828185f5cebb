package serve

// Uses: what assent's broker does under grants, and what their holders show of them.

import (
	"crypto/rand"
	"fmt"

	"assent"
	"assent/internal/peer"
)

// use asks whether something may be done now. Who does it, and for which session, is
// what the door found out; whoever has people asked will not answer.
func (c *call) use() (any, error) {
	var u assent.Use
	if err := c.read(&u, "event"); err != nil {
		return nil, err
	}
	e := &u.Event
	if e.ID == "" {
		e.ID = "ev_" + rand.Text()
	}
	e.At, e.Agent, e.Principal, e.Synthetic = c.Engine.Now(), assent.AgentBroker, c.who.principal(), false
	var err error
	u.Peer, err = c.holder()
	if err == nil && u.Ask && u.Peer != nil && u.Peer.Root != nil {
		err = c.seen.add(*u.Peer.Root, e.Agent) // who asks does not answer
	}
	if err == nil {
		e.Raw, err = encode(e) // and not the body, in which a handle may stand
	}
	if err != nil {
		return nil, err
	}
	return c.Engine.Use(c.r.Context(), u)
}

// beginUse hears that what was allowed runs now.
func (c *call) beginUse() (any, error) {
	var s assent.Start
	err := c.read(&s, "child")
	if err == nil {
		s.Peer, err = c.holder()
	}
	if err == nil && s.Child != nil {
		s.Child, err = c.child(*s.Child, s.Peer)
	}
	if err != nil {
		return nil, err
	}
	return done{true}, c.Engine.Begin(c.r.Context(), s)
}

// child is what the caller started, as the kernel knows it: nobody names another's
// process, to have it killed when a grant is revoked. One that is over needs no killing.
func (c *call) child(said assent.Process, by *assent.Peer) (*assent.Process, error) {
	p, err := peer.Inspect(said.PID)
	switch {
	case err != nil, said.Start != 0 && said.Start != p.Start:
		return nil, nil
	case by != nil && p.PID != by.PID && peer.Within(p, by.Process):
		return &p, nil
	case !peer.Lives(p): // any more: that is why it is within nothing
		return nil, nil
	}
	return nil, fmt.Errorf("process %d was not started by the one who says so: %w", said.PID, assent.ErrForbidden)
}

// endUse hears that it is over.
func (c *call) endUse() (any, error) {
	var n assent.End
	err := c.read(&n)
	if err == nil {
		n.Peer, err = c.holder()
	}
	if err != nil {
		return nil, err
	}
	n.At = c.Engine.Now()
	return done{true}, c.Engine.End(c.r.Context(), n)
}

// Receipt is what an outsider is shown.
type Receipt struct {
	Receipt string `json:"receipt"` // a JWS, good for a minute
}

func (c *call) receipt() (any, error) {
	var w assent.ReceiptWish
	err := c.read(&w)
	if err == nil {
		w.Peer, err = c.holder()
	}
	if err != nil {
		return nil, err
	}
	text, err := c.Engine.Receipt(c.r.Context(), w)
	return Receipt{text}, err
}

// usable lists what the caller may use.
func (c *call) usable() (any, error) {
	p, err := c.holder()
	if err != nil {
		return nil, err
	}
	list, err := c.Engine.Usable(c.r.Context(), p)
	return grantList{listed(list)}, err
}
