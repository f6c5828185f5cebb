package analyze

// Look-alikes: a text as people see it, without what cannot be seen and with plain
// letters for those that look like them.

import (
	"slices"
	"strings"
	"unicode"

	"assent"
	"assent/shell"
)

// lookalike returns the facts about the text as it looks to people: without
// characters that cannot be seen, and with those that look like plain letters as
// these.
func lookalike(c assent.Case) []assent.Finding {
	if c.Tool != assent.ToolShell && c.Tool != assent.ToolExec || c.Name != assent.PreToolCall {
		return nil
	}
	if !beyondASCII(c.Input) {
		return nil // nearly all end here
	}
	text := commandText(c)
	plain := looks(text)
	if plain == text {
		return nil
	}
	out := []assent.Finding{{By: "disguise", Code: "code.trick", Note: "It has characters that cannot be seen, or look like others."}}
	other := c
	other.Findings = nil
	other.Commands = shell.Parse(plain, c.Dir, c.Places.Home).Commands
	for i := range other.Commands {
		other.Commands[i].Span = assent.Span{}
	}
	for _, a := range All {
		if a.Name == known.Name {
			continue
		}
		for _, f := range guarded(a, other) {
			if !slices.ContainsFunc(c.Findings, func(have assent.Finding) bool { return have.Code == f.Code }) {
				f.Note += " That is how it looks to people."
				out = append(out, f)
			}
		}
	}
	return out
}

// beyondASCII reports whether a JSON text may have characters in it that are no
// plain ASCII. How encoders spell the three that HTML is made of does not count.
func beyondASCII(raw []byte) bool {
	for i, b := range raw {
		if b >= 0x80 {
			return true
		}
		if b == '\\' && i+5 < len(raw) && raw[i+1] == 'u' {
			switch string(raw[i+2 : i+6]) {
			case "0026", "003c", "003e":
			default:
				return true
			}
		}
	}
	return false
}

// looks is a text as it looks: only what stands in the way of reading commands
// is taken away. A text without such characters is returned as it is.
func looks(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	rest := []rune(text)
	for i := 0; i < len(rest); i++ {
		switch r := rest[i]; {
		case r == 0x1b:
			i = escapeEnd(rest, i)
		case r >= 0xff01 && r <= 0xff5e:
			b.WriteRune(r - 0xfee0)
		case hidden(r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character cannot be seen, steers a terminal, turns
// the direction of writing, or is a wide form of a plain one.
func hidden(r rune) bool {
	switch {
	case r == 0x1b || r == 0x7 || r == 0x8 || r == 0x200b || r == 0x2060 || r == 0xfeff || r == 0xad || r == 0x180e:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return r >= 0xff01 && r <= 0xff5e && (unicode.IsLetter(r) || r == 0xff0d || r == 0xff0f)
}

// escapeEnd is the last character of the escape sequence at i.
func escapeEnd(text []rune, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '[':
		for i += 2; i < len(text) && (text[i] < 0x40 || text[i] > 0x7e); i++ {
		}
	case ']', 'P', '_', '^':
		for i += 2; i < len(text) && text[i] != 0x7; i++ {
			if text[i] == 0x1b {
				return i + 1
			}
		}
	default:
		i++
	}
	return i
}
