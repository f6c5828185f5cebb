package config

// Clocks that jump: a yes ends by its uses and by its deadline, however the wall
// clock is set meanwhile.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/engine"
	"assent/store/mem"
)

// anybody takes every answer for the owner's.
type anybody struct{}

func (anybody) Identify(context.Context, assent.Proof, []byte) (assent.Identity, error) {
	return assent.Identity{Surface: "test", ID: "owner"}, nil
}

// jumpy is an engine as the zero file makes it, with a clock that can be set.
type jumpy struct {
	*engine.Engine
	at time.Time
	n  int
}

func newJumpy() *jumpy {
	j := &jumpy{at: at}
	o := Options(Zero(), assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"})
	o.Store, o.Roster, o.Now, o.Boot = mem.New(), anybody{}, func() time.Time { return j.at }, "boot-1"
	j.Engine = engine.New(o)
	return j
}

// push is one more call of the same risky command.
func (j *jumpy) push(t interface{ Fatal(...any) }) assent.Verdict {
	j.n++
	v, err := j.Handle(context.Background(), assent.Event{
		ID: fmt.Sprint("e", j.n), Call: fmt.Sprint("c", j.n), Name: assent.PreToolCall, Agent: "claude", Session: "s1",
		Principal: "uid:1", Dir: "/w", Tool: assent.ToolShell, Input: json.RawMessage(`{"command":"git push --force origin main"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (j *jumpy) approve(t interface{ Fatal(...any) }, request string, w assent.Width, uses int, length time.Duration) assent.Grant {
	a := assent.Answer{Request: request, Decision: assent.Allow, Width: w, Uses: uses, For: assent.Duration(length)}
	r, err := j.Answer(context.Background(), a)
	list, lerr := j.Store().Grants(context.Background(), assent.GrantFilter{})
	if err := errors.Join(err, lerr); err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		if g.ID == r.Grant {
			return g
		}
	}
	t.Fatal("no grant")
	return assent.Grant{}
}

func TestLaw5AClockThatJumpsGivesNobodyMoreUses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		j := newJumpy()
		uses := rapid.IntRange(1, 4).Draw(r, "uses")
		g := j.approve(r, j.push(r).Request, assent.ForTurns, uses, time.Hour)
		spent := 0
		for range rapid.IntRange(1, 12).Draw(r, "calls") {
			j.at = at.Add(time.Duration(rapid.IntRange(-90, 90).Draw(r, "minutes")) * time.Minute)
			v := j.push(r)
			if v.Decision != assent.Allow {
				continue
			}
			if spent++; v.Grant != g.ID || j.at.Before(g.From) || !j.at.Before(g.Until) {
				r.Fatalf("%s at %s by %+v", v.Grant, j.at, g)
			}
		}
		if spent > uses {
			r.Fatalf("%d of %d uses", spent, uses)
		}
	})
}

// A yes is not there before it was given, and what was revoked stays revoked.
func TestLaw6AClockSetBackBringsNothingBack(t *testing.T) {
	t.Parallel()
	j := newJumpy()
	g := j.approve(t, j.push(t).Request, assent.Once, 0, 0)
	j.at = at.Add(-time.Hour)
	if v := j.push(t); v.Decision != assent.Ask {
		t.Errorf("before it was given: %+v", v)
	}
	j.at = at.Add(5 * time.Minute)
	if v := j.push(t); v.Decision != assent.Allow || v.Grant != g.ID {
		t.Errorf("in its time: %+v", v)
	}
	j.at = at
	if v := j.push(t); v.Decision != assent.Ask {
		t.Errorf("once more: %+v", v)
	}

	g = j.approve(t, j.push(t).Request, assent.InSess, 0, 0)
	j.at = at.Add(time.Minute)
	if _, err := j.Revoke(context.Background(), assent.Revocation{Selection: assent.Selection{ID: g.ID}}); err != nil {
		t.Fatal(err)
	}
	for _, d := range []time.Duration{-time.Minute, 0, time.Second, time.Minute, time.Hour} {
		j.at = at.Add(d)
		if v := j.push(t); v.Decision != assent.Ask {
			t.Errorf("revoked, %s later: %+v", d, v)
		}
	}
}

// A request that ran out stays so, and nobody answers it any more.
func TestLaw12ARequestThatRanOutStaysSo(t *testing.T) {
	t.Parallel()
	j := newJumpy()
	request := j.push(t).Request
	j.at = at.Add(25 * time.Hour)
	if r, err := j.Request(context.Background(), request); err != nil || r.State != assent.Expired {
		t.Fatal(r.State, err)
	}
	j.at = at
	_, err := j.Answer(context.Background(), assent.Answer{Request: request, Decision: assent.Allow})
	if !errors.Is(err, assent.ErrSettled) {
		t.Error(err)
	}
}
