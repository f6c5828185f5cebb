package review_test

// What a request offers, which answers it takes, and what they become.

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/review"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func deleteUnder(dir string, programs ...string) assent.Case {
	c := assent.Case{
		Event: assent.Event{
			Agent: "claude", Principal: "uid:1", Session: "s1", Dir: "/w", Tool: assent.ToolShell,
		},
		Findings: []assent.Finding{{Code: "fs.delete", Target: dir}},
	}
	for i, p := range programs {
		c.Commands = append(c.Commands, assent.Command{
			Name: p, Program: assent.Word{Text: p, Value: p, Known: true}, Span: assent.Span{From: 2 * i, To: 2*i + 1},
		})
	}
	c.Input, _ = json.Marshal(map[string]string{"command": strings.Repeat("x;", len(programs))})
	return c
}

func TestOffers(t *testing.T) {
	t.Parallel()
	unknown := deleteUnder("/w/a", "rm")
	unknown.Findings = append(unknown.Findings, assent.Finding{Code: "code.unknown"})
	two := deleteUnder("/w/a/b", "rm")
	two.Findings = append(two.Findings, assent.Finding{Code: "fs.delete", Target: "/w/a/c"})
	for name, x := range map[string]struct {
		c     assent.Case
		under string // of the class offered; empty = none
	}{
		"one target":           {deleteUnder("/w/build", "rm"), "/w/build"},
		"two targets":          {two, "/w/a"},
		"outside":              {deleteUnder("/etc", "rm"), ""},
		"two commands":         {deleteUnder("/w/build", "rm", "echo"), ""}, // granted as a whole, or not at all
		"a wrapper":            {deleteUnder("/w/build", "xargs"), ""},
		"a move":               {deleteUnder("/w/build", "mv"), ""}, // what it takes away has no finding
		"an interpreter":       {deleteUnder("/w/build", "rm", "bash"), ""},
		"a program not known":  {deleteUnder("/w/build", ""), ""},
		"something not known":  {unknown, ""},
		"a target that is not": {deleteUnder("", "rm"), ""},
		"a sibling's prefix":   {deleteUnder("/w2/build", "rm"), ""},
	} {
		r := review.Open(x.c, nil, noon, time.Hour, nil)
		if r.Offers[0].Scope.Digest != x.c.Digest() || r.Offers[0].Scope.Tool != "" {
			t.Errorf("%s: the first offer is not exactly this: %+v", name, r.Offers[0])
		}
		switch {
		case x.under == "" && len(r.Offers) != 1:
			t.Errorf("%s: offers %+v", name, r.Offers[1:])
		case x.under != "" && (len(r.Offers) != 2 || r.Offers[1].Scope.Under != x.under || !r.Offers[1].Scope.Covers(x.c)):
			t.Errorf("%s: offers %+v", name, r.Offers)
		}
	}
}

