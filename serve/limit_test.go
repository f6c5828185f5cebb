package serve

// The doors' small memories keep what lives, and no more than they may.

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/internal/peer"
)

func TestWhoAskedIsRememberedAsLongAsItLives(t *testing.T) {
	t.Parallel()
	var a agents
	self := peer.Self()
	if err := a.add(self, "plain"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxAgents { // hooks that come and go
		dead := self
		dead.Start += uint64(1 + i)
		if err := a.add(dead, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(a.all()); n > 100 {
		t.Errorf("%d are remembered, one lives", n)
	}
	if s, ok := a.list[self]; !ok || s.Agent != "plain" {
		t.Error("who lives was forgotten")
	}
	if err := a.add(assent.Process{}, "plain"); err != nil || len(a.list) > 100 {
		t.Error(err)
	}
}

// Who is known as an agent answers nothing, not even by key; who only had people asked
// does by key. So the first is never forgotten for the second.
func TestAnAgentThatHasPeopleAskedRemainsAnAgent(t *testing.T) {
	t.Parallel()
	var a agents
	self := peer.Self()
	for _, agent := range []string{assent.AgentBroker, "plain", assent.AgentBroker} {
		if err := a.add(self, agent); err != nil {
			t.Fatal(err)
		}
	}
	if got := peer.Stand(self, a.all()); got.Agent == "" || got.Asker != "" {
		t.Errorf("%+v", got)
	}
}

func TestTooManyLivingAgentsAreTurnedAway(t *testing.T) {
	t.Parallel()
	a := agents{list: map[assent.Process]assent.Session{}}
	self := peer.Self()
	for i := range maxAgents { // all of them live: Lives looks at number, start and boot
		p := self
		p.TTY = i + 1
		a.list[p] = assent.Session{Process: p}
	}
	p := self
	p.TTY = -1
	if err := a.add(p, "plain"); !errors.Is(err, assent.ErrFull) {
		t.Fatal(err)
	}
	p.TTY = 1
	if err := a.add(p, "plain"); err != nil {
		t.Fatalf("one that is known: %v", err)
	}
}

func TestALimiterLetsAFewPassInEachMinute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var l limiter
		now, passed := time.Unix(1e9, 0), []time.Time{}
		for range rapid.IntRange(1, 300).Draw(t, "tries") {
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "ms")) * time.Millisecond)
			if l.pass(now) {
				passed = append(passed, now)
			}
		}
		for i := 2 * refusalsAMinute; i < len(passed); i++ {
			if d := passed[i].Sub(passed[i-2*refusalsAMinute]); d < time.Minute {
				t.Fatalf("%d passed within %v", 2*refusalsAMinute+1, d)
			}
		}
		if len(passed) == 0 {
			t.Fatal("nothing passed")
		}
	})
}

func TestAGaugeCountsAnewAfterAChange(t *testing.T) {
	t.Parallel()
	var g gauge
	c := make(chan struct{})
	changed := func() <-chan struct{} { return c }
	n := 0
	count := func() (int, error) { n++; return n, nil }
	for _, want := range []int{1, 1, 1} {
		if got, err := g.read(changed, count); got != want || err != nil {
			t.Fatal(got, err)
		}
	}
	close(c)
	c = make(chan struct{})
	for _, want := range []int{2, 2} {
		if got, err := g.read(changed, count); got != want || err != nil {
			t.Fatal(got, err)
		}
	}
	close(c)
	c = make(chan struct{})
	bad := errors.New("bad")
	if _, err := g.read(changed, func() (int, error) { return 0, bad }); !errors.Is(err, bad) {
		t.Fatal(err)
	}
	if got, err := g.read(changed, count); got != 3 || err != nil {
		t.Fatal("a count that failed was kept:", got, err)
	}
}
