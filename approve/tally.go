package approve

// The tally: how often a session was denied in a row.

import "sync"

// DefaultBreaker is after how many denials in a row a session is told to stop.
const DefaultBreaker = 3

// maxSessions is how many sessions are kept count of; the oldest is forgotten first.
const maxSessions = 256

// tally counts denials in a row. The zero tally is ready.
type tally struct {
	mu      sync.Mutex
	denials map[string]int
	order   []string // of the sessions, oldest first
}

// count notes a verdict and returns how many denials in a row it makes.
func (t *tally) count(session string, denied bool) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !denied {
		if t.denials[session] > 0 {
			t.denials[session] = 0
		}
		return 0
	}
	if t.denials == nil {
		t.denials = map[string]int{}
	}
	if _, known := t.denials[session]; !known {
		if len(t.order) == maxSessions {
			delete(t.denials, t.order[0])
			t.order = t.order[1:]
		}
		t.order = append(t.order, session)
	}
	t.denials[session]++
	return t.denials[session]
}
