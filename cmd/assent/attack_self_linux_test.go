package main

// An agent that answers itself by assent's own commands: as its child, out of its
// session, on a terminal of its own, as nobody's child.

import (
	"os/exec"
	"testing"
)

// never is the sentence for whoever is found to lead to the agent.
const never = "the one who asks can never answer"

func TestAdversarial04ByCLI(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		for _, verb := range []string{
			"approve 1", "approve 1 --session", "approve 1 --always", "approve 1 --for 30m --uses 20", "deny 1", "revoke --all", "revoke --all --kill",
			"keys create --name mine", "grants renew 1", "grants forward 1 --to s2", "grants handle 1 --to session:s1 --out h",
		} {
			for _, with := range []string{"", " --key " + key} { // the key lies in the home, and the agent can read it
				a.refused(a.does("assent "+verb+with), exitForbidden, never)
			}
		}
		a.still()
		a.recorded("answer req_1: child of plain, process ", "/req_1/answer: child of plain, process ")
	})
}

// A new session, a new process group, a terminal of its own: its parents remain.
func TestAdversarial04BySetsidAndScript(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		ways := []string{"attacker setsid assent approve 1", "attacker pty assent approve 1", "attacker pty assent approve 1 --key " + key, "env -i PATH=$PATH HOME=$HOME assent approve 1"}
		if _, err := exec.LookPath("script"); err == nil {
			ways = append(ways, "script -qec 'assent approve 1' /dev/null", "script -qec 'assent approve 1 --key "+key+"' /dev/null")
		}
		for _, way := range ways {
			a.refused(a.does(way), exitForbidden, never)
		}
		a.still()
		a.recorded("answer req_1: child of plain, process ", "/req_1/answer: child of plain, process ")
	})
}

// A helper that the agent leaves in its own session.
func TestAdversarial04ByABackgroundJob(t *testing.T) {
	attack(t, func(a *rogue) {
		a.does("(sh -c 'assent approve 1 >job 2>&1; echo $? >job.ended' &) ")
		a.refused(a.ended(a.dir+"/job"), exitForbidden, never)
		a.still()
		a.recorded("plain, process ", "plain, process ")
	})
}

// Nobody's child, in a session of its own, without a terminal: it leads nowhere any
// more, and proves nothing either.
func TestAdversarial04ByDoubleFork(t *testing.T) {
	attack(t, func(a *rogue) {
		a.refused(a.orphan("setsid", "assent approve 1"), exitForbidden, "nobody stands behind this")
		a.still()
		a.recorded("answer req_1: nobody stands behind this", "answer req_1: nobody stands behind this")
	})
}

// What its agent set for it gives it away, wherever it has gone.
func TestAdversarial04ByDoubleForkWithWhatItInherited(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		for _, on := range []string{"setsid", "pty"} {
			a.refused(a.orphan(on, "env CLAUDECODE=1 assent approve 1 --key "+key), exitForbidden, "carries CLAUDECODE, which claude sets for its children: "+never)
		}
		a.still()
		a.recorded("carries CLAUDECODE", "carries CLAUDECODE")
	})
}

// An agent without a hook, which asks through assent's broker alone: what descends from
// the terminal or the job that asked, or shares it, does not answer unsigned, whatever
// terminal it opens. No more is known of such an agent: a key's signature counts there.
func TestAdversarial04ByAnAgentWithoutAHook(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		key := g.key()
		a := g.idle()
		if s := a.does("assent exec --ask -- touch x"); s.code != exitAsk {
			t.Fatal(s)
		}
		for _, way := range []string{"assent approve 1", "attacker pty assent approve 1", "attacker setsid assent approve 1"} {
			a.refused(a.does(way), exitForbidden, "for which it was asked: answer in another terminal, or with --key FILE: "+never)
		}
		a.recorded("answer req_1: child of assent, process ", "answer req_1: child of assent, process ")
		if s := a.does("assent exec -- touch x"); s.code != exitAsk {
			t.Fatal("it runs", s)
		}
		if s := a.does("assent approve 1 --key " + key); s.code != 0 {
			t.Error("a key is not heard", s)
		}
		a.must("log", "verify")
	}, "approvals: {wait: 0}")
}

// Nor does it make the first key of a home, which nobody vouches for.
func TestAdversarial04ByAnAgentWithoutAHookThatMakesAKey(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		a := g.idle()
		if s := a.does("assent exec --ask -- touch x"); s.code != exitAsk {
			t.Fatal(s)
		}
		for _, way := range []string{"assent keys create --name mine", "attacker pty assent keys create --name mine"} {
			a.refused(a.does(way), exitForbidden, never)
		}
		a.recorded("enroll key SHA256:", "enroll key SHA256:")
	}, "approvals: {wait: 0}")
}
