//go:build linux

package broker_test

// The broker with the engine itself: what is spent, given back, and ended.

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/analyze"
	"assent/broker"
	"assent/engine"
	"assent/internal/child"
	"assent/internal/peer"
	"assent/policy"
	"assent/store/mem"
)

// door is the engine as a holder's door has it: it says itself who is there.
type door struct {
	*engine.Engine
	allowed func() // runs when a use was allowed, before the broker hears of it
}

func self() *assent.Peer { return &assent.Peer{Process: peer.Self()} }

func (d door) Use(ctx context.Context, u assent.Use) (assent.Verdict, error) {
	u.Peer, u.Event.Principal = self(), "uid:1"
	v, err := d.Engine.Use(ctx, u)
	if d.allowed != nil && v.Decision == assent.Allow {
		d.allowed()
	}
	return v, err
}

func (d door) Begin(ctx context.Context, s assent.Start) error {
	s.Peer = self()
	return d.Engine.Begin(ctx, s)
}

func (d door) End(ctx context.Context, e assent.End) error {
	e.Peer, e.Ours = self(), true
	return d.Engine.End(ctx, e)
}

// people are whoever answers here.
type people struct{}

func (people) Identify(context.Context, assent.Proof, []byte) (assent.Identity, error) {
	return assent.Identity{Surface: "test", ID: "ada"}, nil
}

func withEngine(t *testing.T, w *world) *engine.Engine {
	t.Helper()
	e := engine.New(engine.Options{
		Store: mem.New(), Floor: policy.Floor, BuiltIn: policy.BuiltIn, Default: policy.Default(assent.None), Roster: people{},
		Analyse: func(e assent.Event) assent.Case { return analyze.Case(e, assent.Places{}) },
		Kill:    func(ctx context.Context, c assent.Call) error { return child.Stop(ctx, c.Child.PID, time.Second) },
	})
	w.b.Gate = door{Engine: e}
	return e
}

// bought has a command asked for, and given a yes.
func (w *world) bought(e *engine.Engine, c broker.Command, width assent.Width) string {
	w.t.Helper()
	w.b.Ask = true
	_, err := w.exec(c)
	no := refusedWith(w.t, err, assent.Ask)
	r, err := e.Answer(w.t.Context(), assent.Answer{Request: no.Request, Decision: assent.Allow, Width: width, At: time.Now()})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Grant
}

func TestOneUseIsOneStartAndWhatChangedCostsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := withEngine(t, w)
	w.file("script", "#!/bin/sh\necho good >>ran\n", 0o755)
	c := broker.Command{Argv: []string{"./script"}}
	id := w.bought(e, c, assent.Once)
	w.b.Ask = false
	w.b.Gate = door{e, func() { w.file("script", "#!/bin/sh\necho bad >>ran\n", 0o755) }}
	if _, err := w.exec(c); !errors.Is(err, broker.ErrChanged) {
		t.Fatal(err)
	}
	w.file("script", "#!/bin/sh\necho good >>ran\n", 0o755)
	w.b.Gate = door{Engine: e}
	if r, err := w.exec(c); err != nil || r.Grant != id { // its use was given back
		t.Fatal(r, err)
	}
	_, err := w.exec(c)
	if no := refusedWith(t, err, assent.Ask); !strings.Contains(no.Tell, "exhausted") {
		t.Errorf("%+v", no)
	}
	w.holds("ran", "good\n")
}

func TestRevokingEndsWhatRunsAndKeepsTheRestFromStarting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := withEngine(t, w)
	c := broker.Command{Argv: []string{"sh", "-c", "touch ready; exec sleep 1000"}}
	id := w.bought(e, c, assent.Always)
	w.b.Ask = false
	var revoking sync.WaitGroup
	revoking.Go(func() {
		await(t, filepath.Join(w.dir, "ready"))
		waitBegun(t, e, id)
		out, err := e.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: id}, Kill: true, At: time.Now()})
		if err != nil || len(out.Killed) != 1 {
			t.Error(out, err)
		}
	})
	r, err := w.exec(c)
	revoking.Wait()
	if err != nil || r.Signal != "terminated" {
		t.Errorf("%+v %v", r, err)
	}
	_, err = w.exec(c)
	refusedWith(t, err, assent.Ask)

	id = w.bought(e, c, assent.Always) // revoked between the use and the start
	w.b.Ask = false
	w.b.Gate = door{e, func() {
		if _, err := e.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: id}, At: time.Now()}); err != nil {
			t.Error(err)
		}
	}}
	if r, err := w.exec(c); !errors.Is(err, assent.ErrRevoked) || r.Signal == "" {
		t.Errorf("%+v %v", r, err)
	}
}

func waitBegun(t *testing.T, e *engine.Engine, id string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		running, err := e.Store().Running(t.Context(), []string{id})
		if err != nil || time.Now().After(end) {
			t.Error("it never began", err)
			return
		}
		if len(running) > 0 {
			return
		}
	}
}
