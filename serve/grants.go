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
	if len(r.Proof.Signature) == 0 || r.At.IsZero() {
		r.At = c.Engine.Now()
	}
	if err := c.stand(&r.Proof, "revokes"); err != nil {
		return nil, err
	}
	out, err := c.Engine.Revoke(c.r.Context(), r)
	out.Grants = listed(out.Grants)
	return out, err
}

// named makes sure that the body names no other grant than the path.
func (c *call) named(grant *string) error {
	if *grant == "" {
		*grant = c.id()
	}
	if *grant != c.id() {
		return fmt.Errorf("the body names another grant than the path: %w", assent.ErrInvalid)
	}
	return nil
}

// forward hands the grant that the path names on to a session.
func (c *call) forward() (any, error) {
	var f assent.Forwarding
	err := c.read(&f, "proof")
	if err == nil {
		err = c.named(&f.Grant)
	}
	if err == nil {
		err = c.stand(&f.Proof, "forwards")
	}
	if err != nil {
		return nil, err
	}
	return c.Engine.Forward(c.r.Context(), f)
}

// renew has the standing grant that the path names stand on.
func (c *call) renew() (any, error) {
	var r assent.Renewal
	err := c.read(&r, "proof")
	if err == nil {
		err = c.named(&r.Grant)
	}
	if err == nil {
		err = c.stand(&r.Proof, "renews")
	}
	if err != nil {
		return nil, err
	}
	return c.Engine.Renew(c.r.Context(), r)
}

// Handled is a handle that was made: this is the only time it is told.
type Handled struct {
	Handle string      `json:"handle"`
	Held   assent.Held `json:"held"`
}

// handle makes a handle of the grant that the path names.
func (c *call) handle() (any, error) {
	var h assent.Handling
	err := c.read(&h, "proof", "holder", "holder.process")
	if err == nil {
		err = c.named(&h.Grant)
	}
	if err == nil {
		err = c.stand(&h.Proof, "makes a handle")
	}
	if err != nil {
		return nil, err
	}
	var out Handled
	out.Handle, out.Held, err = c.Engine.Hold(c.r.Context(), h)
	return out, err
}

// done is the reply to a verb that has nothing to say.
type done struct {
	Done bool `json:"done"`
}

// enroll makes an approver key count.
func (c *call) enroll() (any, error) {
	var n assent.Enrollment
	err := c.read(&n, "proof")
	if err == nil {
		err = c.stand(&n.Proof, "enrolls")
	}
	if err != nil {
		return nil, err
	}
	return done{true}, c.Engine.Enroll(c.r.Context(), n)
}
