package serve

// Grants: listing them, handing them on, and taking them back.

import (
	"fmt"
	"strconv"

	"assent"
)

type grantList struct {
	Grants []assent.Grant `json:"grants"`
}

func (c *call) grants() (any, error) {
	q := c.r.URL.Query()
	f := assent.GrantFilter{Session: q.Get("session"), Now: c.Engine.Now(), Boot: c.Engine.Boot()}
	var err error
	if f.Live, err = c.flag("live"); err != nil {
		return nil, err
	}
	list, err := c.Engine.Store().Grants(c.r.Context(), f)
	return grantList{listed(list)}, err
}

// flag reads a query parameter that is true or false.
func (c *call) flag(name string) (bool, error) {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return false, nil
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("%s is true or false: %w", name, assent.ErrInvalid)
	}
	return b, nil
}

// revoke ends the grants that the body selects.
func (c *call) revoke() (any, error) {
	var r assent.Revocation
	if err := c.read(&r, "proof"); err != nil {
		return nil, err
	}
	return c.ended(r)
}

// revokeOne ends the grant that the path names.
func (c *call) revokeOne() (any, error) {
	var r assent.Revocation
	if err := c.read(&r, "proof"); err != nil {
		return nil, err
	}
	if r.ID == "" {
		r.ID = c.id()
	}
	if r.Selection != (assent.Selection{ID: c.id()}) {
		return nil, fmt.Errorf("the body selects other grants than the path: %w", assent.ErrInvalid)
	}
	return c.ended(r)
}

func (c *call) ended(r assent.Revocation) (any, error) {
	if r.Proof.Peer != nil {
		return nil, fmt.Errorf("who revokes is proved, not said (proof.peer): %w", assent.ErrInvalid)
	}
	if len(r.Proof.Signature) == 0 || r.At.IsZero() {
		r.At = c.Engine.Now()
	}
	var err error
	if r.Proof.Peer, err = c.peer(); err != nil {
		return nil, err
	}
	list, err := c.Engine.Revoke(c.r.Context(), r)
	return grantList{listed(list)}, err
}

// forward hands the grant that the path names on to a session.
func (c *call) forward() (any, error) {
	var f assent.Forwarding
	if err := c.read(&f, "proof"); err != nil {
		return nil, err
	}
	if f.Grant == "" {
		f.Grant = c.id()
	}
	if f.Grant != c.id() {
		return nil, fmt.Errorf("the body names another grant than the path: %w", assent.ErrInvalid)
	}
	if f.Proof.Peer != nil {
		return nil, fmt.Errorf("who forwards is proved, not said (proof.peer): %w", assent.ErrInvalid)
	}
	var err error
	if f.Proof.Peer, err = c.peer(); err != nil {
		return nil, err
	}
	return c.Engine.Forward(c.r.Context(), f)
}

// done is the reply to a verb that has nothing to say.
type done struct {
	Done bool `json:"done"`
}

// enroll makes an approver key count.
func (c *call) enroll() (any, error) {
	var n assent.Enrollment
	if err := c.read(&n, "proof"); err != nil {
		return nil, err
	}
	if n.Proof.Peer != nil {
		return nil, fmt.Errorf("who enrolls is proved, not said (proof.peer): %w", assent.ErrInvalid)
	}
	var err error
	if n.Proof.Peer, err = c.peer(); err != nil {
		return nil, err
	}
	return done{true}, c.Engine.Enroll(c.r.Context(), n)
}
