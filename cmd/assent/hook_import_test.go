package main

// What hooks import prints is read back as it was.

import (
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"
)

func TestAScalarIsReadBackAsItWas(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "yes", "Null", "~", "~/x", "-", "- a", "a: b", "a #b", "0x1", "1e3", ".5", "=", "<<", "terminal|write_file", "'a'", "\"", "é\u2028x", "a\tb", "on",
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := words.Draw(t, "text")
		if text != "" && text[0] >= '0' && text[0] <= '9' {
			return // a number is printed as one
		}
		var got struct{ Command any }
		if err := yaml.Unmarshal([]byte("command: "+scalar(text)+"\n"), &got); err != nil || got.Command != text {
			t.Fatalf("%q as %s is %#v, %v", text, scalar(text), got.Command, err)
		}
	})
}
