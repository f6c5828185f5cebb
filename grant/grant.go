// Package grant is authority within one process: a capability that its holder uses
// and can only make smaller, and a revoker that the granter keeps. Both ends of a yes
// are objects; no method of the one reaches the other.
//
// It keeps nothing beyond the process, asks nobody, and never runs an operation that
// was not paid for. The durable tree, with the same words and errors, is the store's; what
// leaves assent of it is here too: handles, the secrets of its holders, and receipts.
//
//	push := func(ctx context.Context, branch string) (string, error) { … }
//	may, revoke := grant.For(push, time.Minute)
//	once, err := may.Narrow(grant.Limit{Uses: 1}) // for a helper: less, and never more
//	out, err := once.Use(ctx, "main")             // assent.ErrExhausted the next time
//	revoke.Revoke()                               // may and once are dead when it returns
package grant

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"assent"
	"assent/internal/clock"
)

// Bounds of what Once, ForSession and For give.
const (
	OnceFor     = 10 * time.Minute
	SessionFor  = 8 * time.Hour
	DefaultUses = 100
)

// Op is what a capability lets its holder do.
type Op[In, Out any] func(ctx context.Context, in In) (Out, error)

// Limit is how much authority there is. Zero fields are the default of whoever gives
// it; of Narrow, what the parent has.
type Limit struct {
	Uses   int              // most uses
	For    time.Duration    // from now on
	Onward int              // how often it may be narrowed further: 1 = its children have no children; less than 0 = not at all
	Now    func() time.Time // of a root; nil = the machine's clocks, the later of them
}

// DefaultOnward is how deep a tree may grow where nobody says.
const DefaultOnward = 8

// Capability is the holder's end. It may be used concurrently; copies share its count
// and its end. The zero Capability is none: using it is ErrNoSuchGrant.
type Capability[In, Out any] struct {
	op   Op[In, Out]
	node *node
}

// Revoker is the granter's end. It may be used concurrently. The zero Revoker revokes
// nothing.
type Revoker struct{ node *node }

// node is one grant of a tree. All of a tree share one lock.
type node struct {
	tree   *tree
	parent *node
	until  time.Time
	uses   int
	onward int

	used    int
	revoked bool
}

type tree struct {
	mu  sync.Mutex
	now func() time.Time
}

// Once gives one use, within OnceFor.
func Once[In, Out any](op Op[In, Out]) (Capability[In, Out], Revoker) {
	return New(op, Limit{Uses: 1, For: OnceFor})
}

// ForSession gives DefaultUses for at most SessionFor, to be revoked when the session
// ends: End does so.
func ForSession[In, Out any](op Op[In, Out]) (Capability[In, Out], Revoker) {
	return New(op, Limit{For: SessionFor})
}

// For gives DefaultUses for a time.
func For[In, Out any](op Op[In, Out], d time.Duration) (Capability[In, Out], Revoker) {
	return New(op, Limit{For: d})
}

// New gives authority over an operation, within a limit. There is none without an end:
// no time is OnceFor, and no use count DefaultUses.
func New[In, Out any](op Op[In, Out], l Limit) (Capability[In, Out], Revoker) {
	t := &tree{now: l.Now}
	if t.now == nil {
		t.now = machine().Now
	}
	n := &node{tree: t, uses: cmp.Or(max(l.Uses, 0), DefaultUses), onward: cmp.Or(l.Onward, DefaultOnward)}
	n.until = t.now().Add(cmp.Or(max(l.For, 0), OnceFor))
	return Capability[In, Out]{op, n}, Revoker{n}
}

var machine = sync.OnceValue(func() *clock.Clock { return clock.Open("", "", time.Now) })

// Use does what the capability is for, after one use of it and of all that it came
// from was taken. The use is gone whatever comes of the operation. The error is the
// operation's, or why it did not run: the first that holds of ErrRevoked, ErrExpired,
// ErrExhausted; ErrNoSuchGrant for the zero Capability.
func (c Capability[In, Out]) Use(ctx context.Context, in In) (Out, error) {
	if err := c.node.spend(); err != nil {
		var none Out
		return none, err
	}
	return c.op(ctx, in)
}

