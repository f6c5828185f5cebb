package harness_test

// Every codec, held to what the Codec's contract says of all of them.

import (
	"encoding/json"
	"errors"
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
