package storetest

// Random verbs against a model: the promises once more, written as plainly as
// they can be, with slices and loops.

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"assent"

	"pgregory.net/rapid"
)

// world is the model: what a store should hold.
type world struct {
	now      time.Time
	requests []wRequest
	grants   []wGrant
	calls    map[string]*wCall // by ID; a session's calls have IDs of their own
	records  int
}

type wRequest struct {
	session, command string
	state            assent.State
	expires          time.Time
	asked            int
	advice           wAdvice
}

// wAdvice is who claimed a request and when; the zero one is nobody.
type wAdvice struct {
	by   string
	at   time.Time
	done bool
}

type wGrant struct {
	command, under, session string // command or under; neither is anything
	mints                   bool
	width                   assent.Width
	uses, used, parent      int // parent is a number, 0 = none
	from, until             time.Time
	taken                   int // with those given back
	revoked                 bool
	asked                   bool // a request led to it
}

type wCall struct {
	session    string
	open       bool
	request    int
	grant, use int
	began      bool
}

// covers: the command itself, or anything removed under a path, or anything; held
// by the session or by anybody.
func (g wGrant) covers(session, path string) bool {
	if g.session != "" && g.session != session || g.mints {
		return false
	}
	return g.command == path || g.command == "" && len(path) >= len(g.under) && path[:len(g.under)] == g.under
}

// rank is the order in which grants are spent.
func (g wGrant) rank() int {
	switch {
	case g.command != "":
		return 0
	case g.under != "":
		return 1
	}
	return 2
}

// dead is why grant n cannot be spent, in the contract's order over its line.
func (w *world) dead(n int) error {
	var revoked, expired, exhausted bool
	for ; n != 0; n = w.grants[n-1].parent {
		g := w.grants[n-1]
		revoked = revoked || g.revoked
		expired = expired || !w.now.Before(g.until)
		exhausted = exhausted || g.used >= g.uses
	}
	switch {
	case revoked:
		return assent.ErrRevoked
	case expired:
		return assent.ErrExpired
	case exhausted:
		return assent.ErrExhausted
	}
	return nil
}

// pick is the grant that a new call spends, or why there is none.
func (w *world) pick(session, path string) (int, error) {
	err := assent.ErrNoSuchGrant
	for rank := range 3 {
		for i, g := range w.grants {
			if g.rank() == rank && g.covers(session, path) && w.dead(i+1) == nil {
				return i + 1, nil
			}
		}
	}
	for i, g := range w.grants {
		if g.covers(session, path) {
			err = w.dead(i + 1)
		}
	}
	return 0, err
}

// only is whether a new call spends grant n, or why it cannot.
func (w *world) only(n int, session, path string) (int, error) {
	switch {
	case n > len(w.grants):
		return 0, assent.ErrNoSuchGrant
	case w.dead(n) != nil:
		return 0, w.dead(n)
	case !w.grants[n-1].covers(session, path):
		return 0, assent.ErrScope
	}
	return n, nil
}

// spend is what Spend should do: the grant and its use. from is the only grant, 0 = any.
func (w *world) spend(c *wCall, session, path string, from int) (grant, use int, err error) {
	if c.open && c.began {
		return 0, 0, assent.ErrSettled
	}
	if c.open && c.grant != 0 && (from == 0 || from == c.grant) && !errors.Is(w.dead(c.grant), assent.ErrRevoked) {
		w.records++
		return c.grant, c.use, nil
	}
	n, err := w.pick(session, path)
	if from != 0 {
		n, err = w.only(from, session, path)
	}
	if err != nil {
		return 0, 0, err
	}
	for p := n; p != 0; p = w.grants[p-1].parent {
		w.grants[p-1].used++
		w.grants[p-1].taken++
	}
	if !c.open {
		*c = wCall{session: session, open: true}
	}
	c.grant, c.use = n, w.grants[n-1].taken
	w.records++
	return n, c.use, nil
}

// begin is what Begin should do.
func (w *world) begin(c *wCall) error {
	switch {
	case !c.open || c.grant == 0:
		return assent.ErrNotFound
	case c.began:
		return assent.ErrSettled
	case errors.Is(w.dead(c.grant), assent.ErrRevoked):
		return assent.ErrRevoked
	}
	c.began = true
	w.records++
	return nil
}