// Narrow makes a child: a capability for the same operation with no more uses, no more
// time and no longer line of descent than this one has, that dies with it. Its own
// revoker it has not; Hand gives one. ErrScope when the child would have more, or may
// not be; else as Check.
func (c Capability[In, Out]) Narrow(l Limit) (Capability[In, Out], error) {
	child, _, err := c.Hand(l)
	return child, err
}

// Hand is Narrow for somebody else: with the revoker of what is handed on.
func (c Capability[In, Out]) Hand(l Limit) (Capability[In, Out], Revoker, error) {
	n, err := c.node.child(l)
	if err != nil {
		return Capability[In, Out]{}, Revoker{}, err
	}
	return Capability[In, Out]{c.op, n}, Revoker{n}, nil
}

// Check reports whether a use would be let through now: nil, or why not.
func (c Capability[In, Out]) Check() error {
	if c.node == nil {
		return assent.ErrNoSuchGrant
	}
	c.node.tree.mu.Lock()
	defer c.node.tree.mu.Unlock()
	return c.node.check()
}

// Revoke ends the capability and all that came of it. When it has returned no use is
// taken any more; what was taken before may still run. It does not fail, and doing it
// again changes nothing.
func (r Revoker) Revoke() {
	if r.node == nil {
		return
	}
	r.node.tree.mu.Lock()
	defer r.node.tree.mu.Unlock()
	r.node.revoked = true
}

// End revokes when ctx ends: the session's, or that of whatever else the authority was
// for. The returned function forgets that again, and is not needed.
func (r Revoker) End(ctx context.Context) (forget func() bool) {
	return context.AfterFunc(ctx, r.Revoke)
}

// spend takes one use of the whole line, or none.
func (n *node) spend() error {
	if n == nil {
		return assent.ErrNoSuchGrant
	}
	n.tree.mu.Lock()
	defer n.tree.mu.Unlock()
	if err := n.check(); err != nil {
		return err
	}
	for at := n; at != nil; at = at.parent {
		at.used++
	}
	return nil
}

// check is the first error of the contract's order that holds anywhere on the line.
func (n *node) check() error {
	now := n.tree.now()
	expired, exhausted := false, false
	for at := n; at != nil; at = at.parent {
		if at.revoked {
			return assent.ErrRevoked
		}
		expired = expired || !now.Before(at.until)
		exhausted = exhausted || at.used >= at.uses
	}
	switch {
	case expired:
		return assent.ErrExpired
	case exhausted:
		return assent.ErrExhausted
	}
	return nil
}

func (n *node) child(l Limit) (*node, error) {
	if n == nil {
		return nil, assent.ErrNoSuchGrant
	}
	n.tree.mu.Lock()
	defer n.tree.mu.Unlock()
	if err := n.check(); err != nil {
		return nil, err
	}
	now := n.tree.now()
	left := n.uses - n.used
	c := &node{tree: n.tree, parent: n, uses: cmp.Or(l.Uses, left), until: n.until, onward: cmp.Or(l.Onward, n.onward-1)}
	if l.For != 0 {
		c.until = now.Add(l.For)
	}
	switch {
	case n.onward <= 0:
		return nil, fmt.Errorf("it may not be handed on: %w", assent.ErrScope)
	case c.uses < 0 || c.uses > left:
		return nil, fmt.Errorf("%d uses of %d that are left: %w", c.uses, left, assent.ErrScope)
	case l.For < 0 || c.until.After(n.until):
		return nil, fmt.Errorf("it would end at %s, and what it comes from at %s: %w", c.until.Format(time.RFC3339), n.until.Format(time.RFC3339), assent.ErrScope)
	case c.onward >= n.onward:
		return nil, fmt.Errorf("it could be handed on as often as what it comes from: %w", assent.ErrScope)
	case l.Now != nil:
		return nil, fmt.Errorf("a child goes by its parent's clock: %w", assent.ErrScope)
	}
	return c, nil
}
