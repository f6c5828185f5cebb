package engine_test

// Laws of what assent executes itself: no cap, no call.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/engine"
)

// peerOf is a process that speaks for these sessions.
func peerOf(pid int, sessions ...string) *assent.Peer {
	return &assent.Peer{Process: assent.Process{PID: pid, Start: uint64(pid), Boot: "boot-1", UID: 1}, Sessions: sessions}
}

// shellOf is a process of a person's shell.
func shellOf(pid int) *assent.Peer {
	p := peerOf(pid)
	p.Root = &assent.Process{PID: 5, Start: 5, Boot: "boot-1"}
	return p
}

// use is a wish of the peer to do what a call of the test's says.
func (w *world) use(p *assent.Peer, in input) assent.Use {
	ev := w.call("said", in)
	ev.Agent = "said"
	return assent.Use{Event: ev, Peer: p}
}

// bought asks for what u wants, has a person say yes, and returns u.
func (w *world) bought(t *testing.T, u assent.Use, width assent.Width) assent.Use {
	t.Helper()
	u.Ask = true
	v, err := w.Use(t.Context(), u)
	must(t, err)
	if v.Decision != assent.Ask || v.Request == "" {
		t.Fatalf("%+v", v)
	}
	a := yes(v.Request)
	a.Width = width
	_, err = w.Answer(t.Context(), a)
	must(t, err)
	return u
}

// endOf is the broker's word that a use is over.
func (w *world) endOf(u assent.Use, session string, started bool) assent.End {
	ev := u.Event
	ev.Agent = assent.AgentBroker
	return assent.End{Session: session, Call: ev.Call, Digest: digestOf(ev), Started: started, Peer: u.Peer}
}

func TestNoCapNoCall(t *testing.T) {
	t.Parallel()
	for _, said := range []assent.Decision{assent.None, assent.Ask} {
		w := newWorld(engine.Options{Default: silent(said)})
		u := w.use(peerOf(7, "s"), input{})
		v, err := w.Use(t.Context(), u)
		must(t, err)
		if v.Decision != assent.Ask || v.Request != "" {
			t.Fatalf("%s: %+v", said, v)
		}
		asked, err := w.store.Requests(t.Context(), assent.RequestFilter{})
		must(t, err)
		if len(asked) != 0 {
			t.Fatalf("somebody was asked: %+v", asked)
		}
	}
}

func TestAdversarial01AOnceGrantIsOneUse(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.Once)
	v, err := w.Use(t.Context(), u)
	must(t, err)
	if v.Decision != assent.Allow || v.Grant == "" {
		t.Fatalf("%+v", v)
	}
	must(t, w.End(t.Context(), w.endOf(u, "s", true)))
	next := w.use(peerOf(7, "s"), input{})
	next.Grant = v.Grant
	if _, err := w.Use(t.Context(), next); !errors.Is(err, assent.ErrExhausted) {
		t.Fatal(err)
	}
	rec := w.lastRecord(t)
	if rec.Decision != assent.Deny || rec.Kind != assent.KindEvent {
		t.Fatalf("%+v", rec)
	}
}

func TestAUseIsOfWhomTheConnectionProves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		peer *assent.Peer
		want string // the session of the request; empty: refused
	}{
		"the session of its process": {peerOf(7, "s"), "s"},
		"of nobody's":                {peerOf(7), "exec-boot-1-7-7"},
		"of a person's shell":        {shellOf(7), "shell-boot-1-5-5"},
		"an agent or its sub-agent":  {peerOf(7, "s", "s/helper"), "s/~"},
		"the nearest agent":          {peerOf(7, "inner", "outer", "outer/helper"), "inner"},
		"no process":                 {nil, ""},
		"a process without a number": {&assent.Peer{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(engine.Options{})
			u := w.use(c.peer, input{})
			u.Ask = true
			v, err := w.Use(t.Context(), u)
			if c.want == "" {
				if !errors.Is(err, assent.ErrForbidden) || w.lastRecord(t).Kind != assent.KindRefused {
					t.Fatalf("%+v, %v", v, err)
				}
				return
			}
			must(t, err)
			r, err := w.Request(t.Context(), v.Request)
			must(t, err)
			if r.Case.Session != c.want || r.Case.Agent != assent.AgentBroker {
				t.Fatalf("%+v", r.Case.Event)
			}
		})
	}
}

func TestAdversarial07ASubAgentHasNotWhatItsParentHas(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.InSess)
	if v := ok(w.Use(t.Context(), u)); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	both := peerOf(7, "s", "s/helper")
	v := ok(w.Use(t.Context(), w.use(both, input{})))
	if v.Decision != assent.Ask {
		t.Fatalf("which of the two asks is not known: %+v", v)
	}
	if list := ok(w.Usable(t.Context(), both)); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
	if list := ok(w.Usable(t.Context(), peerOf(7, "s"))); len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	if list := ok(w.Usable(t.Context(), peerOf(8, "t"))); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
}

