package shell

// Plain statements are read as the parser reads them.

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

// parsed reads a text with the parser alone.
func parsed(text string) Script {
	w := newWalker("/work", "/home/ada")
	w.src = text
	w.safely(func() { w.parse(text, 0, true, new(repeat)) })
	return w.out
}

// alike fails when the plain reader and the parser differ on a text.
func alike(t interface{ Fatalf(string, ...any) }, text string) {
	if strings.ContainsAny(text, "\x00\r") || strings.Contains(text, "$\\\n") || len(text) > 4<<10 {
		return // a finding of its own, or a limit
	}
	a, b := Parse(text, "/work", "/home/ada"), parsed(text)
	if broken(a) && broken(b) {
		return // how much of it is still read may differ
	}
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("%q\nis read as\n%+v\nand parsed as\n%+v", text, a, b)
	}
}

// broken reports whether a text is no complete shell syntax.
func broken(s Script) bool {
	return slices.ContainsFunc(s.Findings, func(f assent.Finding) bool {
		return f.Span == (assent.Span{}) && strings.Contains(f.Note, "not complete shell syntax")
	})
}

// TestPlain over texts of the bytes that matter to it.
func TestPlain(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "b", "if", "fi", "}", "{", "!", "[", "[[", "a=b", "'", `"`, `\`, "\n", " ", " ", ";", "&", "|", "#", "~", "*", "{a,b}", "-x", "/", ">", "$a", "(", ")", "time", "cd", "é", "\t"}
	rapid.Check(t, func(r *rapid.T) {
		alike(r, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(r, "pieces"), ""))
	})
	for _, text := range seeds(t) {
		alike(t, text)
	}
}

func FuzzPlain(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { alike(t, text) })
}
