package config

// Near: the engine in this process, over the home's store. It does for itself
// what a door does for a client: it says who is there.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"assent"
	"assent/engine"
	"assent/internal/peer"
)

// near is a home without a server.
type near struct {
	*engine.Engine
	users *users
}

// Served is false.
func (near) Served() bool { return false }

// Limit is how long the user's hooks may take.
func (n near) Limit() time.Duration { return n.users.limit() }

// Close releases the store, and leaves what hooks that watch were not told yet to a
// process of their own.
func (n near) Close() error { return errors.Join(n.Store().Close(), n.users.close()) }

// Advised asks whoever may answer before people do.
func (n near) Advised(ctx context.Context, id string, most time.Duration) (assent.Request, error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if _, err := n.Consult(limited, id); err != nil && limited.Err() == nil {
		return assent.Request{}, err
	}
	return n.Request(ctx, id)
}

// Wait asks whoever may answer before people do, while it waits for both.
func (n near) Wait(ctx context.Context, id string, hold time.Duration) (assent.Request, error) {
	ctx, stop := context.WithCancel(ctx)
	var asked sync.WaitGroup
	asked.Go(func() { _, _ = n.Consult(ctx, id) }) // what went wrong is on the request
	r, err := n.Engine.Wait(ctx, id, hold)
	stop()
	asked.Wait()
	return r, err
}

// Handle fills in who the agent acts for and in which process it runs.
func (n near) Handle(ctx context.Context, e assent.Event) (assent.Verdict, error) {
	self := peer.Self()
	e.Principal = fmt.Sprintf("uid:%d", self.UID)
	var hint int
	_ = json.Unmarshal(e.Extra["agent_pid"], &hint)
	if agent, ok := peer.AgentProcess(self, hint); ok && !e.Synthetic {
		e.Process = &agent
	}
	return n.Engine.Handle(ctx, e)
}

// Answer proves this process's place before it answers.
func (n near) Answer(ctx context.Context, a assent.Answer) (assent.Request, error) {
	p, err := n.self(ctx)
	if err != nil {
		return assent.Request{}, err
	}
	a.Proof.Peer = p
	return n.Engine.Answer(ctx, a)
}

// Revoke proves this process's place before it revokes.
func (n near) Revoke(ctx context.Context, r assent.Revocation) (assent.Revoked, error) {
	p, err := n.self(ctx)
	if err != nil {
		return assent.Revoked{}, err
	}
	r.Proof.Peer = p
	return n.Engine.Revoke(ctx, r)
}

// Forward proves this process's place before it hands a grant on.
func (n near) Forward(ctx context.Context, f assent.Forwarding) (assent.Grant, error) {
	p, err := n.self(ctx)
	if err != nil {
		return assent.Grant{}, err
	}
	f.Proof.Peer = p
	return n.Engine.Forward(ctx, f)
}

// Renew proves this process's place before it renews.
func (n near) Renew(ctx context.Context, r assent.Renewal) (assent.Grant, error) {
	p, err := n.self(ctx)
	if err != nil {
		return assent.Grant{}, err
	}
	r.Proof.Peer = p
	return n.Engine.Renew(ctx, r)
}

// Hold proves this process's place before it makes a handle.
func (n near) Hold(ctx context.Context, h assent.Handling) (string, assent.Held, error) {
	p, err := n.self(ctx)
	if err != nil {
		return "", assent.Held{}, err
	}
	h.Proof.Peer = p
	return n.Engine.Hold(ctx, h)
}

// Enroll proves this process's place before it enrolls a key.
func (n near) Enroll(ctx context.Context, key assent.Enrollment) error {
	p, err := n.self(ctx)
	if err != nil {
		return err
	}
	key.Proof.Peer = p
	return n.Engine.Enroll(ctx, key)
}

// self is this process as a granter's door would see it.
func (n near) self(ctx context.Context) (*assent.Peer, error) {
	agents, err := n.Store().Sessions(ctx)
	if err != nil {
		return nil, err
	}
	return peer.Stand(peer.Self(), agents), nil
}

// Requests lists requests.
func (n near) Requests(ctx context.Context, f assent.RequestFilter) ([]assent.Request, error) {
	return n.Store().Requests(ctx, f)
}

// Grants lists grants.
func (n near) Grants(ctx context.Context, f assent.GrantFilter) ([]assent.Grant, error) {
	f.Now, f.Boot = n.Now(), n.Boot()
	return n.Store().Grants(ctx, f)
}
