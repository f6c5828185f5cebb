package peer

// Laws of Lead and AgentProcess, over generated worlds of processes.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

// planet is a generated world: process i+1 has a parent with a lower number.
type planet struct {
	procs []entry
	env   map[int][]string
}

func (p planet) world() world {
	return world{
		look: func(pid int) (entry, error) {
			if pid < 1 || pid > len(p.procs) || p.procs[pid-1].PID == 0 {
				return entry{}, noProcess(pid)
			}
			return p.procs[pid-1], nil
		},
		environ: func(pid int) []string { return p.env[pid] },
		boot:    "b1",
	}
}

// drawPlanet makes processes that share nothing but their line of parents.
func drawPlanet(t *rapid.T) planet {
	n := rapid.IntRange(1, 40).Draw(t, "processes")
	pl := planet{env: map[int][]string{}}
	for pid := 1; pid <= n; pid++ {
		e := entry{parent: rapid.IntRange(0, pid-1).Draw(t, "parent")}
		e.PID, e.Start, e.Boot = pid, uint64(100+pid), "b1"
		e.SID, e.Group, e.TTY = 1000+pid, 2000+pid, 0
		pl.procs = append(pl.procs, e)
	}
	return pl
}

func (p planet) any(t *rapid.T, label string) entry {
	return p.procs[rapid.IntRange(1, len(p.procs)).Draw(t, label)-1]
}

// line is the oracle: the numbers from pid up to the root.
func (p planet) line(pid int) []int {
	var up []int
	for ; pid > 0; pid = p.procs[pid-1].parent {
		up = append(up, pid)
	}
	return up
}

func session(p assent.Process) []assent.Session {
	return []assent.Session{{ID: "s", Agent: "claude", Process: p}}
}

func TestLeadFindsExactlyTheAgentAndItsDescendants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		agent, p := pl.any(t, "agent"), pl.any(t, "peer")
		how := pl.world().lead(p.Process, session(agent.Process))
		want := slices.Contains(pl.line(p.PID), agent.PID)
		if (how != "") != want {
			t.Fatalf("peer %d, agent %d: %q, want found=%v", p.PID, agent.PID, how, want)
		}
		if want && !strings.HasSuffix(how, fmt.Sprintf("claude, process %d", agent.PID)) {
			t.Fatalf("%q does not name the agent", how)
		}
	})
}

func TestLeadFindsWhatIsSharedWithALivingAgent(t *testing.T) {
	t.Parallel()
	share := map[string]func(a, p *entry){
		"in the same session as":  func(a, p *entry) { p.SID = a.SID },
		"in the process group of": func(a, p *entry) { p.Group = a.Group },
		"on the terminal of":      func(a, p *entry) { a.TTY, p.TTY = 34817, 34817 },
	}
	for words, do := range share {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				pl := drawPlanet(t)
				a := rapid.IntRange(1, len(pl.procs)).Draw(t, "agent")
				p := rapid.IntRange(1, len(pl.procs)).Draw(t, "peer")
				if slices.Contains(pl.line(p), a) {
					t.Skip("a descendant")
				}
				do(&pl.procs[a-1], &pl.procs[p-1])
				how := pl.world().lead(pl.procs[p-1].Process, session(pl.procs[a-1].Process))
				if !strings.HasPrefix(how, words) {
					t.Fatalf("%q, want %q…", how, words)
				}
			})
		})
	}
}

func TestNothingIsSharedThroughZero(t *testing.T) {
	t.Parallel()
	pl := planet{procs: []entry{{Process: assent.Process{PID: 1, Start: 1}}, {Process: assent.Process{PID: 2, Start: 2}}}}
	if how := pl.world().lead(pl.procs[1].Process, session(pl.procs[0].Process)); how != "" {
		t.Fatalf("two processes without session, group and terminal: %q", how)
	}
}

func TestAnAgentThatNoLongerLivesDoesNotCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		p := pl.any(t, "peer")
		agent := pl.any(t, "agent").Process
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			agent.Start++ // the number was given to another process
		case 1:
			agent.Boot = "b0"
		case 2:
			agent.PID = len(pl.procs) + 7
		}
		if how := pl.world().lead(p.Process, session(agent)); how != "" {
			t.Fatalf("dead agent %+v: %q", agent, how)
		}
	})
}

