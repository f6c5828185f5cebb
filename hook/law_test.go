package hook_test

// The laws of the Dispatcher, with generated hooks.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/hook"
)

// gated is a case that hears a decision.
func gated() assent.Case {
	return assent.Case{Event: assent.Event{
		ID: "e1", Name: assent.PreToolCall, Agent: "plain", Session: "s", Tool: assent.ToolShell, Input: json.RawMessage(`{"command":"ls"}`),
	}}
}

func entry(id string, f func(ctx context.Context, c assent.Case) (assent.Reply, error)) hook.Entry {
	return hook.Entry{ID: id, Event: assent.PreToolCall, Call: f}
}

func says(r assent.Reply, err error) func(context.Context, assent.Case) (assent.Reply, error) {
	return func(context.Context, assent.Case) (assent.Reply, error) { return r, err }
}

// behaviours are all that a hook can do, and what it counts as for each OnError.
var behaviours = []struct {
	name string
	call func(context.Context, assent.Case) (assent.Reply, error)
	fail bool
	is   assent.Decision
}{
	{"none", says(assent.Reply{}, nil), false, assent.None},
	{"allow", says(assent.Reply{Decision: assent.Allow}, nil), false, assent.Allow},
	{"ask", says(assent.Reply{Decision: assent.Ask, Reason: "look"}, nil), false, assent.Ask},
	{"deny", says(assent.Reply{Decision: assent.Deny, Reason: "no"}, nil), false, assent.Deny},
	{"deny and fail", says(assent.Reply{Decision: assent.Deny, Reason: "no"}, errors.New("exit 1")), false, assent.Deny},
	{"allow and fail", says(assent.Reply{Decision: assent.Allow}, errors.New("exit 1")), true, assent.None},
	{"error", says(assent.Reply{}, errors.New("broken")), true, assent.None},
	{"panic", func(context.Context, assent.Case) (assent.Reply, error) { panic("boom") }, true, assent.None},
	{"nonsense", says(assent.Reply{Decision: 17}, nil), true, assent.None},
	{"bad rewrite", says(assent.Reply{Rewrite: json.RawMessage(`[1]`)}, nil), true, assent.None},
	{"hang", func(ctx context.Context, _ assent.Case) (assent.Reply, error) {
		<-ctx.Done()
		return assent.Reply{Decision: assent.Allow}, ctx.Err()
	}, true, assent.None},
	{"hang for ever", func(ctx context.Context, _ assent.Case) (assent.Reply, error) {
		<-ctx.Done()
		time.Sleep(time.Hour)
		return assent.Reply{Decision: assent.Allow}, nil
	}, true, assent.None},
}

var failsAs = map[hook.OnError]assent.Decision{"": assent.Ask, hook.FailAsk: assent.Ask, hook.FailDeny: assent.Deny, hook.FailIgnore: assent.None}

func TestEachVoiceCountsForWhatItIsAndFailureIsNeverAnAllow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		entries, want := drawn(rt)
		var r assent.Reply
		synctest.Test(t, func(t *testing.T) {
			r, _ = hook.New(hook.Options{}, entries...).Judge(t.Context(), gated())
			time.Sleep(2 * time.Hour) // a bubble ends with everything in it
		})
		if len(r.Parts) != len(entries) {
			rt.Fatalf("%d parts of %d", len(r.Parts), len(entries))
		}
		for i, p := range r.Parts {
			if p.By != entries[i].ID || p.Decision != want[i] || p.Decision != assent.None && p.Reason == "" {
				rt.Errorf("%d: %+v, want %s of %s, with a reason", i, p, want[i], entries[i].ID)
			}
		}
		v := assent.Fold(assent.Tiers{Said: []assent.Reply{r}})
		if strictest := slices.Max(want); v.Decision != strictest {
			rt.Errorf("the verdict is %s, the strictest %s", v.Decision, strictest)
		}
	})
}

// drawn are some hooks, and what each counts as.
func drawn(t *rapid.T) (entries []hook.Entry, want []assent.Decision) {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	for i := range n {
		b := behaviours[rapid.IntRange(0, len(behaviours)-1).Draw(t, "behaviour")]
		on := rapid.SampledFrom([]hook.OnError{"", hook.FailAsk, hook.FailDeny, hook.FailIgnore}).Draw(t, "on error")
		e := entry(fmt.Sprintf("h%d %s", i, b.name), b.call)
		e.OnError, e.Timeout = on, time.Minute
		entries = append(entries, e)
		if b.fail {
			want = append(want, failsAs[on])
		} else {
			want = append(want, b.is)
		}
	}
	return entries, want
}

