package assent_test

// Grants: when they are live, and what vouches for them.

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"assent"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func live() assent.Grant {
	return assent.Grant{ID: "gr_1", Scope: assent.Scope{Digest: "d", Uses: 2}, From: noon, Until: noon.Add(time.Hour), Record: 7}
}

func TestAdversarial03AGrantIsLiveInItsHalfOpenTime(t *testing.T) {
	t.Parallel()
	for at, want := range map[time.Duration]error{
		-1: assent.ErrExpired, 0: nil, time.Hour - 1: nil, time.Hour: assent.ErrExpired, time.Hour + 1: assent.ErrExpired,
	} {
		if err := live().Check(noon.Add(at), ""); !errors.Is(err, want) {
			t.Errorf("at %v: %v", at, err)
		}
	}
	if err := (assent.Grant{}).Check(noon, ""); err == nil {
		t.Error("the zero grant is live")
	}
}

func TestAGrantLapsesHalfOpenFromItsLastUse(t *testing.T) {
	t.Parallel()
	g := live()
	g.Lapse = assent.Duration(time.Minute)
	used := g
	used.Used, used.LastUsed = 1, noon.Add(30*time.Second)
	for _, c := range []struct {
		g    assent.Grant
		at   time.Duration
		want error
	}{
		{g, time.Minute - 1, nil}, {g, time.Minute, assent.ErrExpired},
		{used, 90*time.Second - 1, nil}, {used, 90 * time.Second, assent.ErrExpired},
	} {
		if err := c.g.Check(noon.Add(c.at), ""); !errors.Is(err, c.want) {
			t.Errorf("used %d times, at %v: %v", c.g.Used, c.at, err)
		}
	}
}

func TestAdversarial03AGrantDiesWithItsBoot(t *testing.T) {
	t.Parallel()
	g := live()
	g.Boot = "b1"
	if err := errors.Join(g.Check(noon, "b1"), live().Check(noon, "b1")); err != nil {
		t.Error(err)
	}
	for _, boot := range []string{"b2", ""} {
		if err := g.Check(noon, boot); !errors.Is(err, assent.ErrExpired) {
			t.Errorf("boot %q: %v", boot, err)
		}
	}
}

// wrong is a set of the three things that can be wrong with a grant.
func wrong(r *rapid.T, label string) (g assent.Grant, revoked, expired, exhausted bool) {
	g = live()
	revoked, expired, exhausted = rapid.Bool().Draw(r, label+" revoked"), rapid.Bool().Draw(r, label+" expired"), rapid.Bool().Draw(r, label+" exhausted")
	if revoked {
		g.Revoked = noon
	}
	if expired {
		g.Until = noon
	}
	if exhausted {
		g.Used = g.Scope.Uses
	}
	return g, revoked, expired, exhausted
}

func TestTheErrorsComeInTheContractsOrder(t *testing.T) {
	t.Parallel()
	order := func(revoked, expired, exhausted bool) error {
		switch {
		case revoked:
			return assent.ErrRevoked
		case expired:
			return assent.ErrExpired
		case exhausted:
			return assent.ErrExhausted
		}
		return nil
	}
	rapid.Check(t, func(r *rapid.T) {
		a, ar, ae, ax := wrong(r, "child")
		b, br, be, bx := wrong(r, "parent")
		if err := a.Check(noon, ""); err != order(ar, ae, ax) {
			r.Fatalf("got %v", err)
		}
		if err := assent.CheckLine([]assent.Grant{a, b}, noon, ""); err != order(ar || br, ae || be, ax || bx) {
			r.Fatalf("got %v", err)
		}
	})
}

func TestAGrantThatMintsCoversNothingItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCase(r)
		for _, s := range []assent.Scope{anyScope(r, c), whole(r, c), {Digest: c.Digest()}} {
			g := assent.Grant{Scope: s}
			if g.Covers(c) != s.Covers(c) {
				r.Fatalf("the grant and its scope %+v do not agree on %+v", s, c)
			}
			if g.Mints = true; g.Covers(c) {
				r.Fatalf("%+v covers %+v", g, c)
			}
		}
	})
}

