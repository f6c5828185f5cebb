package engine_test

// The laws about the user's own code: hooks that are asked and told, the approver,
// and what the owner's configuration gives.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
	"assent/engine"
)

// changes is a hook that changes the command of every call, each time anew.
func changes(to string, facts ...string) assent.Hook {
	return assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		raw, _ := json.Marshal(input{Command: to, Facts: facts})
		return assent.Reply{By: "changes", Rewrite: raw, Parts: []assent.Reply{{By: "changes", Rewrite: raw}}}, nil
	})
}

func TestLaw8ARewriteIsJudgedBeforeItRuns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(engine.Options{Users: changes("rm -rf ./build", "danger")})
	harmless := w.call("s", input{Command: "ls"})
	v := ok(w.Handle(ctx, harmless))
	if v.Decision != assent.Ask || !strings.Contains(string(v.Rewrite), "./build") {
		t.Fatalf("the new input was not judged: %+v", v)
	}
	r, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	if !strings.Contains(string(r.Case.Input), "./build") {
		t.Fatalf("the person saw %s", r.Case.Input)
	}
	v = ok(w.Handle(ctx, harmless))
	if v.Decision != assent.Allow || !strings.Contains(string(v.Rewrite), "./build") {
		t.Fatalf("after the yes: %+v", v)
	}
	// What is dangerous and made harmless is asked by nobody; a floor is final.
	w = newWorld(engine.Options{Users: changes("ls")})
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.None || v.Rewrite == nil {
		t.Errorf("made harmless: %+v", v)
	}
	if v := ok(w.Handle(ctx, w.call("s", input{Facts: []string{"floor"}}))); v.Decision != assent.Deny || v.Rewrite != nil {
		t.Errorf("a floor: %+v", v)
	}
}

// A call that waits was looked at: hooks are asked about it once, and what they said
// then stands, also for its second gate.
func TestHooksAreAskedOnceAboutACall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	asked := 0
	w := newWorld(engine.Options{Users: assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		if c.Name != assent.PreToolCall {
			return assent.Reply{}, nil
		}
		asked++
		return assent.Reply{By: "guard", Decision: assent.Ask, Reason: "look at it"}, nil
	})})
	e := w.call("s", input{})
	e.Call = "c1"
	v := ok(w.Handle(ctx, e))
	gate := e
	gate.ID, gate.Call, gate.Again = "second gate", "", true
	for _, again := range []assent.Event{e, gate} {
		if u := ok(w.Handle(ctx, again)); u.Decision != assent.Ask || u.Request != v.Request || u.Tell != "look at it" {
			t.Errorf("%+v", u)
		}
	}
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	if u := ok(w.Handle(ctx, e)); u.Decision != assent.Allow || asked != 1 {
		t.Errorf("it was asked %d times: %+v", asked, u)
	}
	e.Call = "c2"
	if u := ok(w.Handle(ctx, e)); u.Decision != assent.Ask || asked != 2 {
		t.Errorf("another call: it was asked %d times: %+v", asked, u)
	}
}

func TestWhatHooksSaidIsRecorded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	hooks := assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		return assent.Reply{Context: "be careful", Parts: []assent.Reply{
			{By: "a", Decision: assent.Deny, Reason: "no", Took: assent.Duration(time.Second)}, {By: "b", Fault: "broken", Context: "be careful"},
		}}, nil
	})
	w := newWorld(engine.Options{Users: hooks})
	v := ok(w.Handle(ctx, w.call("s", input{})))
	if v.Decision != assent.Deny || v.Tell != "no" || v.Context != "be careful" {
		t.Fatalf("%+v", v)
	}
	turn := w.call("s", input{})
	turn.Name = assent.PreLLMCall
	if v := ok(w.Handle(ctx, turn)); v.Context != "be careful" {
		t.Fatalf("%+v", v)
	}
	for n := uint64(1); n <= 2; n++ {
		var said struct{ Hooks []assent.Heard }
		if err := json.Unmarshal(recordOf(t, w, n).Data, &said); err != nil || len(said.Hooks) != 2 || said.Hooks[0].By != "a" || said.Hooks[1].Fault != "broken" || !said.Hooks[1].Changed {
			t.Errorf("record %d: %+v, %v", n, said, err)
		}
	}
}