// Whom a dispatcher names is whom it asks.
func TestTheConcernedAreThoseThatAreAsked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var entries []hook.Entry
		asked := map[string]bool{}
		var mu sync.Mutex
		for i := range rapid.IntRange(0, 8).Draw(t, "n") {
			m, _ := hook.Compile(rapid.SampledFrom([]string{"", "terminal", "Write", "mcp__house__Light.*", "mcp__house", "["}).Draw(t, "matcher"))
			e := entry(fmt.Sprint("h", i), nil)
			e.Call = func(context.Context, assent.Case) (assent.Reply, error) {
				mu.Lock()
				defer mu.Unlock()
				asked[e.ID] = true
				return assent.Reply{}, nil
			}
			e.Match, e.Event = m, rapid.SampledFrom([]string{assent.PreToolCall, assent.ConfigChange}).Draw(t, "event")
			e.Profile = rapid.SampledFrom([]string{"", "work"}).Draw(t, "profile")
			entries = append(entries, e)
		}
		c := gated()
		c.Tool = rapid.SampledFrom([]string{assent.ToolShell, assent.ToolWrite, "mcp/house/open_door", "mcp/house/LightOff"}).Draw(t, "tool")
		c.Profile = rapid.SampledFrom([]string{"", "work"}).Draw(t, "of")
		d := hook.New(hook.Options{}, entries...)
		if _, err := d.Judge(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		for _, e := range d.Concerned(c) {
			if !asked[e.ID] {
				t.Errorf("%s was not asked", e.ID)
			}
			delete(asked, e.ID)
		}
		if len(asked) > 0 {
			t.Errorf("asked besides: %v", asked)
		}
	})
}

// What people and agents are told does not end in the name of an error's class.
func TestTheClassOfAnErrorIsNotTold(t *testing.T) {
	t.Parallel()
	bad := fmt.Errorf("it is no object: %w", assent.ErrInvalid)
	for _, reply := range []assent.Reply{{}, {Fault: bad.Error()}, {Fault: bad.Error() + "; more"}, {Decision: assent.Deny, Reason: "no", Fault: bad.Error()}} {
		for _, err := range []error{bad, nil} {
			r, _ := hook.New(hook.Options{}, entry("h", says(reply, err))).Judge(t.Context(), gated())
			if p := r.Parts[0]; strings.Contains(p.Reason+p.Fault, assent.ErrInvalid.Error()) {
				t.Errorf("%+v", p)
			}
		}
	}
}

// A hook's yes never answers for what the agent may do, nor for what would run later.
func TestAllowDoesNotReachProtectedFacts(t *testing.T) {
	t.Parallel()
	d := hook.New(hook.Options{}, entry("yes", says(assent.Reply{Decision: assent.Allow}, nil)))
	for _, code := range []string{"agent.config", "persist", "gate.self", "gate.off"} {
		c := gated()
		c.Findings = []assent.Finding{{Code: code}}
		if r, _ := d.Judge(t.Context(), c); r.Parts[0].Decision != assent.None || r.Parts[0].Fault == "" {
			t.Errorf("%s: %+v", code, r.Parts[0])
		}
	}
}

func TestWhatIsFoldedIsInTheOrderOfRegistration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var entries []hook.Entry
		for i := range 20 {
			entries = append(entries, entry(fmt.Sprint(i), func(ctx context.Context, _ assent.Case) (assent.Reply, error) {
				time.Sleep(time.Duration(20-i) * time.Second) // the last is the fastest
				return assent.Reply{Context: fmt.Sprint(i), Rewrite: json.RawMessage(fmt.Sprintf(`{"command":"%d","k%d":1}`, i, i))}, nil
			}))
		}
		r, _ := hook.New(hook.Options{Parallel: 3}, entries...).Judge(t.Context(), gated())
		if want := "0\n\n1\n\n2"; r.Context[:len(want)] != want {
			t.Errorf("the context is %q", r.Context)
		}
		var in map[string]any
		if json.Unmarshal(r.Rewrite, &in) != nil || in["command"] != "19" || len(in) != 21 {
			t.Errorf("the new input is %s", r.Rewrite)
		}
	})
}

func TestNoMoreThanTheBoundRunAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var entries []hook.Entry
		for i := range 30 {
			entries = append(entries, entry(fmt.Sprint(i), func(context.Context, assent.Case) (assent.Reply, error) {
				if n := now.Add(1); n > most.Load() {
					most.Store(n)
				}
				time.Sleep(time.Second)
				now.Add(-1)
				return assent.Reply{}, nil
			}))
		}
		d := hook.New(hook.Options{Parallel: 4}, entries...)
		began := time.Now()
		_, _ = d.Judge(t.Context(), gated())
		if most.Load() > 4 || time.Since(began) > d.Limit(assent.PreToolCall) {
			t.Errorf("%d at once, %s of %s", most.Load(), time.Since(began), d.Limit(assent.PreToolCall))
		}
	})
}

