package hook

// The tally: what each entry did, for the doctor and the log.

import (
	"slices"
	"sync"
	"time"

	"assent"
)

// kept is how many of the newest calls' times are kept.
const kept = 256

// Stat is what one entry did since the dispatcher was made.
type Stat struct {
	ID      string          `json:"hook"`
	Event   string          `json:"event"`
	Calls   int             `json:"calls"`
	Spoke   int             `json:"spoke"`             // calls in which it decided, or gave anything else that was heard
	Failed  int             `json:"failed,omitempty"`  // calls with a fault
	Dropped int             `json:"dropped,omitempty"` // events that it was not told of: its queue was full
	Fault   string          `json:"fault,omitempty"`   // the last one
	Last    time.Time       `json:"last,omitzero"`     // when it was called last
	P50     assent.Duration `json:"p50,omitempty"`
	P95     assent.Duration `json:"p95,omitempty"`
}

// tally counts. Its zero value is empty.
type tally struct {
	mu   sync.Mutex
	stat Stat
	took []time.Duration
	next int
}

func (t *tally) note(at time.Time, took time.Duration, r assent.Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stat.Calls++
	t.stat.Last = at
	if r.Decision != assent.None || r.Context != "" || r.Text != nil || len(r.Rewrite)+len(r.Directive) > 0 {
		t.stat.Spoke++
	}
	if r.Fault != "" {
		t.stat.Failed++
		t.stat.Fault = r.Fault
	}
	if len(t.took) < kept {
		t.took = append(t.took, took)
	} else {
		t.took[t.next%kept] = took
	}
	t.next++
}

func (t *tally) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stat.Dropped++
}

// from goes on where another tally stands.
func (t *tally) from(o *tally) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t.stat, t.took, t.next = o.stat, slices.Clone(o.took), o.next
}

func (t *tally) read() Stat {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stat
	sorted := slices.Sorted(slices.Values(t.took))
	if n := len(sorted); n > 0 {
		s.P50, s.P95 = assent.Duration(sorted[n/2]), assent.Duration(sorted[min(n-1, n*95/100)])
	}
	return s
}

// Stats tells what each entry did, in their order.
func (d *Dispatcher) Stats() []Stat {
	var out []Stat
	for _, l := range *d.set.Load() {
		s := l.read()
		s.ID, s.Event = l.ID, l.Event
		out = append(out, s)
	}
	return out
}

// Entries are the entries as they are.
func (d *Dispatcher) Entries() []Entry {
	var out []Entry
	for _, l := range *d.set.Load() {
		out = append(out, l.Entry)
	}
	return out
}