// What only hooks hear leaves no line where there are none.
func TestEventsForHooksAloneAreNotRecordedWithoutAny(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{})
	e := w.call("s", input{})
	e.Name = assent.TransformResult
	ok(w.Handle(context.Background(), e))
	if h, _ := w.store.Head(context.Background()); h.N != 0 {
		t.Errorf("%d records", h.N)
	}
}

// heardOf collects the events of our own that hooks are told of.
func heardOf(names ...string) (assent.Hook, func() []map[string]any) {
	var mu sync.Mutex
	var got []map[string]any
	h := assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		if slices.Contains(names, c.Name) {
			m := map[string]any{"event": c.Name}
			for k, v := range c.Extra {
				var x any
				_ = json.Unmarshal(v, &x)
				m[k] = x
			}
			got = append(got, m)
		}
		return assent.Reply{}, nil
	})
	return h, func() []map[string]any { mu.Lock(); defer mu.Unlock(); return slices.Clone(got) }
}

func TestEveryRequestIsToldBeforeAndAfter(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h, told := heardOf(assent.ApprovalRequest, assent.ApprovalResponse)
	w := newWorld(engine.Options{Users: h, Expires: time.Hour})
	session := func(a assent.Answer) assent.Answer { a.Width = assent.InSess; return a }
	for _, c := range []struct {
		end  func(v assent.Verdict)
		want string
	}{
		{func(v assent.Verdict) { _, err := w.Answer(ctx, yes(v.Request)); must(t, err) }, "once"},
		{func(v assent.Verdict) { _, err := w.Answer(ctx, no(v.Request)); must(t, err) }, "deny"},
		{func(v assent.Verdict) { w.pass(2 * time.Hour); _, err := w.Request(ctx, v.Request); must(t, err) }, "timeout"},
		{func(v assent.Verdict) { _, err := w.Answer(ctx, session(yes(v.Request))); must(t, err) }, "session"},
	} {
		v := ok(w.Handle(ctx, w.call("session of "+c.want, danger)))
		c.end(v)
		all := told()
		before, after := all[len(all)-2], all[len(all)-1]
		if before["event"] != assent.ApprovalRequest || after["event"] != assent.ApprovalResponse || after["choice"] != c.want || before["request_id"] != v.Request || after["request_id"] != v.Request {
			t.Errorf("%s: %v, %v", c.want, before, after)
		}
	}
	if n := len(told()); n != 8 {
		t.Errorf("%d events", n)
	}
}

// advisor is an approver that says what it is told to.
type advisor struct {
	says assent.Advice
	err  error
	n    *int
}

func (advisor) Name() assent.Identity { return assent.Identity{Surface: "hook", ID: "a@1", Name: "a"} }
func (a advisor) Approve(context.Context, assent.Request) (assent.Advice, error) {
	*a.n++
	if a.says.Reason == "panic" {
		panic("boom")
	}
	return a.says, a.err
}

var authority = engine.Standing{By: assent.Identity{Surface: "config", ID: "1", Name: "approvals.mode: custom"}, Mints: true}

func advised(says assent.Advice, err error, owner ...engine.Standing) (*world, *int) {
	n := 0
	return newWorld(engine.Options{Owner: owner, Advisor: func(string) assent.Approver { return advisor{says, err, &n} }}), &n
}

func TestLaw5AnApproversYesComesOutOfItsOwnersGrant(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w, n := advised(assent.Advice{Decision: assent.Allow, Reason: "fine", For: assent.Duration(time.Minute)}, nil, authority)
	call := w.call("s", danger)
	v := ok(w.Handle(ctx, call))
	r := ok(w.Consult(ctx, v.Request))
	if r.State != assent.Approved || r.Advice == nil || !r.Advice.Done || r.Answer.By.Surface != "hook" {
		t.Fatalf("%+v of %+v", r.Advice, r)
	}
	if r = ok(w.Consult(ctx, v.Request)); *n != 1 {
		t.Errorf("it was asked %d times", *n)
	}
	gs := mustGrants(w, assent.GrantFilter{})
	if len(gs) != 2 || !gs[0].Mints || gs[1].Parent != gs[0].ID || gs[1].Until.Sub(gs[1].From) != time.Minute {
		t.Fatalf("%+v", gs)
	}
	if v := ok(w.Handle(ctx, call)); v.Decision != assent.Allow || v.Grant != gs[1].ID {
		t.Fatalf("%+v", v)
	}
	// The authority itself is nobody's to spend, and when it is revoked, so is all
	// that came of it, and its approver says yes no more.
	other := w.call("s", danger)
	v = ok(w.Handle(ctx, other))
	ok(w.Consult(ctx, v.Request))
	_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{ID: gs[0].ID}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	v = ok(w.Handle(ctx, other))
	if v.Decision != assent.Ask {
		t.Fatalf("after the authority was revoked: %+v", v)
	}
	if r := ok(w.Consult(ctx, v.Request)); r.State != assent.Pending || r.Advice.Fault == "" {
		t.Fatalf("an approver without authority: %+v", r)
	}
}

