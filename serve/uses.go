package serve

// Uses: what assent's broker does under grants, and what their holders show of them.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	if s.Peer = c.executor(); err == nil && s.Child != nil {
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

// Ended is what a door says to a word that something is over.
type Ended struct {
	Done bool   `json:"done"`
	Word string `json:"word,omitempty"` // not yet: say it again, with this
}

// endUse hears that it is over. That nothing was started is believed of assent's own
// program alone; and what a process has written, it may have written before it ran that.
// So it has to say it again, with a word that it cannot have known before.
func (c *call) endUse() (any, error) {
	var n assent.End
	if err := c.read(&n); err != nil {
		return nil, err
	}
	word := n.Word
	n.Peer, n.At, n.Word = c.executor(), c.Engine.Now(), ""
	if !n.Started && n.Peer != nil && peer.Ours(n.Peer.Process) {
		want := c.word(n)
		if word == "" {
			return Ended{Word: want}, nil
		}
		n.Ours = hmac.Equal([]byte(word), []byte(want))
	}
	return Ended{Done: true}, c.Engine.End(c.r.Context(), n)
}

// word is what only this server knows, and tells one process about one call.
func (c *call) word(n assent.End) string {
	of, _ := json.Marshal([]any{n.Peer.PID, n.Peer.Start, n.Session, n.Call, n.Digest}) // what came as JSON can be written
	sum := hmac.New(sha256.New, []byte(c.secret))
	sum.Write(of)
	return hex.EncodeToString(sum.Sum(nil))
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
