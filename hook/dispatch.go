package hook

// The Dispatcher: who is asked about an event, and how.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assent"
)

// Bounds of a Dispatcher (law 12).
const (
	DefaultParallel = 8    // entries asked at once about one event
	DefaultQueue    = 4096 // events that wait for one entry that watches

	maxHanging = 3                      // calls of one entry that were given up and still run
	grace      = 250 * time.Millisecond // for an entry to end by itself once its time is over
)

// Options are the bounds of a Dispatcher; zero values are the defaults.
type Options struct {
	Parallel int
	Queue    int
	Now      func() time.Time // nil = time.Now
}

// Dispatcher is a Hook made of hooks. All methods may be called concurrently.
type Dispatcher struct {
	o    Options
	set  atomic.Pointer[[]*live]
	wake chan struct{}
	done sync.WaitGroup // of what was given up and still runs, and of the watchers
}

// live is an entry at work.
type live struct {
	Entry
	tally
	hanging atomic.Int32
	queue   chan assent.Case
	busy    atomic.Bool
}

// New returns a dispatcher of the entries, in their order.
func New(o Options, entries ...Entry) *Dispatcher {
	o.Parallel, o.Queue = cmp.Or(o.Parallel, DefaultParallel), cmp.Or(o.Queue, DefaultQueue)
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &Dispatcher{o: o, wake: make(chan struct{}, 1)}
	d.Use(entries)
	return d
}

// Use replaces the entries, from the next event on. One that stays, by its ID, event
// and matcher, keeps its tally and what waits for it.
func (d *Dispatcher) Use(entries []Entry) {
	var before []*live
	if p := d.set.Load(); p != nil {
		before = *p
	}
	list := make([]*live, 0, len(entries))
	for _, e := range entries {
		l := &live{Entry: e}
		for _, b := range before {
			if b.ID == e.ID && b.Event == e.Event && b.Match.Text == e.Match.Text && b.Profile == e.Profile {
				l.tally.from(&b.tally)
				l.queue = b.queue
			}
		}
		if l.queue == nil && l.watches() {
			l.queue = make(chan assent.Case, d.o.Queue)
		}
		list = append(list, l)
	}
	d.set.Store(&list)
}

func (l *live) watches() bool {
	t, known := assent.EventNamed(l.Event)
	return l.Watch || !known || t.Hears == assent.HearsNothing
}

// concerned are the entries for a case, exact names before those of a whole family,
// and the guards of its server that do not match it.
func (d *Dispatcher) concerned(c assent.Case) (list []*live, passed *live) {
	family, _, _ := strings.Cut(c.Name, ":")
	for _, event := range []string{c.Name, family + ":*"} {
		for _, l := range *d.set.Load() {
			if l.Event != event || l.Profile != "" && l.Profile != c.Profile {
				continue
			}
			if l.Match.Matches(c.Tool) {
				list = append(list, l)
			} else if l.Match.guardsServerOf(c.Tool) && !l.watches() {
				passed = l
			}
		}
		if event == family+":*" || c.Name == family+":*" {
			break
		}
	}
	return list, passed
}

// Concerned are the entries that a case concerns, in the order in which they speak.
func (d *Dispatcher) Concerned(c assent.Case) []Entry {
	list, _ := d.concerned(c)
	out := make([]Entry, len(list))
	for i, l := range list {
		out[i] = l.Entry
	}
	return out
}

// Judge asks every entry that the case concerns and returns the fold. Those that
// only watch are told later, in Run. It never fails: what failed is in the Parts.
func (d *Dispatcher) Judge(ctx context.Context, c assent.Case) (assent.Reply, error) {
	list, passed := d.concerned(c)
	var asked []*live
	for _, l := range list {
		if l.watches() {
			d.tell(l, c)
		} else {
			asked = append(asked, l)
		}
	}
	if len(asked) == 0 && (passed == nil || c.Name != assent.PreToolCall) {
		return assent.Reply{}, nil
	}
	parts := d.ask(ctx, asked, c)
	if passed != nil && len(asked) == 0 {
		parts = append(parts, unlisted(passed, c))
	}
	return fold(c, parts), nil
}

// unlisted asks about a tool of a server whose other tools have a guard: its author
// did not know of this one.
func unlisted(l *live, c assent.Case) assent.Reply {
	return assent.Reply{By: l.ID, Decision: assent.Ask, Reason: fmt.Sprintf("%s guards tools of this server (%s), and %s is none of them.", l.ID, l.Match.Text, c.Tool)}
}

// ask calls the entries, some at once, and returns what they said in their order.
func (d *Dispatcher) ask(ctx context.Context, list []*live, c assent.Case) []assent.Reply {
	parts := make([]assent.Reply, len(list))
	if len(list) == 1 {
		parts[0] = d.one(ctx, list[0], c)
		return parts
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, d.o.Parallel)
	for i, l := range list {
		slots <- struct{}{}
		wg.Go(func() {
			parts[i] = d.one(ctx, l, c)
			<-slots
		})
	}
	wg.Wait()
	return parts
}

type said struct {
	reply assent.Reply
	err   error
}

var errTimeout = errors.New("no answer in time")

// one asks one entry, in its own time. Whatever it says later changes nothing.
func (d *Dispatcher) one(ctx context.Context, l *live, c assent.Case) assent.Reply {
	began := d.o.Now()
	s := d.heard(ctx, l, c)
	took := d.o.Now().Sub(began)
	r := settle(l.Entry, c, s)
	r.By, r.Took = l.ID, assent.Duration(took)
	l.note(began, took, r)
	return r
}

func (d *Dispatcher) heard(ctx context.Context, l *live, c assent.Case) said {
	if l.hanging.Load() >= maxHanging {
		return said{err: fmt.Errorf("%d calls of it still hang", maxHanging)}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.timeout(), errTimeout)
	defer cancel()
	got := make(chan said, 1)
	d.done.Go(func() { got <- call(ctx, l.Entry, c) })
	select {
	case s := <-got:
		return s.orTimeout(ctx, l.Entry)
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case s := <-got:
		return s.orTimeout(ctx, l.Entry)
	case <-late.C:
	}
	l.hanging.Add(1)
	d.done.Go(func() {
		<-got
		l.hanging.Add(-1)
	})
	return said{err: context.Cause(ctx)}.orTimeout(ctx, l.Entry)
}

// orTimeout says of a failure after the entry's time that there was no time left.
func (s said) orTimeout(ctx context.Context, e Entry) said {
	if s.err != nil && context.Cause(ctx) == errTimeout {
		s.err = fmt.Errorf("%w (%s)", errTimeout, e.timeout())
	}
	return s
}

// call calls the entry; a panic is a failure.
func call(ctx context.Context, e Entry, c assent.Case) (s said) {
	defer func() {
		if p := recover(); p != nil {
			s = said{err: fmt.Errorf("panic: %v", p)}
		}
	}()
	r, err := e.Call(ctx, c)
	if err == nil && (r.Decision < assent.None || r.Decision > assent.Deny) {
		err = fmt.Errorf("it answered %s: %w", r.Decision, assent.ErrInvalid)
	}
	return said{r, err}
}

// Limit is the longest that Judge may take for an event, as the entries' own times
// go; "" is the longest for any.
func (d *Dispatcher) Limit(event string) time.Duration {
	var longest time.Duration
	n := 0
	for _, l := range *d.set.Load() {
		if !l.watches() && (event == "" || l.Event == event) {
			longest, n = max(longest, l.timeout()+grace), n+1
		}
	}
	rounds := (n + d.o.Parallel - 1) / d.o.Parallel
	return longest * time.Duration(max(rounds, 1))
}
