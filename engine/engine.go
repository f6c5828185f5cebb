// Package engine is the flow and nothing else: an event is analysed, judged,
// asked about, granted and recorded, in that order, one way.
//
// It never runs an action, never talks to a person and never holds a goroutine
// or a transaction for a waiting request: a wait is a row in the store.
//
//	e := engine.New(engine.Options{Store: mem.New(), Analyse: analyse, Floor: policy.Floor, BuiltIn: policy.BuiltIn})
//	v, err := e.Handle(ctx, event) // v.Decision == assent.Ask: v.Request waits for a person
//	r, err := e.Answer(ctx, answer)
//	r, err = e.Wait(ctx, v.Request, time.Minute)
//	v, err = e.Handle(ctx, event)  // the same event again spends the grant: assent.Allow
package engine

import (
	"context"
	"crypto/ed25519"
	"errors"
	"sync"
	"time"

	"assent"
)

// Defaults of Options, and the bounds of the queue (law 12).
const (
	DefaultExpires = 24 * time.Hour
	MaxPending     = 10_000
	MaxPerSession  = 100

	sweepEvery = 5 * time.Second
	sweepBatch = 500
)

// Options are what an engine is made of. Store, Analyse, Floor and BuiltIn are
// required; without a Roster nobody can answer.
type Options struct {
	Store   assent.Store
	Analyse func(assent.Event) assent.Case // facts; must be pure, may be called concurrently
	Floor   assent.Hook                    // what nothing overrules
	BuiltIn assent.Hook                    // the built-in judgement
	Hooks   []assent.Hook                  // the user's rules
	Users   assent.Hook                    // the user's own code: it is asked, or told, about every event; nil = there is none
	Default assent.Hook                    // the posture, for when nobody speaks; nil = no opinion
	Ask     assent.AskMode                 // who asks; empty = hold
	Roster  assent.Roster
	Advisor func(profile string) assent.Approver         // may answer before people do; nil, and a nil one = people alone
	Notify  func(profile string, d assent.Decision) bool // whether what the approver decided is told where the request came from; nil = no
	Owner   []Standing                                   // what the owner's configuration gives
	Profile func(assent.Event) string                    // whose settings count for an event; nil = the only ones
	Expires time.Duration                                // of requests; 0 = DefaultExpires
	Now     func() time.Time                             // nil = time.Now
	Boot    string                                       // the machine's boot id
	Home    Key                                          // the home's key, for handles and receipts; nil = there are none
	Kill    func(context.Context, assent.Call) error     // ends what a call has started, and returns once it has ended; nil = nothing is ended
	Within  func(p, root assent.Process) bool            // whether p is the living root, or descends from it; nil = none is
	Poll    time.Duration                                // how often Wait looks for what other processes wrote; 0 = never
}

// Key is the home's key.
type Key interface {
	Derive(purpose string, nonce []byte) ([]byte, error)
	SignFor(purpose string, msg []byte) ([]byte, error)
	PublicFor(purpose string) (ed25519.PublicKey, error)
}

// Engine decides. It implements assent.Decider. All methods may be called
// concurrently.
type Engine struct {
	o Options

	mu      sync.Mutex
	changed chan struct{}

	stands  sync.Mutex // one at a time looks whether the owner's grants stand
	given   map[string]assent.Grant
	retired bool
}

// New returns an engine over the options.
func New(o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Expires <= 0 {
		o.Expires = DefaultExpires
	}
	if o.Ask == "" {
		o.Ask = assent.AskHold
	}
	return &Engine{o: o, changed: make(chan struct{}), given: map[string]assent.Grant{}}
}

// Store is what the engine keeps its facts in, for reading.
func (e *Engine) Store() assent.Store { return e.o.Store }

// Now is the engine's clock.
func (e *Engine) Now() time.Time { return e.o.Now() }

// Boot is the boot id that session grants are bound to.
func (e *Engine) Boot() string { return e.o.Boot }

// Changed returns a channel that is closed at the next change that this engine
// makes. For the one after, ask again.
func (e *Engine) Changed() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changed
}

func (e *Engine) notify() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.changed)
	e.changed = make(chan struct{})
}

// Run expires requests whose time has come, until ctx ends. It returns the first
// failure of the store, or nil when ctx ended.
func (e *Engine) Run(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := e.expire(ctx); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// expire settles what ran out, batch by batch.
func (e *Engine) expire(ctx context.Context) error {
	for {
		gone, err := e.o.Store.Expire(ctx, e.o.Now(), sweepBatch)
		if err != nil {
			return err
		}
		if len(gone) > 0 {
			e.notify()
		}
		for _, r := range gone {
			e.resolved(ctx, r)
		}
		if len(gone) < sweepBatch {
			return nil
		}
	}
}

// Wait returns the request once it is no longer pending, or as it stands when
// hold has passed or ctx ended. ErrNotFound if there is none.
func (e *Engine) Wait(ctx context.Context, id string, hold time.Duration) (assent.Request, error) {
	end := time.NewTimer(max(hold, 0))
	defer end.Stop()
	read := context.WithoutCancel(ctx) // a waiter that goes is told how things stand
	for {
		change := e.Changed()
		r, err := e.Request(read, id)
		if err != nil || r.State != assent.Pending {
			return r, err
		}
		look, stop := e.look(r)
		select {
		case <-change:
		case <-look:
		case <-end.C:
			stop()
			return r, nil
		case <-ctx.Done():
			stop()
			return r, nil
		}
		stop()
	}
}

// look fires when a waiter should look again by itself: when the request runs
// out, or at the next poll for the writes of other processes.
func (e *Engine) look(r assent.Request) (<-chan time.Time, func() bool) {
	d := max(r.Expires.Sub(e.o.Now()), time.Millisecond)
	if e.o.Poll > 0 {
		d = min(d, e.o.Poll)
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}

// Request returns one request. A pending one whose time has come is settled as
// expired on the way.
func (e *Engine) Request(ctx context.Context, id string) (assent.Request, error) {
	r, err := e.o.Store.Request(ctx, id)
	if err != nil || r.State != assent.Pending || e.o.Now().Before(r.Expires) {
		return r, err
	}
	if err := e.expire(ctx); err != nil {
		return assent.Request{}, err
	}
	return e.o.Store.Request(ctx, id)
}
