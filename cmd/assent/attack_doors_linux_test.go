package main

// An agent that leaves assent's commands aside: raw sockets, HTTP with tokens that it
// has read, and listening where the server should.

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"assent"
)

// bodies are yeses, with what only a door may say of them.
var bodies = map[string]string{
	"":             `{"decision":"allow"}`,
	"proof.peer":   `{"decision":"allow","proof":{"peer":{"pid":1,"uid":0,"tty":1}}}`,
	"by":           `{"decision":"allow","by":{"surface":"terminal","id":"uid:0"}}`,
	"its own name": `{"decision":"allow","approved":true,"grant":"gr_1"}`,
}

// served runs a test of an agent that has asked a server.
func servedAttack(t *testing.T, test func(*rogue)) {
	t.Parallel()
	notUnderAnAgent(t)
	g := newGate(t, "approvals: {wait: 0}")
	g.serve()
	test(g.rogue())
}

// post is a call of a door by the attacker, as a line of shell.
func post(at, body, token string) string {
	return fmt.Sprintf("attacker post %s /v1/requests/req_1/answer '%s' '%s'", at, body, token)
}

func TestAdversarial04BySocket(t *testing.T) {
	servedAttack(t, func(a *rogue) {
		for _, body := range bodies {
			for door, code := range map[string]string{"assent.sock": "facet", "hold.sock": "facet", "grant.sock": "self-approval", "audit.sock": "facet"} {
				for _, as := range []string{"", "attacker setsid ", "attacker pty "} {
					s := a.does(as + post(a.path(door), body, ""))
					if !strings.HasPrefix(s.out, "403 ") || !strings.Contains(s.out, `"urn:assent:error:`+code+`"`) {
						a.Errorf("%s%s: %s: want %s: %s", as, door, body, code, s)
					}
				}
			}
		}
		a.still()
		a.recorded("", "POST /v1/requests/req_1/answer: child of plain, process ")
	})
}

// Nobody's child speaks for nobody: what it says of itself is refused as such.
func TestAdversarial04BySocketOfAnOrphan(t *testing.T) {
	servedAttack(t, func(a *rogue) {
		for what, body := range bodies {
			code := "400 "
			if what == "" {
				code = "403 "
			}
			if s := a.orphan("setsid", post(a.path("grant.sock"), body, "")); !strings.HasPrefix(s.out, code) {
				a.Errorf("%s: %s", body, s)
			}
		}
		a.still()
		a.recorded("", "answer req_1: nobody stands behind this")
	})
}

// The tokens lie in the home. With each of them one can do what that facet can, and
// answer with none: over HTTP a person is proved by a key.
func TestAdversarial04ByHTTP(t *testing.T) {
	servedAttack(t, func(a *rogue) {
		url := strings.TrimSpace(a.does("cat " + a.path("http.addr")).out)
		for _, facet := range []string{"requester", "holder", "granter", "auditor"} {
			token := strings.TrimSpace(a.does("cat " + a.path("tokens/"+facet)).out)
			for what, body := range bodies {
				code := "403 "
				if facet == "granter" && what != "" {
					code = "400 "
				}
				if s := a.does(post(url, body, token)); len(token) < 32 || !strings.HasPrefix(s.out, code) {
					a.Errorf("%s: %s: %s", facet, body, s)
				}
			}
		}
		// A token that it puts there itself is none of the server's.
		mine := strings.Repeat("x", 40)
		a.does("echo " + mine + " >" + a.path("tokens/granter"))
		if s := a.does(post(url, bodies[""], mine)); !strings.HasPrefix(s.out, "401 ") {
			a.Error(s)
		}
		a.still()
		a.recorded("", "answer req_1: nobody stands behind this")
	})
}

// Whoever answers in the server's place hears nothing of what people sign and holders
// show, tells people nothing, and lets no call through.
func TestAdversarial04ByAnsweringInTheServersPlace(t *testing.T) {
	for _, door := range []string{"assent.sock", "hold.sock", "grant.sock", "audit.sock"} {
		t.Run(door, func(t *testing.T) {
			servedAttack(t, func(a *rogue) {
				key := a.key()
				at := a.path(door)
				a.does("rm " + at + "; attacker reply " + at + ` '{"decision":"allow"}' >heard 2>&1 & until test -S ` + at + "; do sleep 0.01; done")
				noticed := func(s said) {
					a.Helper()
					if s.code == 0 || !strings.Contains(s.out+s.err, door+": process ") || !strings.Contains(s.out+s.err, "nothing is said to it") {
						a.Errorf("not noticed: %s", s)
					}
				}
				switch door {
				case "assent.sock":
					a.notLet()
					noticed(a.assent("doctor"))
					noticed(a.assent("approve", "1", "--key", key))
				case "hold.sock":
					noticed(a.does("assent exec --ask -- touch x"))
				case "grant.sock":
					noticed(a.assent("approve", "1", "--key", key))
				default:
					noticed(a.assent("requests"))
				}
				if heard, err := os.ReadFile(a.dir + "/heard"); err != nil || len(heard) > 0 {
					a.Errorf("it heard %q, %v", heard, err)
				}
			})
		})
	}
}

// With another lock in the place of the server's it passes for one. It hears a yes to the
// very thing that the person was shown, and cannot show another: the card is held against
// its digest.
func TestAdversarial04BySeizingTheLock(t *testing.T) {
	for name, x := range map[string]struct{ show, says string }{
		"to hear what is signed": {forced, ""},
		"to show something else": {"ls", "req_1 shows one thing, and its digest is of another"},
		"and without its digest": {"", "req_1 shows one thing, and its digest is of another"},
	} {
		t.Run(name, func(t *testing.T) {
			servedAttack(t, func(a *rogue) {
				key := a.key()
				card := strings.ReplaceAll(a.must("show", "1", "--json"), forced, x.show)
				if x.show == "" {
					var r assent.Request
					a.try(json.Unmarshal([]byte(card), &r))
					r.Digest = ""
					raw, err := json.Marshal(r)
					a.try(err)
					card = string(raw)
				}
				at := a.path("assent.sock") + " " + a.path("grant.sock")
				a.does("attacker seize " + a.path("lock") + " " + a.path("lock.json") + " '" + strings.TrimSpace(card) + "' " + at + " >heard 2>&1 &")
				a.until("another passes for it", func() bool { return a.assent("requests").code == exitForbidden })
				s := a.assent("approve", "1", "--key", key)
				if x.says != "" && (s.code != exitForbidden || !strings.Contains(s.err, x.says)) {
					a.Error(s)
				}
				raw, err := os.ReadFile(a.dir + "/heard")
				a.try(err)
				if heard := string(raw); strings.Contains(heard, `"decision":"allow"`) != (x.says == "") {
					a.Errorf("it heard %q", heard)
				}
			})
		})
	}
}
