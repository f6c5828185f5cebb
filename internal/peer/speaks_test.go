package peer

// Laws of Speaks and Within, over generated worlds of processes.

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
)

// claim is one process that has spoken for a session.
func claim(id string, at int, p assent.Process) assent.Session {
	return assent.Session{ID: id, Agent: "claude", Process: p, Started: time.Unix(int64(at), 0)}
}

// drawClaims are sessions, each claimed by some processes in turn.
func drawClaims(t *rapid.T, pl planet) (all []assent.Session) {
	for at := range rapid.IntRange(0, 12).Draw(t, "claims") {
		id := rapid.SampledFrom([]string{"s1", "s2", "s2/a", "s3"}).Draw(t, "session")
		p := pl.any(t, "claimant").Process
		if slices.ContainsFunc(all, func(s assent.Session) bool { return s.ID == id && s.Process == p }) {
			continue // a store lists it once
		}
		s := claim(id, at, p)
		if rapid.IntRange(0, 4).Draw(t, "ended") == 0 {
			s.Ended = time.Unix(99, 0)
		}
		all = append(all, s)
	}
	return all
}

// owners is the oracle: to which process each session belongs, where none has died.
func owners(all []assent.Session) map[string]int {
	of := map[string]int{}
	for _, s := range all {
		if _, ok := of[s.ID]; !ok && s.Ended.IsZero() {
			of[s.ID] = s.Process.PID
		}
	}
	return of
}

func TestAProcessSpeaksForTheNearestItDescendsFromAndForNobodyElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		all, p := drawClaims(t, pl), pl.any(t, "peer")
		got := pl.world().speaks(p.Process, all)
		var want []string
		of := owners(all)
		for _, up := range pl.line(p.PID) {
			for id, owner := range of {
				if owner == up {
					want = append(want, id)
				}
			}
			if want != nil {
				break
			}
		}
		slices.Sort(want)
		sorted := slices.Sorted(slices.Values(got))
		if !slices.Equal(sorted, want) {
			t.Fatalf("%d of %v speaks for %v, want %v: %+v", p.PID, pl.line(p.PID), got, want, all)
		}
	})
}

func TestWhatIsOnlySharedSpeaksForNobody(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		a, p := rapid.IntRange(1, len(pl.procs)).Draw(t, "agent"), rapid.IntRange(1, len(pl.procs)).Draw(t, "peer")
		if slices.Contains(pl.line(p), a) {
			t.Skip("a descendant")
		}
		agent, peer := &pl.procs[a-1], &pl.procs[p-1]
		peer.SID, peer.Group, peer.TTY, agent.TTY = agent.SID, agent.Group, 7, 7
		pl.env[p] = []string{"CLAUDECODE=1", "ASSENT_AGENT_SESSION=s"}
		if got := pl.world().speaks(peer.Process, session(agent.Process)); got != nil {
			t.Fatalf("%v", got)
		}
		if pl.world().within(peer.Process, agent.Process) {
			t.Fatal("it is within")
		}
	})
}

func TestWhoClaimsASessionOfAnotherHasNothingOfIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		owner, thief := pl.any(t, "owner"), pl.any(t, "thief")
		if owner.PID == thief.PID || slices.Contains(pl.line(thief.PID), owner.PID) {
			t.Skip("it may")
		}
		all := []assent.Session{claim("s", 1, owner.Process), claim("s", 2, thief.Process)}
		if got := pl.world().speaks(thief.Process, all); got != nil {
			t.Fatalf("the thief speaks for %v", got)
		}
		if got := pl.world().speaks(owner.Process, all); !slices.Equal(got, []string{"s"}) {
			t.Fatalf("the owner speaks for %v", got)
		}
		// Taking it up again, once nobody is left that had it, is how agents resume.
		all[0].Process.Start++
		if got := pl.world().speaks(thief.Process, all); !slices.Equal(got, []string{"s"}) {
			t.Fatalf("who resumes speaks for %v", got)
		}
	})
}

// Whoever puts a row in for itself gains nothing by it, takes nothing from others, and
// answers no more than it did.
func TestWhatIsDoubtfulIsOfTheOneThatAsksAndOfNobodyThatHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		all, p := drawClaims(t, pl), pl.any(t, "peer").Process
		believed := slices.Clone(all)
		for i := range all {
			all[i].Doubtful = rapid.Bool().Draw(t, "doubtful")
		}
		sure := slices.DeleteFunc(slices.Clone(all), func(s assent.Session) bool { return s.Doubtful })
		w := pl.world()
		if got, want := w.speaks(p, all), w.speaks(p, sure); !slices.Equal(got, want) {
			t.Fatalf("%d speaks for %v, want %v: %+v", p.PID, got, want, all)
		}
		if got, want := w.lead(p, all), w.lead(p, believed); got != want {
			t.Fatalf("%d leads to %q, want %q: %+v", p.PID, got, want, all)
		}
	})
}

func TestTheDeadSpeakForNobodyAndNobodyForTheDead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		p := pl.any(t, "peer").Process
		dead := p
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			dead.Start++
		case 1:
			dead.Boot = "b0"
		case 2:
			dead.PID = len(pl.procs) + 7
		}
		if got := pl.world().speaks(dead, session(dead)); got != nil {
			t.Fatalf("the dead %+v: %v", dead, got)
		}
		if got := pl.world().speaks(p, session(dead)); got != nil {
			t.Fatalf("for the dead %+v: %v", dead, got)
		}
		if pl.world().within(p, dead) || pl.world().within(dead, p) {
			t.Fatal("the dead are within")
		}
	})
}

func TestTheNewestSessionIsNamedFirst(t *testing.T) {
	t.Parallel()
	pl := planet{procs: []entry{{Process: assent.Process{PID: 1, Start: 1, Boot: "b1"}}}}
	p := pl.procs[0].Process
	all := []assent.Session{claim("s1", 1, p), claim("s2", 2, p), claim("", 3, p), claim("s2/a", 3, p)}
	if got := fmt.Sprint(pl.world().speaks(p, all)); got != "[s2/a s2 s1]" {
		t.Fatal(got)
	}
}

func TestWithinFollowsDescentAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		root, p := pl.any(t, "root"), pl.any(t, "peer")
		if got, want := pl.world().within(p.Process, root.Process), slices.Contains(pl.line(p.PID), root.PID); got != want {
			t.Fatalf("%d within %d: %v", p.PID, root.PID, got)
		}
	})
}

func BenchmarkSpeaks(b *testing.B) {
	var all []assent.Session
	for i := range 1000 { // sessions of this boot that have ended, or whose process has
		all = append(all, claim(fmt.Sprint(i), i, assent.Process{PID: 1 << 29, Start: uint64(i)}))
	}
	self := Self()
	for b.Loop() {
		Speaks(self, all)
	}
}
