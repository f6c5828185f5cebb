package main

// What nothing in these modes prevents, for who does it is the same user and has left its
// agent behind: the laws here say what is to be seen of it, and each is a line of
// docs/threats.md. Where one of these is refused one day, change both.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/internal/peer"
	"assent/internal/seal"
	"assent/store/sqlite"
)

// A helper that was started before anything was asked, in a session of its own, with an
// environment of its own, and with a terminal that it opened or with the key. What it
// leaves is an answer that the person did not give, and which process that was, under the
// home's signature.
func TestAdversarial04ByAHelperThatShedsEverything(t *testing.T) {
	for name, x := range map[string]struct{ on, with string }{
		"a terminal of its own": {"pty", ""},
		"the key":               {"setsid", " --key .assent/me.key"},
	} {
		t.Run(name, func(t *testing.T) {
			notUnderAnAgent(t)
			withAndWithoutServer(t, func(g *gate) {
				g.key()
				a := g.idle()
				a.does("attacker orphan helper " + x.on + " env -i PATH=$PATH HOME=$HOME sh -c 'until test -e go; do sleep 0.01; done; exec assent approve 1" + x.with + "'")
				a.asks()
				a.does("touch go")
				if s := a.ended(a.dir + "/helper"); s.code != 0 {
					t.Fatal(s)
				}
				a.passesOnce()
				a.seen(x.with != "")
			}, "approvals: {wait: 0}")
		})
	}
}

// passesOnce checks that a call passes, and the next does not.
func (a *rogue) passesOnce() {
	a.Helper()
	if decision, tell := a.asks(); decision != "allow" {
		a.Errorf("this is refused now: %s", tell)
	}
	a.stopped()
	a.must("log", "verify")
}

// seen checks that the log has who answered: the person, as far as that was proved, and
// the process that was taken for one, under the home's signature.
func (a *rogue) seen(key bool) {
	a.Helper()
	for _, line := range strings.Split(strings.TrimSpace(a.must("log", "--json")), "\n") {
		var l struct{ Record assent.Record }
		a.try(json.Unmarshal([]byte(line), &l))
		if l.Record.Kind != assent.KindAnswer {
			continue
		}
		var said assent.Answer
		a.try(json.Unmarshal(l.Record.Data, &said))
		p := said.Proof.Peer
		switch {
		case len(l.Record.Sig) == 0 || p == nil || p.PID == 0 || p.Start == 0 || p.SID == 0 || p.Boot != peer.BootID() || p.Agent != "":
			a.Errorf("who answered is not recorded: %s", line)
		case len(p.Line) < 2 || p.Line[0] != fmt.Sprintf("%d %s", p.PID, filepath.Join(bin, "assent")) || !strings.Contains(p.Line[1], bin+"/attacker"):
			a.Errorf("what ran there, and who started it, is not recorded: %q", p.Line)
		case key != (len(said.Proof.Signature) > 0) || key != (p.TTY == 0):
			a.Errorf("by what it was believed is not recorded: %s", line)
		}
		return
	}
	a.Error("no answer is recorded")
}

// The first approver key of a home has nobody to vouch for it. Where a person has made
// none, who sheds every sign can: the log has it, by the process that it was.
func TestAdversarial04ByTheFirstKey(t *testing.T) {
	attack(t, func(a *rogue) {
		a.refused(a.does("attacker pty assent keys create --name mine --out mine.key"), exitForbidden, never)
		if s := a.orphan("setsid", "assent keys create --name mine --out mine.key"); s.code != 0 {
			t.Fatal("this is refused now: say so in docs/threats.md", s)
		}
		if s := a.orphan("setsid", "assent approve 1 --key mine.key"); s.code != 0 {
			t.Fatal("this is refused now: say so in docs/threats.md", s)
		}
		if out := a.must("log"); !strings.Contains(out, "by process:") || !strings.Contains(out, " of uid ") {
			t.Errorf("the log does not say which process made it: %s", out)
		}
		a.passesOnce()
		if s := a.orphan("setsid", "assent keys create --name second"); s.code != exitForbidden {
			t.Error("and a second", s)
		}
	})
}

// Whoever has read the home's key is the home: what it signs counts, and the log is
// whole. At a hook, reading it is denied.
func TestAdversarial04ByTheHomesOwnKey(t *testing.T) {
	attack(t, func(a *rogue) {
		r := a.pending()[0]
		s, err := sqlite.Open(t.Context(), a.path("assent.db"), sqlite.Options{Witness: seal.Open(a.path("assent.key"))})
		a.try(err)
		defer s.Close()
		now := time.Now()
		g := assent.Grant{
			Request: r.ID, Width: assent.Once, Scope: assent.Scope{Digest: r.Digest, Session: "s1", Uses: 1},
			By: assent.Identity{Surface: "terminal", ID: "uid:0"}, From: now, Until: now.Add(time.Minute),
		}
		settled := assent.Settlement{
			Request: r.ID, State: assent.Approved, Grant: &g, At: now,
			Answer: &assent.Answer{Request: r.ID, Decision: assent.Allow, By: g.By, At: now},
		}
		_, _, err = s.Settle(t.Context(), settled, assent.Draft{Record: assent.Record{
			At: now, Kind: assent.KindAnswer, Decision: assent.Allow, Request: r.ID, By: g.By.String(), Seal: g.Seal(),
		}})
		a.try(err)
		a.passesOnce()
	})
}
