package assent_test

// What digests and signatures bind, and what they leave free.

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"assent"

	"pgregory.net/rapid"
)

func judged() assent.Case {
	return assent.Case{
		Event: assent.Event{
			ID: "e1", Name: assent.PreToolCall, At: noon, Agent: "claude", Session: "s1", Turn: "t1", Call: "c1",
			Principal: "uid:1", Dir: "/w", Tool: "shell", Input: []byte(`{"command":"a && b"}`),
		},
		Findings: []assent.Finding{{Code: "fs.delete"}},
		Operands: []assent.Operand{{Path: "/w/x.sh", SHA256: "ab"}},
	}
}

func TestLaw8TheDigestBindsWhatWasJudged(t *testing.T) {
	t.Parallel()
	want := judged().Digest()
	if len(want) != 64 {
		t.Fatalf("digest %q", want)
	}
	for what, change := range map[string]func(*assent.Case){
		"id": func(c *assent.Case) { c.ID = "e2" }, "time": func(c *assent.Case) { c.At = noon.Add(time.Hour) },
		"name": func(c *assent.Case) { c.Name = "x" }, "turn": func(c *assent.Case) { c.Turn = "t2" },
		"session": func(c *assent.Case) { c.Session = "s2" }, "call": func(c *assent.Case) { c.Call = "c2" },
		"second look": func(c *assent.Case) { c.Again = true }, "findings": func(c *assent.Case) { c.Findings = nil },
		"commands": func(c *assent.Case) { c.Commands = []assent.Command{{Name: "rm"}} }, "places": func(c *assent.Case) { c.Places.Home = "/h" },
		"spelling of the input": func(c *assent.Case) { c.Input = []byte(` { "command" : "a \u0026& b" } `) },
	} {
		c := judged()
		change(&c)
		if c.Digest() != want {
			t.Errorf("another %s is another digest", what)
		}
	}
	seen := map[string]string{want: "nothing"}
	for what, change := range map[string]func(*assent.Case){
		"agent": func(c *assent.Case) { c.Agent = "plain" }, "principal": func(c *assent.Case) { c.Principal = "uid:2" },
		"tool": func(c *assent.Case) { c.Tool = "write" }, "directory": func(c *assent.Case) { c.Dir = "/x" },
		"input": func(c *assent.Case) { c.Input = []byte(`{"command":"a && c"}`) }, "trailing space": func(c *assent.Case) { c.Input = []byte(`{"command":"a && b "}`) },
		"key": func(c *assent.Case) { c.Input = []byte(`{"command":"a && b","x":null}`) }, "no input": func(c *assent.Case) { c.Input = nil },
		"operand's content": func(c *assent.Case) { c.Operands[0].SHA256 = "cd" }, "operand's path": func(c *assent.Case) { c.Operands[0].Path = "/w/y.sh" },
		"no operand": func(c *assent.Case) { c.Operands = nil }, "profile": func(c *assent.Case) { c.Profile = "p" },
		"user": func(c *assent.Case) { c.Extra = map[string]json.RawMessage{"user_id": json.RawMessage(`"u"`)} },
	} {
		c := judged()
		change(&c)
		if other, ok := seen[c.Digest()]; ok {
			t.Errorf("another %s has the digest of another %s", what, other)
		}
		seen[c.Digest()] = what
	}
	for _, input := range []string{`{"a":1,"a":2}`, `{`, "\"\xff\"", `1 2`} {
		c := judged()
		c.Input = []byte(input)
		if c.Digest() != "" {
			t.Errorf("%q has a digest", input)
		}
	}
}

