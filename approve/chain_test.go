package approve

// The chain: who decides, and what a failure shuts.

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assent"
)

// voice is an approver that always says the same.
type voice struct {
	name   string
	advice assent.Advice
	err    error
	asked  *int
}

func (v voice) Name() assent.Identity { return assent.Identity{Surface: "test", ID: v.name} }

func (v voice) Approve(context.Context, assent.Request) (assent.Advice, error) {
	if v.asked != nil {
		*v.asked++
	}
	return v.advice, v.err
}

func TestTheFirstThatDecidesDecides(t *testing.T) {
	t.Parallel()
	yes := voice{name: "yes", advice: assent.Advice{Decision: assent.Allow, Width: assent.Once, Took: 2}}
	no := voice{name: "no", advice: assent.Advice{Decision: assent.Deny, Reason: "never", Took: 3}}
	open := voice{name: "open", advice: assent.Advice{Decision: assent.Ask, Reason: "unclear", Took: 4}}
	noisy := voice{name: "noisy", advice: assent.Advice{Decision: assent.Allow, Fault: "line 1 is not JSON"}}
	broken := voice{name: "broken", advice: assent.Advice{Decision: assent.Ask, Fault: "no answer", Exit: 7}}
	failing := voice{name: "failing", err: errors.New("gone")}
	for name, c := range map[string]struct {
		chain    Chain
		decision assent.Decision
		by       string
		reason   string
		fault    string
	}{
		"nobody":                          {nil, assent.Ask, "approvers:", "", ""},
		"yes":                             {Chain{yes, no}, assent.Allow, "test:yes", "", ""},
		"no":                              {Chain{no, yes}, assent.Deny, "test:no", "test:no: never", ""},
		"open, then yes":                  {Chain{open, yes}, assent.Allow, "test:yes", "test:open: unclear", ""},
		"open, then no":                   {Chain{open, no}, assent.Deny, "test:no", "test:open: unclear; test:no: never", ""},
		"open twice":                      {Chain{open, open}, assent.Ask, "approvers:test:open+test:open", "test:open: unclear; test:open: unclear", ""},
		"a yes with something to warn of": {Chain{noisy}, assent.Allow, "test:noisy", "", "line 1 is not JSON"},
		"broken, then yes":                {Chain{broken, yes}, assent.Ask, "approvers:test:broken+test:yes", "", "no answer"},
		"failing, then yes":               {Chain{failing, yes}, assent.Ask, "approvers:test:failing+test:yes", "", "gone"},
		"broken, then no":                 {Chain{broken, no}, assent.Deny, "test:no", "test:no: never", "no answer"},
	} {
		a, err := c.chain.Approve(t.Context(), asked("ls"))
		if err != nil || a.Decision != c.decision || a.By.String() != c.by || a.Reason != c.reason || a.Fault != c.fault || !a.Done {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if strings.HasPrefix(name, "broken") && a.Exit != 7 {
			t.Errorf("%s: exit %d", name, a.Exit)
		}
	}
	if a, _ := (Chain{open, open, yes}).Approve(t.Context(), asked("ls")); a.Took != 10 {
		t.Errorf("it took %d in all", a.Took)
	}
}

func TestNobodyIsAskedOnceItIsDecided(t *testing.T) {
	t.Parallel()
	asks := 0
	later := voice{name: "later", asked: &asks}
	for _, d := range []assent.Decision{assent.Allow, assent.Deny} {
		_, _ = Chain{voice{advice: assent.Advice{Decision: d}}, later}.Approve(t.Context(), asked("ls"))
	}
	if asks != 0 {
		t.Errorf("asked %d times", asks)
	}
}