func TestLaw3WhatIsWrongWithAnApproverIsNeverAYes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		says  assent.Advice
		err   error
		owner []engine.Standing
		want  assent.State
	}{
		"error":           {assent.Advice{Decision: assent.Allow}, errors.New("broken"), []engine.Standing{authority}, assent.Pending},
		"panic":           {assent.Advice{Decision: assent.Allow, Reason: "panic"}, nil, []engine.Standing{authority}, assent.Pending},
		"no opinion":      {assent.Advice{}, nil, []engine.Standing{authority}, assent.Pending},
		"escalate":        {assent.Advice{Decision: assent.Ask}, nil, []engine.Standing{authority}, assent.Pending},
		"nonsense":        {assent.Advice{Decision: 9}, nil, []engine.Standing{authority}, assent.Pending},
		"no authority":    {assent.Advice{Decision: assent.Allow}, nil, nil, assent.Pending},
		"no such offer":   {assent.Advice{Decision: assent.Allow, Offer: 7}, nil, []engine.Standing{authority}, assent.Pending},
		"deny needs none": {assent.Advice{Decision: assent.Deny, Reason: "no"}, nil, nil, assent.Denied},
	} {
		w, _ := advised(c.says, c.err, c.owner...)
		v := ok(w.Handle(ctx, w.call("s", danger)))
		r := ok(w.Consult(ctx, v.Request))
		if r.State != c.want || r.Advice == nil || !r.Advice.Done {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Somebody answers while the approver thinks: the first answer counts.
func TestLaw7APersonMayBeFasterThanTheApprover(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var w *world
	var id string
	w = newWorld(engine.Options{Owner: []engine.Standing{authority}, Advisor: func(string) assent.Approver {
		return slowAdvisor(func() { _, err := w.Answer(ctx, no(id)); must(t, err) })
	}})
	id = ok(w.Handle(ctx, w.call("s", danger))).Request
	if r := ok(w.Consult(ctx, id)); r.State != assent.Denied || r.Answer.By.Surface != "key" {
		t.Errorf("%+v", r)
	}
}

type slowAdvisor func()

func (slowAdvisor) Name() assent.Identity { return assent.Identity{Surface: "hook", ID: "slow"} }
func (f slowAdvisor) Approve(context.Context, assent.Request) (assent.Advice, error) {
	f()
	return assent.Advice{Decision: assent.Allow}, nil
}

// A denial of the approver can be overruled by a person, once, for one use of
// exactly that.
func TestAPersonOverrulesTheApproverOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w, n := advised(assent.Advice{Decision: assent.Deny, Reason: "no"}, nil, authority)
	call := w.call("s", danger)
	v := ok(w.Handle(ctx, call))
	denied := ok(w.Consult(ctx, v.Request))
	wide := yes(denied.ID)
	wide.Width = assent.InSess
	if _, err := w.Answer(ctx, wide); !errors.Is(err, assent.ErrInvalid) {
		t.Errorf("for a session: %v", err)
	}
	r, err := w.Answer(ctx, yes(denied.ID))
	if err != nil || r.ID == denied.ID || r.State != assent.Approved {
		t.Fatalf("%+v, %v", r, err)
	}
	if v := ok(w.Handle(ctx, call)); v.Decision != assent.Deny {
		t.Errorf("the denied call itself: %+v", v)
	}
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow || v.Grant != r.Grant {
		t.Errorf("the same again: %+v", v)
	}
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Ask {
		t.Errorf("once more: %+v", v)
	}
	if _, err := w.Answer(ctx, yes(denied.ID)); !errors.Is(err, assent.ErrSettled) {
		t.Errorf("overruled twice: %v", err)
	}
	if *n != 1 {
		t.Errorf("the approver was asked %d times", *n)
	}
	// A person's denial stays.
	v = ok(w.Handle(ctx, w.call("t", danger)))
	_, err = w.Answer(ctx, no(v.Request))
	must(t, err)
	if _, err := w.Answer(ctx, yes(v.Request)); !errors.Is(err, assent.ErrSettled) {
		t.Errorf("a person's denial was overruled: %v", err)
	}
}

func TestLaw5ModeOffIsAListedRevocableGrant(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	off := engine.Standing{By: assent.Identity{Surface: "config", ID: "off", Name: "approvals.mode: off"}}
	w := newWorld(engine.Options{Owner: []engine.Standing{off}})
	for range 3 {
		if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow || v.Grant == "" {
			t.Fatalf("%+v", v)
		}
	}
	if v := ok(w.Handle(ctx, w.call("s", input{Facts: []string{"floor"}}))); v.Decision != assent.Deny {
		t.Errorf("the floor: %+v", v)
	}
	g := mustGrants(w, assent.GrantFilter{})
	if len(g) != 1 || g[0].Used != 3 || g[0].Width != assent.Owner || !g[0].VouchedBy(recordOf(t, w, g[0].Record)) {
		t.Fatalf("%+v", g)
	}
	w.pass(40 * 24 * time.Hour) // it is given anew
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow {
		t.Errorf("a month later: %+v", v)
	}
	_, err := w.Revoke(ctx, assent.Revocation{Selection: assent.Selection{All: true}, At: w.now(), Proof: assent.Proof{Key: "owner"}})
	must(t, err)
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Ask {
		t.Errorf("after it was revoked: %+v", v)
	}
	// Another engine over the same store does not give it again for the same words.
	again := newWorld(engine.Options{Owner: []engine.Standing{off}, Store: w.store})
	again.pass(41 * 24 * time.Hour)
	if v := ok(again.Handle(ctx, again.call("u", danger))); v.Decision != assent.Ask {
		t.Errorf("after a restart: %+v", v)
	}
}

// What the configuration gives no longer is void, also for whoever comes after it, and
// can be given again.
func TestLaw10Adversarial14WhatTheConfigurationNoLongerGivesEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	off := engine.Standing{By: assent.Identity{Surface: "config", ID: "off", Name: "approvals.mode: off"}}
	w := newWorld(engine.Options{Owner: []engine.Standing{off}})
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow {
		t.Fatalf("%+v", v)
	}
	for _, owner := range [][]engine.Standing{nil, {authority}} {
		manual := newWorld(engine.Options{Store: w.store, Owner: owner})
		if v := ok(manual.Handle(ctx, w.call("s", danger))); v.Decision != assent.Ask {
			t.Errorf("under another configuration: %+v", v)
		}
	}
	again := newWorld(engine.Options{Store: w.store, Owner: []engine.Standing{off}})
	if v := ok(again.Handle(ctx, w.call("s", danger))); v.Decision != assent.Allow {
		t.Errorf("as it was before: %+v", v)
	}
}

// Hooks keep a turn going three times, and then it ends; the next turn is another.
func TestLaw12AKeptTurnEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	on := json.RawMessage(`{"action":"continue","message":"test it"}`)
	w := newWorld(engine.Options{Users: assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		if c.Name != assent.PreVerify {
			return assent.Reply{}, nil
		}
		return assent.Reply{Directive: on, Parts: []assent.Reply{{By: "tests", Directive: on}}}, nil
	})})
	tell := func(session, name string) assent.Verdict {
		e := w.call(session, input{})
		e.Name = name
		return ok(w.Handle(ctx, e))
	}
	for range 2 {
		tell("s", assent.PreLLMCall)
		for i := range 5 {
			if v := tell("s", assent.PreVerify); (len(v.Directive) > 0) != (i < 3) {
				t.Errorf("%d: %s", i, v.Directive)
			}
			tell("another", assent.PreVerify)
		}
	}
}