// hooked is the event of the hook that tells of a call of a tool of ours.
func (w *world) hooked(t *testing.T, session, call string) {
	t.Helper()
	ev := w.call(session, input{})
	ev.Call, ev.Tool = call, "mcp/assent/exec"
	ok(w.Handle(t.Context(), ev))
}

func TestAUseIsOfTheSessionWhoseHookToldOfItsCall(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	both := peerOf(7, "s", "s/helper", "s/other")
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.InSess)
	serving := func(call string) assent.Decision {
		u := w.use(both, input{})
		raw, _ := json.Marshal(call)
		u.Event.Extra = map[string]json.RawMessage{engine.AgentCall: raw}
		return ok(w.Use(t.Context(), u)).Decision
	}
	w.hooked(t, "s/helper", "toolu_helper")
	w.hooked(t, "s", "toolu_parent")
	if d := serving("toolu_helper"); d != assent.Ask {
		t.Fatal("a sub-agent spent what its parent has")
	}
	if d := serving("toolu_parent"); d != assent.Allow {
		t.Fatal("the parent cannot spend what it has")
	}
	if d := serving("toolu_parent"); d != assent.Ask {
		t.Fatal("one call served two uses")
	}
	w.hooked(t, "elsewhere", "toolu_other")
	if d := serving("toolu_other"); d != assent.Ask {
		t.Fatal("a call of another agent counts")
	}
	w.hooked(t, "s", "toolu_late")
	w.pass(3 * time.Minute)
	if d := serving("toolu_late"); d != assent.Ask {
		t.Fatal("a call of three minutes ago counts")
	}
	_ = u
}

func TestAUseIsGivenBackOnlyWhereNothingWasStarted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ours, begun, started bool
		peer                 *assent.Peer
		want                 error // of the next use
	}{
		"by our own broker, before it began": {true, false, false, nil, nil},
		"after it began":                     {true, true, false, nil, assent.ErrExhausted},
		"it was started":                     {true, false, true, nil, assent.ErrExhausted},
		"by another program":                 {false, false, false, nil, assent.ErrExhausted},
		"by another process":                 {true, false, false, peerOf(8, "s"), assent.ErrExhausted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(engine.Options{})
			u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.Once)
			v := ok(w.Use(t.Context(), u))
			if v.Decision != assent.Allow {
				t.Fatalf("%+v", v)
			}
			end := w.endOf(u, "s", c.started)
			end.Ours = c.ours
			if c.begun {
				must(t, w.Begin(t.Context(), assent.Start{Session: end.Session, Call: end.Call, Digest: end.Digest, Peer: u.Peer}))
			}
			if c.peer != nil {
				end.Peer = c.peer
			}
			if err := w.End(t.Context(), end); (c.peer != nil) != errors.Is(err, assent.ErrForbidden) {
				t.Fatal(err)
			}
			next := w.use(peerOf(7, "s"), input{})
			next.Grant = v.Grant
			if _, err := w.Use(t.Context(), next); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestLaw6WhatRunsUnderARevokedGrantIsEnded(t *testing.T) {
	t.Parallel()
	var killed []string
	w := newWorld(engine.Options{Kill: func(_ context.Context, c assent.Call) error { killed = append(killed, c.ID); return nil }})
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.InSess)
	v := ok(w.Use(t.Context(), u))
	end := w.endOf(u, "s", true)
	begin := assent.Start{Session: end.Session, Call: end.Call, Digest: end.Digest, Child: &assent.Process{PID: 99, Start: 9}, Peer: u.Peer}
	must(t, w.Begin(t.Context(), begin))
	must(t, w.Begin(t.Context(), begin)) // again, for the first reply was lost
	other := begin
	other.Child = &assent.Process{PID: 98, Start: 9}
	if err := w.Begin(t.Context(), other); !errors.Is(err, assent.ErrSettled) {
		t.Fatalf("one use, and two processes: %v", err)
	}
	for _, over := range []string{assent.PostToolCall, assent.TurnEnd} { // what the agent says ends nothing
		ev := assent.Event{ID: over, Name: over, Agent: "test", Principal: "uid:1", Session: "s", Call: end.Call, Tool: "do", Input: u.Event.Input}
		ok(w.Handle(t.Context(), ev))
	}
	second := w.use(u.Peer, input{})
	if v := ok(w.Use(t.Context(), second)); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	rev := assent.Revocation{Selection: assent.Selection{ID: v.Grant}, At: w.now(), Proof: assent.Proof{Key: "owner"}}
	ok(w.Revoke(t.Context(), rev))
	late := w.endOf(second, "s", true)
	err := w.Begin(t.Context(), assent.Start{Session: "s", Call: late.Call, Digest: late.Digest, Peer: u.Peer})
	if !errors.Is(err, assent.ErrRevoked) {
		t.Fatalf("what began after the revocation goes on: %v", err)
	}
	must(t, w.End(t.Context(), late))
	rev.Kill = true
	if gone := ok(w.Revoke(t.Context(), rev)); len(gone.Grants) != 0 || len(gone.Killed) != 1 || !slices.Equal(killed, []string{end.Call}) {
		t.Fatalf("what still runs under a grant that was revoked before: %+v, %v", gone, killed)
	}
	if again := ok(w.Revoke(t.Context(), rev)); len(again.Killed) != 0 {
		t.Fatalf("it is over: %+v", again)
	}
	must(t, w.End(t.Context(), end))
}

