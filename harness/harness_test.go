package harness_test

// Every codec, held to what the Codec's contract says of all of them.

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/harness"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range harness.All {
		got, ok := harness.Named(c.Name)
		if !ok || got.Name != c.Name || seen[c.Name] || c.Agent == "" {
			t.Errorf("%q", c.Name)
		}
		seen[c.Name] = true
		for _, r := range c.Rows {
			if _, ok := assent.EventNamed(r.Name); !ok || r.Limit <= c.Margin {
				t.Errorf("%s: %+v", c.Name, r)
			}
		}
	}
	if _, ok := harness.Named("nobody"); ok {
		t.Error("nobody has a codec")
	}
}

// engines are the events that assent's engine fires itself.
var engines = []string{assent.ApprovalRequest, assent.ApprovalResponse, assent.HumanRequest, assent.HumanResolved}

// TestEachEventHasASource: an event of the catalogue comes of some agent's, of the
// engine, or of a part that its row names, and of one of these alone.
func TestEachEventHasASource(t *testing.T) {
	t.Parallel()
	for _, e := range assent.Events {
		sources := harness.Sources(e.Name)
		fires := len(sources) > 0 || slices.Contains(engines, e.Name)
		if fires == (e.Later != "") {
			t.Errorf("%s comes of %v; later: %q", e.Name, sources, e.Later)
		}
		for _, s := range sources {
			c, _ := harness.Named(s.Agent)
			if r, ok := c.Row(s.Native); !ok || r.Name != e.Name && !slices.Contains(r.Also, e.Name) {
				t.Errorf("%s comes of %v, which is %+v", e.Name, s, r)
			}
		}
	}
	for _, c := range harness.All {
		for _, r := range c.Rows {
			for _, also := range r.Also {
				if e, ok := assent.EventNamed(also); !ok || also == r.Name || assent.Gates(also) || e.Name != also {
					t.Errorf("%s: %s also stands for %q", c.Name, r.Event, also)
				}
			}
		}
	}
	if s := harness.Sources("pre_tea"); s != nil {
		t.Error(s)
	}
	for name, want := range map[string]string{
		assent.PostToolCall:    "Claude Code: PostToolUse, PostToolUseFailure",
		assent.ApprovalRequest: "assent itself",
		"agent:start":          "later: the chat gateway",
	} {
		if e, _ := assent.EventNamed(name); harness.Origin(e) != want {
			t.Errorf("%s comes from %q", name, harness.Origin(e))
		}
	}
}

// TestGarbage: what cannot be read is ErrInvalid, never a panic, and is answered
// with JSON that denies where the event gates.
func TestGarbage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		c := rapid.SampledFrom(harness.All).Draw(rt, "codec")
		native := rapid.SampledFrom(append([]assent.Native{{Event: "Made-up"}}, c.Rows...)).Draw(rt, "event").Event
		raw := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.StringMatching(`[{}\[\]":,a-z0-9 ]{0,40}`), func(s string) []byte {
			return []byte(s)
		})).Draw(rt, "raw")
		if _, err := c.Decode(native, raw, func(string) string { return "" }); !errors.Is(err, assent.ErrInvalid) {
			rt.Fatalf("%s accepted %q: %v", c.Name, raw, err)
		}
		if out := c.Fail(native, "It could not be read."); !json.Valid(out) {
			rt.Fatalf("%s: %s", c.Name, out)
		}
	})
}