func TestTheRecordVouchesForTheWholeGrant(t *testing.T) {
	t.Parallel()
	g := live()
	g.Parent, g.Request, g.Width, g.Boot, g.Lapse = "gr_0", "req_1", assent.Always, "b1", 60
	g.By, g.Scope.Codes = assent.Identity{Surface: "key", ID: "ann"}, []string{"fs.delete"}
	rec := assent.Record{N: 7, Kind: assent.KindAnswer, Decision: assent.Allow, Grant: "gr_1", Seal: g.Seal()}
	vouched := func(what string, want bool, change func(*assent.Grant, *assent.Record)) {
		t.Helper()
		g, rec := g, rec
		change(&g, &rec)
		if g.VouchedBy(rec) != want {
			t.Errorf("%s: vouched is %v", what, !want)
		}
	}
	g.Mints = true
	rec.Seal = g.Seal()
	vouched("as it is", true, func(*assent.Grant, *assent.Record) {})
	vouched("used", true, func(g *assent.Grant, _ *assent.Record) { g.Used, g.LastUsed = 2, noon })
	vouched("revoked", true, func(g *assent.Grant, _ *assent.Record) { g.Revoked, g.RevokedBy = noon, "ann" })
	vouched("another zone", true, func(g *assent.Grant, _ *assent.Record) {
		g.From, g.Until = g.From.In(time.FixedZone("", 3600)), g.Until.In(time.FixedZone("", -60))
	})
	vouched("kept as JSON", true, func(g *assent.Grant, _ *assent.Record) {
		raw, err := json.Marshal(*g)
		*g = assent.Grant{}
		if err = errors.Join(err, json.Unmarshal(raw, g)); err != nil {
			t.Error(err)
		}
	})
	for what, change := range map[string]func(*assent.Grant){
		"ID": func(g *assent.Grant) { g.ID = "gr_2" }, "record": func(g *assent.Grant) { g.Record = 8 },
		"parent": func(g *assent.Grant) { g.Parent = "" }, "request": func(g *assent.Grant) { g.Request = "req_2" },
		"width": func(g *assent.Grant) { g.Width = assent.Once }, "uses": func(g *assent.Grant) { g.Scope.Uses++ },
		"digest": func(g *assent.Grant) { g.Scope.Digest = "e" }, "codes": func(g *assent.Grant) { g.Scope.Codes = []string{"x"} },
		"session": func(g *assent.Grant) { g.Scope.Session = "s" }, "by": func(g *assent.Grant) { g.By.ID = "bob" },
		"from": func(g *assent.Grant) { g.From = g.From.Add(-1) }, "until": func(g *assent.Grant) { g.Until = g.Until.Add(1) },
		"lapse": func(g *assent.Grant) { g.Lapse = 0 }, "boot": func(g *assent.Grant) { g.Boot = "" },
		"use": func(g *assent.Grant) { g.Mints = false }, "tool": func(g *assent.Grant) { g.Scope.Tool = assent.AnyTool },
	} {
		vouched("another "+what, false, func(g *assent.Grant, _ *assent.Record) { change(g) })
	}
	for what, change := range map[string]func(*assent.Record){
		"kind": func(r *assent.Record) { r.Kind = assent.KindEvent }, "decision": func(r *assent.Record) { r.Decision = assent.Ask },
		"number": func(r *assent.Record) { r.N = 8 }, "grant": func(r *assent.Record) { r.Grant = "gr_2" },
		"seal": func(r *assent.Record) { r.Seal = "" },
	} {
		vouched("a record of another "+what, false, func(_ *assent.Grant, r *assent.Record) { change(r) })
	}
}
