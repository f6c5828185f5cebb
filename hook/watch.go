package hook

// Those that only watch: a bounded queue each, served in order, never in the way.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assent"
)

// batch is how many events an entry is told of at once, where it can be.
const batch = 256

// Tell queues an event for the entries that watch, and asks nobody.
func (d *Dispatcher) Tell(c assent.Case) {
	list, _ := d.concerned(c)
	for _, l := range list {
		if l.watches() {
			d.tell(l, c)
		}
	}
}

// tell queues an event for an entry; when its queue is full the event is dropped and
// counted.
func (d *Dispatcher) tell(l *live, c assent.Case) {
	select {
	case l.queue <- c:
	default:
		l.drop()
		return
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run tells the entries that watch what they have queued, until ctx ends; then what
// is still queued gets one more timeout of its own, at most the time of last.
func (d *Dispatcher) Run(ctx context.Context, last time.Duration) error {
	for {
		d.serve(ctx)
		select {
		case <-d.wake:
		case <-ctx.Done():
			return d.Drain(context.WithoutCancel(ctx), last)
		}
	}
}

// Drain tells what is queued, and returns when all is told, or the time is over.
func (d *Dispatcher) Drain(ctx context.Context, last time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, last)
	defer cancel()
	told := make(chan struct{})
	go func() {
		defer close(told)
		for d.left() && ctx.Err() == nil {
			d.serve(ctx)
			d.done.Wait()
		}
	}()
	select {
	case <-told:
		return nil
	case <-ctx.Done():
		return errors.New("hooks that watch were not told of everything: there was no time left")
	}
}

// left reports whether anything is queued, or anybody at it.
func (d *Dispatcher) left() bool {
	return slices.ContainsFunc(*d.set.Load(), func(l *live) bool { return len(l.queue) > 0 || l.busy.Load() })
}

// serve starts whoever has something queued and is not at it.
func (d *Dispatcher) serve(ctx context.Context) {
	for _, l := range *d.set.Load() {
		if len(l.queue) > 0 && l.busy.CompareAndSwap(false, true) {
			d.done.Go(func() { d.drain(ctx, l) })
		}
	}
}

// drain tells one entry until nothing is queued for it.
func (d *Dispatcher) drain(ctx context.Context, l *live) {
	for ctx.Err() == nil {
		cs := l.take()
		if len(cs) == 0 {
			l.busy.Store(false)
			if len(l.queue) == 0 || !l.busy.CompareAndSwap(false, true) {
				return // whoever queued more meanwhile has waked Run
			}
			continue
		}
		d.inform(ctx, l, cs)
	}
	l.busy.Store(false)
}

func (l *live) take() []assent.Case {
	most := 1
	if l.Many != nil {
		most = batch
	}
	var cs []assent.Case
	for len(cs) < most {
		select {
		case c := <-l.queue:
			cs = append(cs, c)
		default:
			return cs
		}
	}
	return cs
}

// inform tells one entry of events. What it answers is ignored; how it went is kept.
func (d *Dispatcher) inform(ctx context.Context, l *live, cs []assent.Case) {
	if l.Many == nil {
		d.one(ctx, l, cs[0])
		return
	}
	began := d.o.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, l.timeout(), errTimeout)
	defer cancel()
	err := many(ctx, l.Entry, cs)
	each := d.o.Now().Sub(began) / time.Duration(len(cs))
	for range cs {
		r := assent.Reply{}
		if err != nil {
			r.Fault = unclassed(said{err: err}.orTimeout(ctx, l.Entry).err.Error())
		}
		l.note(began, each, r)
	}
}

func many(ctx context.Context, e Entry, cs []assent.Case) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return e.Many(ctx, cs)
}

// Queued takes what waits for entries that watch, each event once: for a process
// that ends before it could tell them.
func (d *Dispatcher) Queued() []assent.Case {
	var out []assent.Case
	seen := map[string]bool{}
	for _, l := range *d.set.Load() {
		for len(l.queue) > 0 {
			c := <-l.queue
			if key := c.Name + " " + c.ID; !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	return out
}