func TestSettleRefusesWhatTheFormForbids(t *testing.T) {
	t.Parallel()
	r := review.Open(deleteUnder("/w/build", "rm"), nil, noon, time.Hour, nil)
	r.ID = "req_1"
	ok := assent.Answer{Request: "req_1", Decision: assent.Allow}
	for name, x := range map[string]struct {
		change func(*assent.Answer)
		fault  string
	}{
		"no decision":        {func(a *assent.Answer) { a.Decision = assent.None }, "decision"},
		"ask is no answer":   {func(a *assent.Answer) { a.Decision = assent.Ask }, "decision"},
		"no such offer":      {func(a *assent.Answer) { a.Width, a.Offer = assent.Always, 2 }, "offer 3"},
		"negative offer":     {func(a *assent.Answer) { a.Width, a.Offer = assent.Always, -1 }, "offer"},
		"once is exact":      {func(a *assent.Answer) { a.Offer = 1 }, "once"},
		"unknown width":      {func(a *assent.Answer) { a.Width = "ever" }, "width"},
		"for without time":   {func(a *assent.Answer) { a.Width = assent.ForTurns }, "for"},
		"for too long":       {func(a *assent.Answer) { a.Width, a.For = assent.ForTurns, assent.Duration(91*24*time.Hour) }, "for"},
		"too many uses":      {func(a *assent.Answer) { a.Width, a.For, a.Uses = assent.ForTurns, 60e9, 1001 }, "uses"},
		"uses without for":   {func(a *assent.Answer) { a.Uses = 3 }, "uses"},
		"an edited input":    {func(a *assent.Answer) { a.Input = []byte(`{}`) }, "input"},
		"a note too long":    {func(a *assent.Answer) { a.Note = strings.Repeat("x", review.MaxNote+1) }, "note"},
		"two faults at once": {func(a *assent.Answer) { a.Width, a.Input = "ever", []byte(`{}`) }, "input"},
	} {
		a := ok
		x.change(&a)
		_, err := review.Settle(r, a, noon, "boot")
		if !errors.Is(err, assent.ErrInvalid) || !strings.Contains(err.Error(), x.fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettleOnce(t *testing.T) {
	t.Parallel()
	r := review.Open(deleteUnder("/w/build", "rm"), nil, noon, time.Hour, nil)
	yes := assent.Answer{Decision: assent.Allow}
	if _, err := review.Settle(r, yes, noon.Add(time.Hour-1), ""); err != nil {
		t.Error("in time:", err)
	}
	if _, err := review.Settle(r, yes, noon.Add(time.Hour), ""); !errors.Is(err, assent.ErrSettled) {
		t.Error("out of time:", err)
	}
	for _, s := range []assent.State{assent.Approved, assent.Denied, assent.Expired, assent.Withdrawn} {
		r.State = s
		if _, err := review.Settle(r, yes, noon, ""); !errors.Is(err, assent.ErrSettled) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// What cannot be read is granted for once only.
func TestUnknownIsForOnce(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"code.unknown", "code.unbound", "limit"} {
		c := deleteUnder("/w/build", "rm")
		c.Findings = append(c.Findings, assent.Finding{Code: code})
		r := review.Open(c, nil, noon, time.Hour, nil)
		for _, w := range []assent.Width{assent.InSess, assent.ForTurns, assent.Always} {
			if _, err := review.Settle(r, assent.Answer{Decision: assent.Allow, Width: w, For: 60e9 * b2d(w)}, noon, ""); !errors.Is(err, assent.ErrInvalid) {
				t.Errorf("%s, %s: %v", code, w, err)
			}
		}
	}
}

func b2d(w assent.Width) assent.Duration {
	if w == assent.ForTurns {
		return 1
	}
	return 0
}

// The numbers of each width are what people are told on the card and in the pages.
func TestEachWidthHasItsBounds(t *testing.T) {
	t.Parallel()
	r := review.Open(deleteUnder("/w/build", "rm"), nil, noon, time.Hour, nil)
	for _, x := range []struct {
		answer assent.Answer
		uses   int
		lives  time.Duration
		lapse  time.Duration
		boot   string
		shared bool // another session of the agent has it too
	}{
		{assent.Answer{}, 1, 10 * time.Minute, 0, "", false},
		{assent.Answer{Width: assent.Once}, 1, 10 * time.Minute, 0, "", false},
		{assent.Answer{Width: assent.InSess}, 100, 8 * time.Hour, 0, "boot", false},
		{assent.Answer{Width: assent.ForTurns, Uses: 3, For: assent.Duration(time.Hour)}, 3, time.Hour, 0, "", false},
		{assent.Answer{Width: assent.Always}, 1000, 90 * 24 * time.Hour, 30 * 24 * time.Hour, "", true},
	} {
		x.answer.Decision = assent.Allow
		s, err := review.Settle(r, x.answer, noon, "boot")
		if err != nil {
			t.Fatal(err)
		}
		g := s.Grant
		if g.Scope.Uses != x.uses || g.Until.Sub(noon) != x.lives || time.Duration(g.Lapse) != x.lapse || g.Boot != x.boot || (g.Scope.Session == "") != x.shared {
			t.Errorf("%q: %+v", x.answer.Width, g)
		}
		if x.lapse > 0 && (g.Check(noon.Add(x.lapse-1), "boot") != nil || !errors.Is(g.Check(noon.Add(x.lapse), "boot"), assent.ErrExpired)) {
			t.Errorf("%q lapses unused at another time than after %s", g.Width, x.lapse)
		}
	}
}

// Nothing becomes a standing grant by being renewed.
func TestAdversarial14OnlyAStandingGrantIsRenewed(t *testing.T) {
	t.Parallel()
	for width, want := range map[assent.Width]error{
		assent.Once: assent.ErrInvalid, assent.InSess: assent.ErrInvalid, assent.ForTurns: assent.ErrInvalid, assent.Owner: assent.ErrInvalid, "": assent.ErrInvalid, assent.Always: nil,
	} {
		for parent, want := range map[string]error{"": want, "gr_1": assent.ErrInvalid} {
			old := assent.Grant{ID: "gr_2", Parent: parent, Width: width, Scope: assent.Scope{Digest: "d", Uses: 5}, Lapse: assent.Duration(time.Hour)}
			g, err := review.Renewed(old, assent.Identity{}, assent.Renewal{Grant: "gr_2", At: noon})
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%q of %q: %v", width, parent, err)
			}
			if err == nil && (g.Scope.Digest != "d" || g.Scope.Uses != 5 || g.Lapse != old.Lapse || g.Until.Sub(noon) > 90*24*time.Hour) {
				t.Errorf("it became more: %+v", g)
			}
		}
	}
}

// Law 10: authority never grows: whatever is answered, the grant covers the case
// that was shown, has a deadline, a use count and a holder, within the numbers
// of the design.
func TestLaw10AGrantIsBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := deleteUnder("/w/build", "rm")
		r := review.Open(c, nil, noon, time.Hour, nil)
		a := assent.Answer{
			Decision: assent.Allow,
			Width:    rapid.SampledFrom([]assent.Width{"", assent.Once, assent.InSess, assent.ForTurns, assent.Always, "ever"}).Draw(t, "width"),
			Offer:    rapid.IntRange(-1, 2).Draw(t, "offer"),
			Uses:     rapid.IntRange(-1, 2000).Draw(t, "uses"),
			For:      assent.Duration(rapid.Int64Range(-1, int64(100*24*time.Hour)).Draw(t, "for")),
		}
		s, err := review.Settle(r, a, noon, "boot")
		if err != nil {
			return
		}
		g := s.Grant
		if !g.Scope.Covers(c) || g.Check(noon, "boot") != nil {
			t.Fatalf("%+v does not cover what was shown", g)
		}
		if g.Scope.Uses < 1 || g.Scope.Uses > 1000 || g.Until.After(noon.Add(90*24*time.Hour)) || g.Scope.Agent == "" || g.Scope.Principal == "" {
			t.Fatalf("unbounded: %+v", g)
		}
		other := c
		other.Session = "s2"
		if g.Scope.Covers(other) != (g.Width == assent.Always) {
			t.Fatalf("another session: %+v", g)
		}
		if g.Width == assent.InSess && g.Check(noon, "next boot") == nil {
			t.Fatalf("survives a boot: %+v", g)
		}
	})
}
