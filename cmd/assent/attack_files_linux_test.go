package main

// An agent that edits the files of assent's home by other means than its tools.

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

// A server goes by what it has read when it started; without one, each hook reads the
// file. What an edited file gives then is there for all to see: an owner's standing yes is
// a grant, listed and recorded, and what a rule let through names the rule.
func TestAdversarial04ByAnEditedConfiguration(t *testing.T) {
	for name, x := range map[string]struct{ file, told, seen string }{
		"approvals.mode: off":   {"approvals: {wait: 0, mode: off}", "allow", "answer   allow  gr_1  by config:"},
		"a rule that allows it": {"approvals: {wait: 0}\nrules:\n  - allow: {program: git}", "allow", "allow  pre_tool_call"},
		"default: allow":        {"approvals: {wait: 0}\ndefault: allow", "deny", ""},
		"no sense":              {"approvals: {wait: never}", "deny", ""},
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				served := a.health() == nil
				a.write("config.yaml", x.file+"\n")
				if s := a.hooked(); !strings.Contains(s.out, `{"decision":"`+map[bool]string{true: "deny", false: x.told}[served]+`"`) {
					t.Errorf("served %v: %s", served, s)
				}
				if s := a.assent("doctor"); served && !strings.Contains(s.out, "changed since assent serve started") && name != "no sense" {
					t.Errorf("doctor does not say that the file was changed: %s", s)
				}
				a.write("config.yaml", "approvals: {wait: 0}\n")
				out := a.must("log")
				if !served && !strings.Contains(out, x.seen) {
					t.Errorf("nothing says %q: %s", x.seen, out)
				}
				a.must("log", "verify")
				a.notLet() // what the file gave went with it
			})
		})
	}
}

// Under another key nothing counts that was granted, and the log's verification says so.
func TestAdversarial04ByReplacingTheHomesKey(t *testing.T) {
	for name, take := range map[string]func(*rogue){
		"taken away": func(a *rogue) { a.try(os.Remove(a.path("assent.key"))) },
		"replaced": func(a *rogue) {
			other := newGate(a.T)
			other.key()
			a.try(os.Rename(other.path("assent.key"), a.path("assent.key")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, func(a *rogue) {
				key := a.key()
				a.must("approve", "1", "--session", "--key", key)
				take(a)
				if a.health() != nil { // a server keeps the key that it has
					a.notLet()
				}
				a.broken("its signature is not that of this home's key")
			})
		})
	}
}

// The whole database, put back as it was before: it is whole, for it once was. Only
// somebody who has kept the end of the log sees that there was more.
func TestAdversarial04ByPuttingAnOldDatabaseBack(t *testing.T) {
	t.Parallel()
	notUnderAnAgent(t)
	g := newGate(t, "approvals: {wait: 0}")
	a := g.rogue()
	a.must("approve", "1", "--key", a.key())
	old, err := os.ReadFile(a.path("assent.db"))
	a.try(err)
	if decision, tell := a.asks(); decision != "allow" {
		t.Fatal(decision, tell)
	}
	kept := a.head()
	a.try(errors.Join(os.WriteFile(a.path("assent.db"), old, 0o600), os.RemoveAll(a.path("assent.db-wal")), os.RemoveAll(a.path("assent.db-shm"))))
	now := a.head()
	if now.N >= kept.N {
		t.Errorf("%+v follows %+v", now, kept)
	}
	if decision, _ := a.asks(); decision != "allow" {
		t.Error("the use that was spent is not there again: say so in docs/threats.md")
	}
	if now := a.head(); now.N != kept.N || now.Hash == kept.Hash {
		t.Errorf("%+v cannot be told from %+v", now, kept)
	}
}

// end is what somebody can keep of the log.
type end struct {
	N    int
	Hash string
}

func (a *rogue) head() (e end) {
	a.Helper()
	var v struct {
		Whole bool
		Head  end
	}
	a.try(json.Unmarshal([]byte(a.must("log", "verify", "--json")), &v))
	if !v.Whole {
		a.Fatal("it is not whole")
	}
	return v.Head
}
