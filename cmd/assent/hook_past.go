package main

// What the log says of hooks: how often they were really called, how long they took,
// and what they said.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"assent"
	"assent/config"
	"assent/hook"
)

const (
	pastLines     = 20_000 // records that are looked at, the newest
	pastPage      = 2_000
	canarySession = "assent-canary"
)

// heardOf names a hook in the log.
type heardOf struct{ hook, event string }

// past is what one hook did.
type past struct {
	Calls   int             `json:"calls"`
	Spoke   int             `json:"spoke"` // calls in which it decided, or gave anything
	Failed  int             `json:"failed"`
	Dropped int             `json:"dropped,omitempty"` // events that it was not told of
	Last    time.Time       `json:"last,omitzero"`
	P50     assent.Duration `json:"p50,omitempty"`
	P95     assent.Duration `json:"p95,omitempty"`
	Fault   string          `json:"fault,omitempty"` // of the last call, if that had one

	took []time.Duration
	stat hook.Stat // the newest of those that watch: it counts from the start of its process
}

// pasts are what all hooks did, and which tools were called.
type pasts struct {
	of    map[heardOf]*past
	tools map[string]bool
}

// pastOf reads the newest records of the log.
func pastOf(ctx context.Context, h config.Home) (pasts, error) {
	p := pasts{of: map[heardOf]*past{}, tools: map[string]bool{}}
	err := newest(ctx, h, pastLines, p.take)
	for _, one := range p.of {
		one.sum()
	}
	return p, err
}

// newest calls take with the newest records, in their order.
func newest(ctx context.Context, h config.Home, n uint64, take func(assent.Record)) error {
	s, err := config.OpenLog(ctx, h)
	if errors.Is(err, assent.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	head, err := s.Head(ctx)
	if err != nil {
		return err
	}
	for after := head.N - min(head.N, n); after < head.N; {
		lines, err := s.Lines(ctx, after, pastPage)
		if err != nil || len(lines) == 0 {
			return err
		}
		for _, l := range lines {
			var r assent.Record
			if after = l.N; json.Unmarshal(l.Leaf, &r) == nil {
				take(r)
			}
		}
	}
	return nil
}

func (p pasts) take(r assent.Record) {
	if r.Session == canarySession || r.Session == sampleSession {
		return
	}
	if r.Tool != "" {
		p.tools[r.Tool] = true
	}
	var data struct {
		Hooks []assent.Heard `json:"hooks"`
		Stats []hook.Stat    `json:"stats"`
	}
	if len(r.Data) == 0 || r.Kind != assent.KindEvent && r.Kind != assent.KindHook || json.Unmarshal(r.Data, &data) != nil {
		return
	}
	for _, h := range data.Hooks {
		p.get(h.By, r.Event).call(h, r.At)
	}
	for _, s := range data.Stats {
		p.get(s.ID, s.Event).told(s)
	}
}

func (p pasts) get(hook, event string) *past {
	key := heardOf{hook, event}
	if p.of[key] == nil {
		p.of[key] = &past{}
	}
	return p.of[key]
}

// call is one call that was asked.
func (p *past) call(h assent.Heard, at time.Time) {
	p.Calls++
	p.Last, p.Fault = at, h.Fault
	p.took = append(p.took, time.Duration(h.Took))
	if h.Decision != assent.None || h.Changed {
		p.Spoke++
	}
	if h.Fault != "" {
		p.Failed++
	}
}

// told are the calls of one that watches since its process began.
func (p *past) told(s hook.Stat) {
	if s.Calls <= p.stat.Calls { // another process
		p.add()
	}
	p.stat = s
}

func (p *past) add() {
	p.Calls += p.stat.Calls
	p.Spoke += p.stat.Spoke
	p.Failed += p.stat.Failed
	p.Dropped += p.stat.Dropped
}

// sum counts what is not counted yet.
func (p *past) sum() {
	p.add()
	if s := p.stat; s.Calls > 0 && s.Last.After(p.Last) {
		p.Last, p.P50, p.P95 = s.Last, s.P50, s.P95
		if s.Failed > 0 {
			p.Fault = s.Fault
		}
	}
	slices.Sort(p.took)
	if n := len(p.took); n > 0 {
		p.P50, p.P95 = assent.Duration(p.took[n/2]), assent.Duration(p.took[min(n-1, n*95/100)])
	}
}
