package terminal

// The tricks that a card is shown with, each by its name: it is written out where it
// stands, once, and makes nothing of the rest of the card.

import (
	"strings"
	"testing"

	"assent"
)

func TestAdversarial09EachTrickIsWrittenOut(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ argument, shown string }{
		"clearing the screen":   {"\x1b[2J\x1b[H", "⟨escape⟩[2J⟨escape⟩[H"},
		"a link":                {"\x1b]8;;http://a.example\x07b.example\x1b]8;;\x07", "⟨escape⟩]8;;http://a.example⟨bell⟩b.example⟨escape⟩]8;;⟨bell⟩"},
		"the clipboard":         {"\x1b]52;c;aGk=\x07", "⟨escape⟩]52;c;aGk=⟨bell⟩"},
		"one byte for a prefix": {"\xc2\x9b2J", "⟨U+009B⟩2J"},
		"the other direction":   {"gpj.\u202eexe", "gpj.⟨U+202E⟩exe"},
		"tag characters":        {"ls\U000e0072\U000e006d", "ls⟨U+E0072⟩⟨U+E006D⟩"},
		"zero width":            {"a\u200bb\u2060c", "a⟨U+200B⟩b⟨U+2060⟩c"},
		"a look-alike":          {"https://p\u0430ypal.example", "! mixed scripts, Cyrillic and Latin: p⟨U+0430⟩ypal"},
		"another's slash":       {"\u2215etc", "! a sign that passes for a plain one: ⟨U+2215⟩etc"},
		"a line of its own":     {"x\n    2  harmless", "x⟨newline⟩⟨space ×4⟩2  harmless"},
		"back to the start":     {"rm -rf /\rls", "rm -rf /⟨return⟩ls"},
		"an answer of its own":  {"x\n\nYour answer\n       assent approve req_2", "x⟨newline⟩⟨newline⟩Your answer⟨newline⟩"},
		"what pushes it away":   {strings.Repeat("\n", 200) + "x", "⟨newline⟩x"},
		"blanks":                {" a" + strings.Repeat(" ", 90) + "b", "⟨space⟩a⟨space ×90⟩b"},
		"nothing":               {"", "⟨empty⟩"},
		"our own signs":         {"⟨empty⟩", "⟨U+27E8⟩empty⟨U+27E9⟩"},
		"no text":               {"\xff\xfe", "⟨0xFF⟩⟨0xFE⟩"},
		"markdown":              {"[ok](http://a.example) **safe** `x` <b>y</b>", "[ok](http://a.example) **safe** `x` <b>y</b>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := assent.Request{ID: "req_1", Kind: assent.KindApproval, State: assent.Pending}
			r.Case.Commands = []assent.Command{{Program: assent.Word{Value: "rm", Known: true}, Args: []assent.Word{{Value: x.argument, Known: true}, {Value: "the last", Known: true}}}}
			text, whole := Card(r, Options{Width: 4096})
			inert(t, text, false)
			plain := strings.ReplaceAll(text, "\n     "+again, "")
			if !strings.Contains(plain, x.shown) || strings.Count(plain, "\n    1  ") != 1 || strings.Count(plain, "\n    2  the last\n") != 1 || strings.Count(plain, "\n    2  ") != 1 {
				t.Errorf("want %q:\n%s", x.shown, text)
			}
			if whole != (strings.Count(text, "\n       assent approve req_1\n") == 1) || strings.Contains(text, "\n       assent approve req_2") {
				t.Errorf("whole %v:\n%s", whole, text)
			}
		})
	}
}
