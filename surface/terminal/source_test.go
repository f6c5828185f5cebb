package terminal

// The source: carets stand under what a fact is about, whatever the text holds.

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
)

func underlined(text string, s assent.Span, columns int) string {
	p := newPage(Options{Width: columns}.filled())
	p.source(text, s)
	return p.String()
}

func TestASpanIsUnderlined(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		text, want string
		span       assent.Span
	}{
		{"ls && rm -rf x", "       │ ls && rm -rf x\n       │       ^^^^^^^^\n", assent.Span{From: 6, To: 14}},
		{"a\nrm \\\n x\nb", "       │ rm \\\n       │ ^^^^\n       │  x\n       │ ^^\n", assent.Span{From: 2, To: 9}},
		{"echo 日本 rm", "       │ echo 日本 rm\n       │           ^^\n", assent.Span{From: 12, To: 14}},
		{"echo 日本", "       │ echo 日本\n       │      ^^\n", assent.Span{From: 6, To: 7}},
		{"a\x1bb", "       │ a⟨escape⟩b\n       │  ^^^^^^^^\n", assent.Span{From: 1, To: 2}},
		{"a\tb", "       │ a⟨tab⟩b\n       │       ^\n", assent.Span{From: 2, To: 3}},
		{"\xff\u202eb", "       │ ⟨0xFF⟩⟨U+202E⟩b\n       │       ^^^^^^^^\n", assent.Span{From: 1, To: 4}},
		{"e\u0301x", "       │ e\u0301x\n       │  ^\n", assent.Span{From: 3, To: 4}},
		{"ls", "       │ ls\n       │   ^\n", assent.Span{From: 2, To: 2}},
		{"ls", "       │ ls\n       │   ^\n", assent.Span{From: 900, To: 1000}},
		{"ls", "       │ ls\n       │ ^^\n", assent.Span{From: -5, To: 1000}},
		{"a\n\nb", "       │\n       │ ^\n", assent.Span{From: 2, To: 2}},
		{long, "       │ xxxxxxxxxxxxxxxxxxx⟨81 bytes⟩\n       │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n", assent.Span{From: 0, To: 100}},
		{long + "y" + long, "       │ ⟨96 bytes⟩xxxxyxxxxxxxxxxxxxx⟨86 bytes⟩\n       │               ^\n", assent.Span{From: 100, To: 101}},
		{"1\n2\n3\n4\n5\n6\n7\n8", "       │ 1\n       │ ^\n       │ 2\n       │ ^\n       │ 3\n       │ ^\n       │ 4\n       │ ^\n       │ 5\n       │ ^\n       │ 6\n       │ ^\n       │ and 2 more lines\n",
			assent.Span{From: 0, To: 15}},
	} {
		if got := underlined(c.text, c.span, 50); got != c.want {
			t.Errorf("%q %v:\n%s\nwant\n%s", c.text, c.span, got, c.want)
		}
	}
}

func TestTheSourceIsInertAndKeepsItsWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := nasty.Draw(t, "text")
		s := assent.Span{From: rapid.IntRange(-1, len(text)+1).Draw(t, "from"), To: rapid.IntRange(-1, len(text)+1).Draw(t, "to")}
		columns := rapid.IntRange(60, 120).Draw(t, "width")
		got := underlined(text, s, columns)
		inert(t, got, false)
		if !strings.Contains(got, "^") {
			t.Fatalf("nothing is underlined:\n%s", got)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if w := width(finished(line)); w > columns {
				t.Fatalf("%d of %d columns: %q", w, columns, line)
			}
		}
	})
}
