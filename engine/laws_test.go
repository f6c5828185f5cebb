package engine_test

// The laws of design section 4 that concern the engine, each under its own
// words, over generated cases.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/engine"
	"assent/store/mem"
)

// Events in these tests carry their facts in their input, so that a generator
// can say what is found.
type input struct {
	Command string   `json:"command"`
	Facts   []string `json:"facts,omitempty"`
	Panic   bool     `json:"panic,omitempty"`
}

func analyse(e assent.Event) assent.Case {
	var in input
	if err := json.Unmarshal(e.Input, &in); err != nil {
		return assent.Case{Event: e, Findings: []assent.Finding{{Code: "code.unknown", Note: "unreadable"}}}
	}
	if in.Panic {
		panic("analyzer fault")
	}
	c := assent.Case{Event: e}
	for _, code := range in.Facts {
		c.Findings = append(c.Findings, assent.Finding{By: "test", Code: code, Target: e.Dir + "/x", Note: code})
	}
	return c
}

// says answers a decision to every case that has the fact.
func says(fact string, d assent.Decision) assent.Hook {
	return assent.HookFunc(func(_ context.Context, c assent.Case) (assent.Reply, error) {
		for _, f := range c.Findings {
			if f.Code == fact {
				return assent.Reply{By: "says " + d.String(), Decision: d, Reason: fact}, nil
			}
		}
		return assent.Reply{}, nil
	})
}

// roster knows one key, and agents by their peer.
type roster struct{}

func (roster) Identify(_ context.Context, p assent.Proof, signed []byte) (assent.Identity, error) {
	switch {
	case p.Peer != nil && p.Peer.Agent != "":
		return assent.Identity{}, fmt.Errorf("%s: %w", p.Peer.Agent, assent.ErrSelfApproval)
	case p.Key == "owner" && len(signed) > 0:
		return assent.Identity{Surface: "key", ID: "owner"}, nil
	}
	return assent.Identity{}, assent.ErrForbidden
}

// world is an engine with a clock that stands until it is moved.
type world struct {
	*engine.Engine
	store *mem.Store
	mu    sync.Mutex
	at    time.Time
	n     int
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

func newWorld(o engine.Options) *world {
	w := &world{store: mem.New(), at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	if o.Store == nil {
		o.Store = w.store
	}
	if o.Analyse == nil {
		o.Analyse = analyse
	}
	o.Floor, o.BuiltIn = says("floor", assent.Deny), says("danger", assent.Ask)
	o.Roster, o.Now, o.Boot = roster{}, w.now, "boot-1"
	w.Engine = engine.New(o)
	return w
}

// call is a new tool call of session s.
func (w *world) call(s string, in input) assent.Event {
	w.n++
	raw, _ := json.Marshal(in)
	return assent.Event{
		ID: fmt.Sprintf("ev-%d", w.n), Call: fmt.Sprintf("call-%d", w.n), Name: assent.PreToolCall, Agent: "test",
		Session: s, Principal: "uid:1", Dir: "/w", Tool: assent.ToolShell, Input: raw,
	}
}

func yes(request string) assent.Answer {
	return assent.Answer{Request: request, Decision: assent.Allow, Proof: assent.Proof{Key: "owner"}}
}

func no(request string) assent.Answer {
	a := yes(request)
	a.Decision = assent.Deny
	return a
}

// must fails the test on an error.
func must(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) lastRecord(t interface{ Fatal(...any) }) assent.Record {
	head := ok(w.Store().Head(context.Background()))
	lines, err := w.Store().Lines(context.Background(), head.N-1, 1)
	if err != nil || len(lines) != 1 {
		t.Fatal("no last record", err)
	}
	var r assent.Record
	if err := json.Unmarshal(lines[0].Leaf, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

var danger = input{Command: "rm -r x", Facts: []string{"danger"}}

// silent is a posture that gives no reason.
func silent(d assent.Decision) assent.Hook {
	return assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) { return assent.Reply{Decision: d}, nil })
}

func genDecision() *rapid.Generator[assent.Decision] {
	return rapid.SampledFrom([]assent.Decision{assent.None, assent.Allow, assent.Ask, assent.Deny})
}

func TestLaw1DenyIsFinal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		var hooks []assent.Hook
		for _, d := range rapid.SliceOfN(genDecision(), 0, 4).Draw(t, "hooks") {
			hooks = append(hooks, says("danger", d))
		}
		denies := rapid.Bool().Draw(t, "denies")
		facts := []string{"danger"}
		if rapid.Bool().Draw(t, "floor") || !denies {
			facts = append(facts, "floor")
		}
		if denies {
			hooks = append(hooks, says("danger", assent.Deny))
		}
		w := newWorld(engine.Options{Hooks: hooks, Default: silent(genDecision().Draw(t, "default"))})
		v := ok(w.Handle(ctx, w.call("s", input{Facts: facts})))
		if v.Decision != assent.Deny {
			t.Fatalf("verdict %v", v)
		}
		if r := w.lastRecord(t); r.Decision != assent.Deny {
			t.Fatalf("record %v", r)
		}
	})
}

// ok returns what must not fail, where there is no test at hand to fail.
func ok[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A grant does not overrule a Deny that comes later.
func TestLaw1DenyIsFinalOverALiveGrant(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	deny := false
	w := newWorld(engine.Options{Hooks: []assent.Hook{assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) {
		if deny {
			return assent.Reply{Decision: assent.Deny, Reason: "new rule"}, nil
		}
		return assent.Reply{}, nil
	})}})
	v := ok(w.Handle(ctx, w.call("s", danger)))
	_, err := w.Answer(ctx, yes(v.Request))
	must(t, err)
	deny = true
	if v := ok(w.Handle(ctx, w.call("s", danger))); v.Decision != assent.Deny {
		t.Fatalf("verdict %v", v)
	}
}

