package terminal

// Escape: text from outside, made inert and still readable to the last rune.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The marks around what is written out. They stand around nothing else: in text
// from outside they are written out themselves.
const (
	opening = '⟨'
	closing = '⟩'
)

// maxMarks is how many combining marks one letter may carry. Real writing needs
// no more; a flood of them paints over the lines around it.
const maxMarks = 2

// byName are the written-out characters that people know by name.
var byName = map[rune]string{
	0: "nul", '\a': "bell", '\b': "backspace", '\t': "tab", '\n': "newline", '\r': "return", 0x1b: "escape",
}

// blank are the characters that Unicode counts as visible and that show nothing:
// fillers, joiners and variation selectors.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034F, 0x034F, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1}, {0x2800, 0x2800, 1},
		{0x3164, 0x3164, 1}, {0xFE00, 0xFE0F, 1}, {0xFFA0, 0xFFA0, 1}, {0xFFFC, 0xFFFC, 1},
	},
	R32: []unicode.Range32{{0x16FE4, 0x16FE4, 1}, {0x1D159, 0x1D159, 1}, {0xE0000, 0xE0FFF, 1}},
}

// Escape returns s as one line of visible characters. What a terminal would obey
// or a person would not see is written out between ⟨ and ⟩: by name (⟨newline⟩,
// ⟨escape⟩), as a code point (⟨U+202E⟩) or, where s is not UTF-8, as a byte
// (⟨0xFF⟩). All else stays as it is, the backslash included. Different strings
// stay different, and the result is never shorter than s.
func Escape(s string) string {
	var b strings.Builder
	for r := (reader{rest: s}); r.rest != ""; {
		b.WriteString(r.next().text)
	}
	return b.String()
}

// token is a piece of a line that may not be broken.
type token struct {
	text string
	cols int // how many columns it takes
}

// reader takes text from outside apart into visible tokens.
type reader struct{ rest string }

func (r *reader) next() token {
	c, n := utf8.DecodeRuneInString(r.rest)
	t := token{r.rest[:n], columns(c)}
	switch {
	case c == utf8.RuneError && n == 1:
		t = written(fmt.Sprintf("0x%02X", r.rest[0]))
	case unicode.Is(unicode.M, c) || !visible(c): // a mark that comes here has no letter to stand on
		t = writtenRune(c)
	case c != ' ':
		t = marked(r.rest)
		n = len(t.text)
	}
	r.rest = r.rest[n:]
	return t
}

// marked takes the letter that s starts with, and the marks on it.
func marked(s string) token {
	c, end := utf8.DecodeRuneInString(s)
	t := token{cols: columns(c)}
	for range maxMarks {
		m, n := utf8.DecodeRuneInString(s[end:])
		if !unicode.Is(unicode.M, m) || unicode.Is(blank, m) {
			break
		}
		t.cols += columns(m)
		end += n
	}
	t.text = s[:end]
	return t
}

// visible reports whether c shows itself, in its place, and nothing else.
func visible(c rune) bool {
	if c < utf8.RuneSelf {
		return c >= ' ' && c < 0x7f
	}
	return unicode.IsGraphic(c) && !unicode.Is(unicode.Zs, c) && !unicode.Is(blank, c) && c != opening && c != closing
}

func writtenRune(c rune) token {
	if name, ok := byName[c]; ok {
		return written(name)
	}
	return written(fmt.Sprintf("U+%04X", c))
}

func written(what string) token {
	return token{string(opening) + what + string(closing), utf8.RuneCountInString(what) + 2}
}

// shown is s as tokens of a card: as Escape has it, with what a reader cannot
// count made countable: spaces at either end, runs of spaces, and nothing.
func shown(s string) []token {
	if s == "" {
		return []token{written("empty")}
	}
	var all []token
	for r := (reader{rest: s}); r.rest != ""; {
		rest := strings.TrimLeft(r.rest, " ")
		n := len(r.rest) - len(rest)
		if n > 3 || n > 0 && (len(all) == 0 || rest == "") {
			all = append(all, spaces(n))
			r.rest = rest
			continue
		}
		all = append(all, r.next())
	}
	return all
}

func spaces(n int) token {
	if n == 1 {
		return written("space")
	}
	return written(fmt.Sprintf("space ×%d", n))
}
