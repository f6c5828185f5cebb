package serve

// Small memories of the doors: who has asked, how often the door was tried, how
// many requests are pending.

import (
	"sync"
	"time"

	"assent"
	"assent/internal/peer"
)

// agents remembers the processes that have sent events for as long as they live,
// whatever they say of their sessions later: who has asked once does not answer.
type agents struct {
	mu   sync.Mutex
	list map[assent.Process]assent.Session
}

const maxAgents = 4096

// add remembers a process, as an agent's if it ever was that. Each new one has two old
// ones looked at, and the dead forgotten, so that the list stays about as long as what
// lives. If more live than there is room for, nobody new is let in.
func (a *agents) add(p assent.Process, agent string) error {
	if p.PID == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil {
		a.list = map[assent.Process]assent.Session{}
	}
	switch _, known := a.list[p]; {
	case known && agent == assent.AgentBroker:
		return nil // an agent that has people asked remains an agent
	case !known:
		a.forget(2)
		if len(a.list) >= maxAgents {
			a.forget(maxAgents)
		}
		if len(a.list) >= maxAgents {
			return assent.ErrFull
		}
	}
	a.list[p] = assent.Session{Agent: agent, Process: p}
	return nil
}

// forget looks at n of them, whichever come first, which is never the same.
func (a *agents) forget(n int) {
	for p := range a.list {
		if n--; n < 0 {
			return
		}
		if !peer.Lives(p) {
			delete(a.list, p)
		}
	}
}

// all returns the remembered ones.
func (a *agents) all() []assent.Session {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]assent.Session, 0, len(a.list))
	for _, s := range a.list {
		list = append(list, s)
	}
	return list
}

// limiter lets a few things pass in each minute.
type limiter struct {
	mu   sync.Mutex
	from time.Time
	n    int
}

const refusalsAMinute = 30

func (l *limiter) pass(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := now.Sub(l.from); d < 0 || d >= time.Minute {
		l.from, l.n = now, 0
	}
	l.n++
	return l.n <= refusalsAMinute
}

// gauge is a count that is taken again only after a change.
type gauge struct {
	mu      sync.Mutex
	changed <-chan struct{}
	n       int
}

// read returns the count, asking count if something has changed since.
func (g *gauge) read(changed func() <-chan struct{}, count func() (int, error)) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.changed != nil {
		select {
		case <-g.changed:
		default:
			return g.n, nil
		}
	}
	c := changed() // before counting, so that a change meanwhile is not missed
	n, err := count()
	if err != nil {
		return 0, err
	}
	g.changed, g.n = c, n
	return n, nil
}