// What hangs is given up, and an entry of which too much hangs is not called again
// until it lets go.
func TestAnEntryThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		e := entry("hangs", func(context.Context, assent.Case) (assent.Reply, error) {
			calls.Add(1)
			time.Sleep(time.Hour)
			return assent.Reply{Decision: assent.Allow}, nil
		})
		e.Timeout = time.Second
		d := hook.New(hook.Options{}, e)
		for range 10 {
			if r, _ := d.Judge(t.Context(), gated()); r.Parts[0].Decision != assent.Ask {
				t.Errorf("%+v", r.Parts[0])
			}
		}
		if n := calls.Load(); n != 3 {
			t.Errorf("it was called %d times", n)
		}
		time.Sleep(2 * time.Hour)
		if _, _ = d.Judge(t.Context(), gated()); calls.Load() != 4 {
			t.Errorf("it was called %d times after it let go", calls.Load())
		}
		time.Sleep(2 * time.Hour) // a bubble ends with everything in it
	})
}

// Calls that have not been given up are no reason not to call it again, however many
// there are.
func TestManyCallsOfOneEntryRunAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := hook.New(hook.Options{}, entry("slow", func(context.Context, assent.Case) (assent.Reply, error) {
			time.Sleep(time.Second)
			return assent.Reply{Decision: assent.Allow}, nil
		}))
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				if r, _ := d.Judge(t.Context(), gated()); r.Parts[0].Decision != assent.Allow || r.Parts[0].Took != assent.Duration(time.Second) {
					t.Errorf("%+v", r.Parts[0])
				}
			})
		}
		all.Wait()
	})
}

// Those that watch are told in order, never hold anybody up, and what is too much for
// them is dropped and counted.
func TestWatchersAreNeverInTheWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var slow, fast []string
		watch := func(into *[]string, d time.Duration) func(context.Context, assent.Case) (assent.Reply, error) {
			return func(_ context.Context, c assent.Case) (assent.Reply, error) {
				time.Sleep(d)
				mu.Lock()
				defer mu.Unlock()
				*into = append(*into, c.ID)
				return assent.Reply{Decision: assent.Deny}, nil // nobody hears it
			}
		}
		d := hook.New(hook.Options{Queue: 5},
			hook.Func(assent.PostToolCall, "slow", watch(&slow, time.Second)),
			hook.Func(assent.PostToolCall, "fast", watch(&fast, 0)),
			hook.Func(assent.PostToolCall, "panics", func(context.Context, assent.Case) (assent.Reply, error) { panic("boom") }))
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- d.Run(ctx, time.Minute) }()
		began := time.Now()
		for i := range 100 {
			c := assent.Case{Event: assent.Event{ID: fmt.Sprint(i), Name: assent.PostToolCall}}
			if r, err := d.Judge(t.Context(), c); err != nil || len(r.Parts) > 0 {
				t.Errorf("%+v, %v", r, err)
			}
			synctest.Wait()
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the agent waited for %s", took)
		}
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
		if len(fast) != 100 || !slices.IsSortedFunc(fast, byNumber) || !slices.IsSortedFunc(slow, byNumber) {
			t.Errorf("told: %v; %v", fast, slow)
		}
		stats := d.Stats()
		if s := stats[0]; s.Calls+s.Dropped != 100 || s.Dropped == 0 || s.Calls != len(slow) {
			t.Errorf("%+v", s)
		}
		if s := stats[2]; s.Failed != 100 || s.Fault == "" {
			t.Errorf("%+v", s)
		}
	})
}

func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func TestManyEventsAtOnceAreToldInOrder(t *testing.T) {
	t.Parallel()
	var got []string
	e := hook.Entry{ID: "many", Event: assent.PostToolCall, Many: func(_ context.Context, cs []assent.Case) error {
		for _, c := range cs {
			got = append(got, c.ID)
		}
		return nil
	}}
	d := hook.New(hook.Options{}, e)
	for i := range 1000 {
		_, _ = d.Judge(t.Context(), assent.Case{Event: assent.Event{ID: fmt.Sprint(i), Name: assent.PostToolCall}})
	}
	if err := d.Drain(t.Context(), time.Minute); err != nil || len(got) != 1000 || !slices.IsSortedFunc(got, byNumber) {
		t.Errorf("%d, %v", len(got), err)
	}
	if s := d.Stats()[0]; s.Calls != 1000 {
		t.Errorf("%+v", s)
	}
}

// Other entries from the next event on; what stays keeps its count.
func TestUseReplacesEntries(t *testing.T) {
	t.Parallel()
	one, two := entry("one", says(assent.Reply{}, nil)), entry("two", says(assent.Reply{Decision: assent.Deny, Reason: "no"}, nil))
	d := hook.New(hook.Options{}, one)
	_, _ = d.Judge(t.Context(), gated())
	d.Use([]hook.Entry{one, two})
	r, _ := d.Judge(t.Context(), gated())
	if s := d.Stats(); len(r.Parts) != 2 || s[0].Calls != 2 || s[1].Calls != 1 {
		t.Errorf("%+v %+v", r, s)
	}
}