// refund is what Refund should do.
func (w *world) refund(c *wCall) error {
	if !c.open || c.grant == 0 || c.began {
		return assent.ErrNotFound
	}
	for p := c.grant; p != 0; p = w.grants[p-1].parent {
		w.grants[p-1].used--
	}
	c.open = false
	w.records++
	return nil
}

// running is what runs under grant n; under any, for 0.
func (w *world) running(n int) (ids []string) {
	for id, c := range w.calls {
		if !c.open || !c.began {
			continue
		}
		for p := c.grant; p != 0; p = w.grants[p-1].parent {
			if p == n || n == 0 {
				ids = append(ids, id)
				break
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// ask is what Ask should do: the number of the request.
func (w *world) ask(c *wCall, session, path string, bound int) (int, error) {
	n := 1 + slices.IndexFunc(w.requests, func(r wRequest) bool {
		return r.state == assent.Pending && r.session == session && r.command == path
	})
	if n == 0 {
		pending := 0
		for _, r := range w.requests {
			if r.state == assent.Pending {
				pending++
			}
		}
		if pending >= bound {
			return 0, assent.ErrFull
		}
		w.requests = append(w.requests, wRequest{session: session, command: path, state: assent.Pending, expires: w.now.Add(time.Hour)})
		n = len(w.requests)
	}
	if !c.open {
		*c = wCall{session: session, open: true}
	}
	if c.request != n {
		w.requests[n-1].asked++
	}
	c.request = n
	w.records++
	return n, nil
}

// advise is what Advise should do.
func (w *world) advise(n int, a wAdvice) error {
	if n > len(w.requests) {
		return assent.ErrNotFound
	}
	r := &w.requests[n-1]
	ours := r.advice.by == a.by && r.advice.at.Equal(a.at)
	if r.state != assent.Pending || a.done && !ours || !a.done && r.advice != (wAdvice{}) {
		return assent.ErrSettled
	}
	r.advice = a
	w.records++
	return nil
}

// give is what Give should do.
func (w *world) give(g wGrant) error {
	if g.width != assent.Owner && g.parent == 0 {
		return assent.ErrInvalid
	}
	for _, old := range w.grants {
		if old.used, old.taken, old.revoked = 0, 0, false; g.width != assent.Owner && old == g {
			return assent.ErrSettled
		}
	}
	w.grants = append(w.grants, g)
	w.records++
	return nil
}

// revoke is what Revoke and EndSession should do to the grants.
func (w *world) revoke(which func(n int, g wGrant) bool) (gone []string) {
	for i, g := range w.grants {
		if !g.revoked && which(i+1, g) {
			w.grants[i].revoked = true
			w.records++
			gone = append(gone, fmt.Sprintf("gr_%d", i+1))
		}
	}
	return gone
}

// expire is what Expire should do.
func (w *world) expire(limit int) (gone []string) {
	for i, r := range w.requests { // the oldest has the earliest deadline
		if len(gone) < limit && r.state == assent.Pending && !w.now.Before(r.expires) {
			w.requests[i].state = assent.Expired
			w.records++
			gone = append(gone, fmt.Sprintf("req_%d", i+1))
		}
	}
	return gone
}

func (w *world) call(id string) *wCall {
	if w.calls[id] == nil {
		w.calls[id] = &wCall{}
	}
	return w.calls[id]
}

func model(t *testing.T, open Open) {
	rapid.Check(t, func(r *rapid.T) {
		p := &play{k: newKit(t, open(t)), w: &world{now: start, calls: map[string]*wCall{}}}
		r.Repeat(map[string]func(*rapid.T){
			"look":    p.look,
			"ask":     p.ask,
			"advise":  p.advise,
			"say yes": p.yes,
			"give":    p.give,
			"settle":  p.settle,
			"spend":   p.spend,
			"spend2":  p.spend, // more often
			"spend3":  p.spend,
			"begin":   p.begin,
			"refund":  p.refund,
			"finish":  p.finish,
			"end":     p.end,
			"revoke":  p.revoke,
			"expire":  p.expire,
			"time":    p.time,
		})
		p.look(r)
		p.k.chain()
		if err := p.k.Close(); err != nil {
			r.Fatal(err)
		}
	})
}