func TestLaw2AskBeatsAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hooks := []assent.Hook{says("danger", assent.Ask)}
		for range rapid.IntRange(1, 4).Draw(t, "allows") {
			hooks = append(hooks, says("danger", assent.Allow))
		}
		hooks = rapid.Permutation(hooks).Draw(t, "order")
		w := newWorld(engine.Options{Hooks: hooks, Default: silent(assent.Allow)})
		v := ok(w.Handle(context.Background(), w.call("s", danger)))
		if v.Decision != assent.Ask || v.Request == "" {
			t.Fatalf("verdict %v", v)
		}
	})
}

func TestLaw3FailureIsNeverAnAllow(t *testing.T) {
	t.Parallel()
	faults := map[string]assent.Hook{
		"error": assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) {
			return assent.Reply{Decision: assent.Allow}, errors.New("broken")
		}),
		"panic":    assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) { panic("broken") }),
		"nonsense": assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) { return assent.Reply{Decision: 7}, nil }),
		"negative": assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) { return assent.Reply{Decision: -1}, nil }),
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				hooks := []assent.Hook{fault, assent.HookFunc(func(context.Context, assent.Case) (assent.Reply, error) {
					return assent.Reply{Decision: assent.Allow}, nil
				})}
				w := newWorld(engine.Options{Hooks: rapid.Permutation(hooks).Draw(t, "order"), Default: silent(genDecision().Draw(t, "default"))})
				v := ok(w.Handle(context.Background(), w.call("s", input{Command: "ls"})))
				if v.Decision < assent.Ask {
					t.Fatalf("verdict %v", v)
				}
			})
		})
	}
}

func TestLaw3FailureIsNeverAnAllowOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(engine.Options{Default: silent(assent.Allow)})
	bad := map[string]func(*assent.Event){
		"analyzer panics": func(e *assent.Event) { e.Input = []byte(`{"panic":true}`) },
		"not JSON":        func(e *assent.Event) { e.Input = []byte(`{"command":`) },
		"duplicate keys":  func(e *assent.Event) { e.Input = []byte(`{"command":"ls","command":"rm -r /"}`) },
		"invalid UTF-8":   func(e *assent.Event) { e.Input = []byte("{\"command\":\"\xff\"}") },
		"codec failed":    func(e *assent.Event) { e.Invalid = "empty" },
	}
	for name, spoil := range bad {
		e := w.call("s", input{})
		spoil(&e)
		v, err := w.Handle(context.Background(), e)
		if err != nil || v.Decision != assent.Deny {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if r := w.lastRecord(t); r.Decision != assent.Deny || r.EventID != e.ID {
			t.Errorf("%s: not recorded: %v", name, r)
		}
	}
	lacks := map[string]func(*assent.Event){
		"id": func(e *assent.Event) { e.ID = "" }, "agent": func(e *assent.Event) { e.Agent = "" },
		"principal": func(e *assent.Event) { e.Principal = "" }, "session": func(e *assent.Event) { e.Session = "" },
		"tool": func(e *assent.Event) { e.Tool = "" }, "name": func(e *assent.Event) { e.Name = "pre_tool_cal" },
		"being a tool call": func(e *assent.Event) { e.Name = assent.ConfigChange },
	}
	for name, spoil := range lacks {
		e := w.call("s", input{})
		spoil(&e)
		if v, err := w.Handle(context.Background(), e); !errors.Is(err, assent.ErrInvalid) || v.Decision == assent.Allow {
			t.Errorf("without %s: %v, %v", name, v, err)
		}
	}
}

// broken is a store whose writes fail from a point on.
type broken struct {
	assent.Store
	left int
}

var errDisk = errors.New("disk full")

func (b *broken) write() error {
	if b.left--; b.left < 0 {
		return errDisk
	}
	return nil
}

func (b *broken) Append(ctx context.Context, d assent.Draft) (assent.Record, error) {
	if err := b.write(); err != nil {
		return assent.Record{}, err
	}
	return b.Store.Append(ctx, d)
}

func (b *broken) Ask(ctx context.Context, r assent.Request, c assent.Call, bd assent.Bounds, d assent.Draft) (assent.Request, error) {
	if err := b.write(); err != nil {
		return assent.Request{}, err
	}
	return b.Store.Ask(ctx, r, c, bd, d)
}

func (b *broken) Spend(ctx context.Context, c assent.Case, call assent.Call, now time.Time, boot string, d assent.Draft) (assent.Grant, error) {
	if err := b.write(); err != nil {
		return assent.Grant{}, err
	}
	return b.Store.Spend(ctx, c, call, now, boot, d)
}

func TestLaw9NothingIsLetThroughBeforeItIsRecorded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		b := &broken{Store: mem.New(), left: rapid.IntRange(0, 6).Draw(t, "writes")}
		w := newWorld(engine.Options{Store: b, Default: silent(genDecision().Draw(t, "default"))})
		for range 4 {
			in := rapid.SampledFrom([]input{{Command: "ls"}, danger, {Facts: []string{"floor"}}}).Draw(t, "input")
			before := ok(b.Head(ctx))
			v, err := w.Handle(ctx, w.call("s", in))
			after := ok(b.Head(ctx))
			if err == nil && after.N == before.N {
				t.Fatalf("%v without a record", v)
			}
			if err != nil && v.Decision != assent.None {
				t.Fatalf("%v with error %v", v, err)
			}
			if err == nil && w.lastRecord(t).Decision != v.Decision {
				t.Fatalf("recorded %v, told %v", w.lastRecord(t), v)
			}
			if v.Request != "" && rapid.Bool().Draw(t, "answer") {
				_, _ = w.Answer(ctx, yes(v.Request))
			}
		}
	})
}
