//go:build unix

package main

// Racing for one use while the server is killed, and while the racers are.

import (
	"syscall"
	"testing"
	"time"

	"assent"
)

// raceRounds is how many rounds run: all of them take minutes, so .ci/run asks for
// those, and a plain test runs a few.
func raceRounds(t *testing.T, few uint64) int {
	t.Helper()
	n := setting(t, "ASSENT_RACE_ROUNDS", few)
	t.Logf("%d rounds; ASSENT_RACE_ROUNDS=200 runs all of them", n)
	return int(n)
}

// Sixty-four processes race for one use, and in each round the server is killed at a
// random moment and started again: there is never more than one execution, and never
// one without its record.
func TestAdversarial01TwoHundredRoundsOfARaceWithKills(t *testing.T) {
	a := newArena(t)
	s := a.serve()
	a.enter()
	var all []round
	last := round{took: time.Second}
	kills := map[string]int{}
	for n := range raceRounds(t, 8) {
		r := round{n: n, grant: a.once(n)}
		_, open, end := a.stand(n)
		wait := a.aim(r, last)
		r.from = time.Now()
		open()
		wait()
		killed := time.Now()
		s.kill()
		time.Sleep(a.between(0, 50*time.Millisecond))
		s = a.serve()
		end()
		a.look(&r)
		kills[r.phase(killed)]++
		all, last = append(all, r), r
		if t.Failed() {
			break
		}
	}
	s.kill()
	a.sum(all)
	t.Logf("the server was killed %v", kills)
	a.reconcile()
}

// aim is how long to wait in a round before the server is killed: until any moment of
// it, until one before or around the use, or until soon after it. The last round says
// how long that may take.
func (a *arena) aim(r, last round) (wait func()) {
	early, any, late := a.between(0, 2*last.spent.Sub(last.from)), a.between(0, last.took), a.between(0, 12*time.Millisecond)
	switch r.n % 4 {
	case 0:
		return func() { time.Sleep(any) }
	case 1:
		return func() { time.Sleep(early) }
	}
	return func() {
		for end := time.Now().Add(last.took); !a.isSpent(r.grant) && time.Now().Before(end); {
			time.Sleep(200 * time.Microsecond)
		}
		time.Sleep(late)
	}
}

// isSpent reports whether the use of a grant has been spent.
func (a *arena) isSpent(id string) bool {
	all, err := a.log.Grants(a.Context(), assent.GrantFilter{Session: "s1"})
	return err == nil && len(all) > 0 && all[len(all)-1].ID == id && all[len(all)-1].Used > 0
}

// phase says when in a round something happened.
func (r round) phase(at time.Time) string {
	switch {
	case r.spent.IsZero() || at.Before(r.spent):
		return "before the use"
	case r.began.IsZero() || at.Before(r.began):
		return "between the use and the beginning"
	case r.over.IsZero() || at.Before(r.over):
		return "while it ran"
	}
	return "after the end"
}

// The same without a server: whoever has the lock is killed, and whoever waits for it.
func TestAdversarial01ARaceOnTheLockWithKills(t *testing.T) {
	a := newArena(t)
	a.enter()
	var all []round
	killed := 0
	for n := range max(1, raceRounds(t, 8)/2) {
		r := round{n: n, grant: a.once(n)}
		pids, open, end := a.stand(n)
		r.from = time.Now()
		open()
		for range a.rng.IntN(racers) {
			time.Sleep(a.between(0, 20*time.Millisecond))
			if syscall.Kill(pids[a.rng.IntN(racers)], syscall.SIGKILL) == nil {
				killed++
			}
		}
		end()
		a.look(&r)
		all = append(all, r)
		if t.Failed() {
			break
		}
	}
	a.sum(all)
	t.Logf("%d signals were sent", killed)
	a.reconcile()
}
