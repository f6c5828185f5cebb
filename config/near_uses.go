package config

// Near, for the holder: uses of grants by this process, which says who it is as a door
// would.

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"assent"
	"assent/internal/peer"
)

// Use fills in who uses: this process, and the sessions it speaks for.
func (n near) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	p, err := n.holder(ctx)
	if err != nil {
		return assent.Verdict{}, err
	}
	u.Peer, u.Event.Agent, u.Event.Principal = p, assent.AgentBroker, fmt.Sprintf("uid:%d", p.UID)
	if u.Event.ID == "" {
		u.Event.ID = "ev_" + rand.Text()
	}
	if u.Event.Raw, err = json.Marshal(u.Event); err != nil {
		return assent.Verdict{}, fmt.Errorf("%v: %w", err, assent.ErrInvalid)
	}
	return n.Engine.Use(ctx, u)
}

// Begin fills in who says so.
func (n near) Begin(ctx context.Context, s assent.Start) (err error) {
	if s.Peer, err = n.holder(ctx); err != nil {
		return err
	}
	return n.Engine.Begin(ctx, s)
}

// End fills in who says so.
func (n near) End(ctx context.Context, e assent.End) (err error) {
	if e.Peer, err = n.holder(ctx); err != nil {
		return err
	}
	e.At, e.Ours = n.Now(), peer.Ours(e.Peer.Process)
	return n.Engine.End(ctx, e)
}

// Receipt fills in who wants it.
func (n near) Receipt(ctx context.Context, w assent.ReceiptWish) (text string, err error) {
	if w.Peer, err = n.holder(ctx); err != nil {
		return "", err
	}
	return n.Engine.Receipt(ctx, w)
}

// Usable lists what this process may use.
func (n near) Usable(ctx context.Context, _ *assent.Peer) ([]assent.Grant, error) {
	p, err := n.holder(ctx)
	if err != nil {
		return nil, err
	}
	return n.Engine.Usable(ctx, p)
}

// holder is this process as a holder's door would see it.
func (n near) holder(ctx context.Context) (*assent.Peer, error) {
	sessions, err := n.Store().Sessions(ctx)
	if err != nil {
		return nil, err
	}
	return peer.Holder(peer.Self(), sessions), nil
}
