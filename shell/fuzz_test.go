package shell

// Scripts for tests, fuzzing, and the bounds of Parse.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"assent"
)

func isUnknown(f assent.Finding) bool { return f.Code == Unknown || f.Code == Limit }

// seeds are the command lines of the corpus.
func seeds(t testing.TB) []string {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txtar")
	var out []string
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(raw).Files {
			for line := range strings.Lines(string(f.Data)) {
				if text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ "); ok {
					out = append(out, strings.ReplaceAll(text, "⏎", "\n"))
				}
			}
		}
	}
	return out
}

// script draws a script whose programs are p1, p2 and so on.
func script(t *rapid.T, depth int) string {
	n := rapid.IntRange(1, 4).Draw(t, "statements")
	parts := make([]string, n)
	for i := range parts {
		parts[i] = statement(t, depth)
	}
	return strings.Join(parts, rapid.SampledFrom([]string{"; ", "\n", " && ", " || ", "; "}).Draw(t, "separator"))
}

var words = []string{"p1", "p2", "p3", "'p4'", `"p5"`, "$A", `"$A"`, "${B}", "$C", `"${D[@]}"`, "${D[0]}", "$(echo p6)", "{p7,p8}", `p"9"`, "$'\\x70'1", "${A:-p2}", "${A/p/q}", "${E:-p3}", "$1", `"$@"`, "x", "-c", "~", "*.txt", "${A}x", "$(p1)", "`echo p2`", "${#A}", "${A%1}", "$((1+1))", "''", "$IFS"}

var frames = []string{"(%)", "{ %; }", "if %; then %; else %; fi", "for A in p1 p2; do %; done", "for B in p3 $A; do %; done", "case $A in p1) %;; *) %;; esac",
	"f() { %; }", "f", "f p1 p2", "! %", "% | %", "% &", "g() { %; }; g p4", "eval '%'", "% > out", "p1 <<E\n$(%)\nE\n", "x=$(%)", "[[ -n $(%) ]]", "[ -n x ] && %", "% || %", "% && %"}

var assignments = []string{"A=%", "B=%", "C=p1", "C='p2 p3'", "D=(% %)", "A=", "unset A", "B+=1", "E=${A:-p1}", "IFS=,", "set -- % %", "shift", "export A=%", "local A=%", "A=% B=%", "read A", "eval A=%", "eval \"$A\"", "D+=(%)"}

func statement(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	switch {
	case kind < 3:
		return filled(t, rapid.SampledFrom(assignments).Draw(t, "assignment"), func() string { return rapid.SampledFrom(words).Draw(t, "word") })
	case kind < 6 && depth > 0:
		return filled(t, rapid.SampledFrom(frames).Draw(t, "frame"), func() string { return statement(t, depth-1) })
	}
	n := rapid.IntRange(1, 3).Draw(t, "words")
	parts := make([]string, n)
	for i := range parts {
		parts[i] = rapid.SampledFrom(words).Draw(t, "word")
	}
	return strings.Join(parts, " ")
}

func filled(_ *rapid.T, frame string, hole func() string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(frame, "%")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString(hole())
		frame = after
	}
}

// FuzzParse: no panic reaches the outside, spans lie in the text, limits hold.
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begun := time.Now()
		s := Parse(text, "/work", "/home/ada")
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		if len(s.Commands) > MaxCommands+maxMore {
			t.Errorf("%d commands", len(s.Commands))
		}
		for _, c := range s.Commands {
			if c.Span.From < 0 || c.Span.From > c.Span.To || c.Span.To > len(text) {
				t.Errorf("the span %v lies outside", c.Span)
			}
			if c.Name != "" && !c.Program.Known {
				t.Errorf("the name %q of a program that is not known", c.Name)
			}
		}
		for _, x := range s.Findings {
			if x.Note == "" || x.Code == "" || strings.Contains(x.Note, "parser failed") {
				t.Errorf("%+v", x)
			}
		}
	})
}

// TestParseIsDeterministic: the same text is the same Script.
func TestParseIsDeterministic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := script(t, 3)
		if a, b := render(text), render(text); a != b {
			t.Fatalf("%s\n%s\n%s", text, a, b)
		}
	})
}

func render(text string) string { return dump("$ " + strings.ReplaceAll(text, "\n", "⏎")) }