func TestTheSignatureBindsWhatThePersonChose(t *testing.T) {
	t.Parallel()
	answer := func() assent.Answer {
		return assent.Answer{
			Request: "req_1", Version: 2, Digest: "d", Decision: assent.Allow, Offer: 1, Width: assent.ForTurns, Uses: 3, For: 60,
			Input: []byte(`{"a":1}`), Note: "n", At: noon, By: assent.Identity{ID: "ann"}, Proof: assent.Proof{Key: "k", Signature: []byte{1}},
		}
	}
	sign := func(change func(*assent.Answer)) string {
		a := answer()
		change(&a)
		b, err := a.Signed()
		if err != nil {
			t.Fatal(err)
		}
		if canon, err := assent.Canonical(b); err != nil || !bytes.Equal(canon, b) {
			t.Fatalf("%s is not canonical: %v", b, err)
		}
		return string(b)
	}
	want := sign(func(*assent.Answer) {})
	for what, change := range map[string]func(*assent.Answer){
		"who, which the roster finds": func(a *assent.Answer) { a.By = assent.Identity{ID: "bob"} },
		"the proof itself":            func(a *assent.Answer) { a.Proof = assent.Proof{} },
		"the zone of the time":        func(a *assent.Answer) { a.At = a.At.In(time.FixedZone("", 3600)) },
	} {
		if sign(change) != want {
			t.Errorf("%s is bound", what)
		}
	}
	seen := map[string]string{want: "nothing"}
	for what, change := range map[string]func(*assent.Answer){
		"request": func(a *assent.Answer) { a.Request = "req_2" }, "version": func(a *assent.Answer) { a.Version = 3 },
		"digest": func(a *assent.Answer) { a.Digest = "e" }, "decision": func(a *assent.Answer) { a.Decision = assent.Deny },
		"offer": func(a *assent.Answer) { a.Offer = 0 }, "width": func(a *assent.Answer) { a.Width = assent.Always },
		"uses": func(a *assent.Answer) { a.Uses = 4 }, "time": func(a *assent.Answer) { a.For = 61e9 },
		"input": func(a *assent.Answer) { a.Input = []byte(`{"a":2}`) }, "note": func(a *assent.Answer) { a.Note = "m" },
		"moment": func(a *assent.Answer) { a.At = noon.Add(1) },
	} {
		got := sign(change)
		if other, ok := seen[got]; ok {
			t.Errorf("another %s signs as another %s", what, other)
		}
		seen[got] = what
	}
	r := assent.Revocation{Selection: assent.Selection{ID: "gr_1"}, At: noon, Proof: assent.Proof{Key: "k"}}
	first, err := r.Signed()
	r.Proof = assent.Proof{}
	second, err2 := r.Signed()
	r.Selection = assent.Selection{All: true}
	third, err3 := r.Signed()
	f := assent.Forwarding{Grant: "gr_1", To: "s/a", Uses: 2, For: 60, At: noon, Proof: assent.Proof{Key: "k"}}
	forward, err4 := f.Signed()
	if !bytes.Contains(forward, []byte("assent-forwarding-1")) || bytes.Contains(forward, []byte("proof")) {
		t.Errorf("a forwarding signs %s", forward)
	}
	for what, change := range map[string]func(*assent.Forwarding){
		"grant": func(f *assent.Forwarding) { f.Grant = "gr_2" }, "session": func(f *assent.Forwarding) { f.To = "s/b" },
		"uses": func(f *assent.Forwarding) { f.Uses = 3 }, "time": func(f *assent.Forwarding) { f.For = 61 },
		"note": func(f *assent.Forwarding) { f.Note = "n" }, "moment": func(f *assent.Forwarding) { f.At = noon.Add(1) },
	} {
		g := f
		change(&g)
		if other, err := g.Signed(); err != nil || bytes.Equal(other, forward) {
			t.Errorf("another %s signs as the same: %v", what, err)
		}
	}
	if err := errors.Join(err, err2, err3, err4); err != nil || !bytes.Equal(first, second) || bytes.Equal(second, third) {
		t.Errorf("%s, %s, %s: %v", first, second, third, err)
	}
	if bytes.Contains(first, []byte("answer")) || bytes.Contains([]byte(want), []byte("revocation")) {
		t.Error("a signature for one purpose serves another")
	}
}

func TestDurationsTravelAsSeconds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{
		"0": 0, "30": 30 * time.Second, "0.25": 250 * time.Millisecond, "1.001": 1001 * time.Millisecond, "1e3": 1000 * time.Second,
		`"10m"`: 10 * time.Minute, `"1h30m"`: 90 * time.Minute, `"\u0031s"`: time.Second, "1000000000": 1e9 * time.Second,
	} {
		var d assent.Duration
		if err := json.Unmarshal([]byte(in), &d); err != nil || time.Duration(d) != want {
			t.Errorf("%s became %v, %v", in, d, err)
		}
	}
	for _, in := range []string{"-1", `"-10m"`, "1000000001", "1e300", `"10"`, `""`, "true", "null", "[]", `"10 m"`, `"9000000h"`} {
		d := assent.Duration(7)
		if err := json.Unmarshal([]byte(in), &d); !errors.Is(err, assent.ErrInvalid) || d != 7 {
			t.Errorf("%s became %v, %v", in, d, err)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		d := assent.Duration(rapid.Int64Range(0, int64(97*24*time.Hour)).Draw(r, "duration"))
		raw, err := json.Marshal(d)
		var back assent.Duration
		if err = errors.Join(err, json.Unmarshal(raw, &back)); err != nil || back != d {
			r.Fatalf("%d became %s became %d: %v", d, raw, back, err)
		}
	})
}

func TestRecordsAreChained(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var head assent.Head
		for i := range rapid.IntRange(1, 5).Draw(r, "records") {
			in := assent.Record{N: 99, Prev: "x", At: noon.In(time.FixedZone("", 3600)), Kind: "event", Note: rapid.String().Draw(r, "note")}
			rec, leaf, next, err := head.Next(in, nil)
			if err != nil {
				r.Fatal(err)
			}
			prev := head.Hash
			if i == 0 {
				prev = assent.NoPrev
			}
			if rec.N != uint64(i+1) || rec.Prev != prev || next != (assent.Head{N: rec.N, Hash: assent.LeafHash(leaf)}) {
				r.Fatalf("%+v after %+v, then %+v", rec, head, next)
			}
			if canon, err := assent.Canonical(leaf); err != nil || !bytes.Equal(canon, leaf) {
				r.Fatalf("%s is not canonical: %v", leaf, err)
			}
			var back assent.Record
			if err := json.Unmarshal(leaf, &back); err != nil || back.Note != in.Note || back.At.Location() != time.UTC {
				r.Fatalf("%s became %+v, %v", leaf, back, err)
			}
			head = next
		}
	})
	if _, _, head, err := (assent.Head{N: 3, Hash: "h"}).Next(assent.Record{Data: []byte(`{`)}, nil); err == nil || head.N != 3 {
		t.Errorf("chained what is no JSON: %+v, %v", head, err)
	}
}
