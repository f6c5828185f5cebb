package audit

// What may be printed: text made visible, and cut to a width.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks one letter may carry; a flood of them
// paints over the lines around it.
const maxMarks = 2

var byName = map[rune]string{
	0: "nul", '\a': "bell", '\b': "backspace", '\t': "tab", '\n': "newline", '\r': "return", 0x1b: "escape",
}

// Plain returns s as one line of visible characters. What a terminal would obey
// or a person would not see is written out between ⟨ and ⟩: by name (⟨newline⟩),
// as a code point (⟨U+202E⟩) or, where s is not UTF-8, as a byte (⟨0xFF⟩). ⟨ and
// ⟩ are written out too, so that nothing can look escaped that was not.
func Plain(s string) string {
	var b strings.Builder
	marks := maxMarks // a mark needs a letter to stand on
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if text := written(r, s[:n]); text != "" || marks > maxMarks {
			fmt.Fprintf(&b, "⟨%s⟩", orPoint(text, r))
			marks = maxMarks
		} else {
			b.WriteRune(r)
		}
		if r == ' ' {
			marks = maxMarks
		}
		s = s[n:]
	}
	return b.String()
}

// written is how r is written out, empty if it is shown as it is.
func written(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf("0x%02X", raw[0])
	case byName[r] != "":
		return byName[r]
	case r != ' ' && !unicode.IsPrint(r) || r == '⟨' || r == '⟩' || unicode.Is(invisible, r):
		return orPoint("", r)
	}
	return ""
}

func orPoint(text string, r rune) string {
	if text == "" {
		return fmt.Sprintf("U+%04X", r)
	}
	return text
}

// invisible is what unicode counts as a letter or mark and terminals draw as
// nothing.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian variation selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // empty Braille pattern
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // half-width Hangul filler
		{Lo: 0xfffc, Hi: 0xfffc, Stride: 1}, // object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe4, Hi: 0x16fe4, Stride: 1}, // Khitan filler
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // null note head
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}, // tags and more selectors
	},
}

// cut cuts escaped text to most columns, never inside what is written out, and
// shows that it did; most = 0 cuts nothing.
func cut(s string, most int) string {
	n, end, open := 0, 0, false
	for i, r := range s {
		open = r == '⟨' || open && r != '⟩'
		if n += columns(r); most > 0 && n > most {
			return s[:end] + "…"
		}
		if n < most && !open {
			end = i + utf8.RuneLen(r)
		}
	}
	return s
}

// columns is the most columns that a terminal gives to r.
func columns(r rune) int {
	if r >= 0x1100 && r <= 0x115f || r >= 0x2300 && r <= 0x27bf || r >= 0x2b00 {
		return 2
	}
	return 1
}
