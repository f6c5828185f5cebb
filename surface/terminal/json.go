package terminal

// JSON, made harmless on a terminal without becoming another value.

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns the JSON text raw with every character that a terminal would obey
// or a person would not see written by its code, as \u202e: control and format
// characters, those that change the reading order, those without width, odd
// spaces, and floods of marks. Newlines and tabs between values stay. The value
// is the same; bytes that are not UTF-8 become \ufffd, as JSON readers take
// them. What is not JSON becomes harmless too, and stays not JSON.
func JSON(raw []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(raw))
	marks := maxMarks // a mark needs a letter to stand on
	for len(raw) > 0 {
		if n := letters(raw); n > 0 {
			b.Write(raw[:n])
			raw, marks = raw[n:], 0
			continue
		}
		c, n := utf8.DecodeRune(raw)
		if unicode.Is(unicode.M, c) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case c == '\r': // in proper JSON it stands between values only
			b.WriteByte(' ')
			marks = maxMarks
		case c == '\n' || c == '\t' || c == ' ':
			b.WriteByte(byte(c))
			marks = maxMarks
		case c == utf8.RuneError && n == 1, marks > maxMarks, c != opening && c != closing && !visible(c):
			escaped(&b, c)
			marks = maxMarks
		default:
			b.Write(raw[:n])
		}
		raw = raw[n:]
	}
	return b.Bytes()
}

// letters is how many plain ASCII letters, digits and signs raw begins with: what
// most of all JSON is made of.
func letters(raw []byte) int {
	n := 0
	for n < len(raw) && raw[n] > ' ' && raw[n] < 0x7f {
		n++
	}
	return n
}

// escaped writes c as JSON does: in UTF-16 units.
func escaped(b *bytes.Buffer, c rune) {
	for _, unit := range utf16.Encode([]rune{c}) {
		fmt.Fprintf(b, `\u%04x`, unit)
	}
}