func TestWhatHooksRewriteIsNotExecuted(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{Users: assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) {
		return assent.Reply{By: "hook", Rewrite: json.RawMessage(`{"facts":[]}`)}, nil
	})})
	v := ok(w.Use(t.Context(), w.use(peerOf(7, "s"), input{})))
	if v.Decision != assent.Deny {
		t.Fatalf("%+v", v)
	}
}

func TestAdversarial14AStandingGrantStandsOnBecauseAPersonSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.Always)
	old := mustGrants(w, assent.GrantFilter{})[0]
	w.pass(20 * 24 * time.Hour)
	if _, err := w.Renew(t.Context(), assent.Renewal{Grant: old.ID}); !errors.Is(err, assent.ErrForbidden) {
		t.Fatalf("nobody stands behind it: %v", err)
	}
	agents := assent.Renewal{Grant: old.ID, At: w.now(), Proof: assent.Proof{Key: "owner", Peer: &assent.Peer{Agent: "child of test"}}}
	if _, err := w.Renew(t.Context(), agents); !errors.Is(err, assent.ErrSelfApproval) {
		t.Fatal(err)
	}
	r := assent.Renewal{Grant: old.ID, At: w.now(), Proof: assent.Proof{Key: "owner"}}
	g, err := w.Renew(t.Context(), r)
	must(t, err)
	if g.Until.Sub(w.now()) != 90*24*time.Hour || g.Scope.Digest != old.Scope.Digest || g.ID == old.ID || g.Used != 0 {
		t.Fatalf("%+v", g)
	}
	if live := mustGrants(w, assent.GrantFilter{Live: true, Now: w.now(), Boot: "boot-1"}); len(live) != 1 || live[0].ID != g.ID {
		t.Fatalf("%+v", live)
	}
	if _, err := w.Renew(t.Context(), r); !errors.Is(err, assent.ErrRevoked) {
		t.Fatalf("the same word once more: %v", err)
	}
	v := ok(w.Use(t.Context(), w.use(peerOf(9, "another"), input{})))
	if v.Decision != assent.Allow || !strings.Contains(v.Tell, g.ID) {
		t.Fatalf("%+v", v)
	}
	_ = u
	for _, bad := range []assent.Renewal{
		{Grant: g.ID, For: assent.Duration(91 * 24 * time.Hour)}, {Grant: ""}, {Grant: g.ID, For: -1},
	} {
		bad.At, bad.Proof = w.now(), assent.Proof{Key: "owner"}
		if _, err := w.Renew(t.Context(), bad); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestLaw11WhoAskedByNameDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	ev := w.call("s", input{Facts: []string{"danger"}})
	ev.Principal = "key:owner"
	v := ok(w.Handle(t.Context(), ev))
	if _, err := w.Answer(t.Context(), yes(v.Request)); !errors.Is(err, assent.ErrSelfApproval) {
		t.Fatal(err)
	}
}

func TestLaw6AKillWaitsForWhatIsJustStarting(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{Kill: func(context.Context, assent.Call) error { return nil }})
	u := w.bought(t, w.use(peerOf(7, "s"), input{}), assent.InSess)
	v := ok(w.Use(t.Context(), u))
	end := w.endOf(u, "s", true)
	over := make(chan error)
	go func() { // its broker, which says that it runs when the revocation is there
		start := assent.Start{Session: "s", Call: end.Call, Digest: end.Digest, Child: &assent.Process{PID: 99}, Peer: u.Peer}
		for mustGrants(w, assent.GrantFilter{})[0].Revoked.IsZero() && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if err := w.Begin(t.Context(), start); !errors.Is(err, assent.ErrRevoked) {
			t.Error(err)
		}
		over <- w.End(t.Context(), end)
	}()
	ok(w.Revoke(t.Context(), assent.Revocation{Selection: assent.Selection{ID: v.Grant}, Kill: true, At: w.now(), Proof: assent.Proof{Key: "owner"}}))
	if rec := w.lastRecord(t); rec.Kind != assent.KindEnd {
		t.Errorf("it has returned, and the last that is recorded is %+v", rec)
	}
	must(t, <-over)
}