func TestAnInheritedMarkerLeadsToAnAgent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pl := drawPlanet(t)
		p, carrier := pl.any(t, "peer"), pl.any(t, "carrier")
		m := rapid.SampledFrom(Markers).Draw(t, "marker")
		value := rapid.SampledFrom([]string{"", "1", "x=y"}).Draw(t, "value")
		pl.env[carrier.PID] = []string{"HOME=/h", m.Name + "=" + value, "X" + m.Name + "=1"}
		how := pl.world().lead(p.Process, nil)
		want := value != "" && slices.Contains(pl.line(p.PID), carrier.PID)
		if (how != "") != want || want && !strings.Contains(how, m.Name) {
			t.Fatalf("%q, want found=%v", how, want)
		}
	})
}

func TestAncestorsNeverTrustAYoungerParent(t *testing.T) {
	t.Parallel()
	pl := planet{procs: []entry{
		{Process: assent.Process{PID: 1, Start: 900}},
		{Process: assent.Process{PID: 2, Start: 5}, parent: 1}, // 1 was given away since
	}}
	if up := pl.world().ancestors(pl.procs[1]); len(up) != 0 {
		t.Fatalf("ancestors %+v", up)
	}
	loop := planet{procs: []entry{{Process: assent.Process{PID: 1, Start: 5}, parent: 2}, {Process: assent.Process{PID: 2, Start: 5}, parent: 1}}}
	if up := loop.world().ancestors(loop.procs[0]); len(up) > maxLine {
		t.Fatalf("%d ancestors of a loop", len(up))
	}
}

func TestAgentProcess(t *testing.T) {
	t.Parallel()
	at := func(pid, parent, sid, tty int) entry {
		return entry{Process: assent.Process{PID: pid, Start: uint64(pid), SID: sid, TTY: tty}, parent: parent}
	}
	// 1 init, 2 a person's shell, 3 the agent, 4 a wrapper, 5 the hook; 6 run by
	// hand; 7 a service manager, 8 a service that asks by itself, 9 an agent
	// without a terminal, 10 its hook; 11 a child of init.
	pl := planet{procs: []entry{
		at(1, 0, 1, 0), at(2, 1, 2, 7), at(3, 2, 2, 7), at(4, 3, 2, 7), at(5, 4, 2, 7), at(6, 2, 2, 7),
		at(7, 1, 7, 0), at(8, 7, 8, 0), at(9, 8, 9, 0), at(10, 9, 9, 0), at(11, 1, 11, 0),
	}}
	for _, c := range []struct{ hook, hint, want int }{
		{5, 3, 3}, {5, 0, 4}, {5, 99, 4}, {4, 0, 3}, {5, 1, 1}, {5, 5, 5}, {3, 0, 0}, {6, 0, 0}, {6, 2, 2}, {1, 0, 0},
		{8, 0, 0}, {8, 7, 7}, {10, 0, 9}, {11, 0, 0}, {11, 1, 1},
	} {
		got, ok := pl.world().agentProcess(pl.procs[c.hook-1].Process, c.hint)
		if got.PID != c.want || ok != (c.want != 0) {
			t.Errorf("hook %d, hint %d: %d %v, want %d", c.hook, c.hint, got.PID, ok, c.want)
		}
	}
	// 12 a shell by which the agent 3 starts its hook 13, and one more, 14 and 15; 16 a
	// script that a person runs, and its hook 17; 18 a shell under init, its hook 19.
	named := func(e entry, name string) entry { e.name = name; return e }
	pl.procs = append(pl.procs, named(at(12, 3, 2, 7), "sh"), at(13, 12, 2, 7), named(at(14, 12, 2, 7), "bash"), at(15, 14, 2, 7),
		named(at(16, 2, 2, 7), "sh"), at(17, 16, 2, 7), named(at(18, 1, 18, 0), "sh"), at(19, 18, 18, 0))
	for _, c := range []struct{ hook, hint, want int }{{13, 0, 3}, {15, 0, 3}, {15, 14, 14}, {13, 99, 3}, {17, 0, 16}, {19, 0, 0}} {
		got, ok := pl.world().agentProcess(pl.procs[c.hook-1].Process, c.hint)
		if got.PID != c.want || ok != (c.want != 0) {
			t.Errorf("hook %d, hint %d: %d %v, want %d", c.hook, c.hint, got.PID, ok, c.want)
		}
	}
	gone := pl.procs[4].Process
	gone.Start++
	if p, ok := pl.world().agentProcess(gone, 3); ok {
		t.Errorf("a hook that is gone has agent %+v", p)
	}
}
