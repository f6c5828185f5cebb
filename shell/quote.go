package shell

// Escapes: backslashes, and the $'…' quotes of ANSI C.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape removes backslashes. Between double quotes they only escape some
// characters.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		c := s[i+1]
		switch {
		case c == '\n':
			i++
		case quoted && !strings.ContainsRune("$`\"\\", rune(c)):
			b = append(b, '\\')
		default:
			b = append(b, c)
			i++
		}
	}
	return string(b)
}

const ansiLetters = "abefnrtvE\\'\"?"
const ansiBytes = "\a\b\x1b\f\n\r\t\v\x1b\\'\"?"

// ansiC decodes the inside of $'…'.
func ansiC(s string) string {
	s = escapes(s, false)
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i] // as bash does
	}
	return s
}

// escapes decodes escapes; zero is for echo and %b, where octal numbers begin
// with one.
func escapes(s string, zero bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		c := s[i]
		if zero && c == '0' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '7' {
			i++
		}
		if j := strings.IndexByte(ansiLetters, c); j >= 0 {
			b = append(b, ansiBytes[j])
			continue
		}
		var n int
		b, n = ansiNumber(b, s[i:])
		i += n - 1
	}
	return string(b)
}

// ansiNumber decodes \nnn, \xHH, \uHHHH, \UHHHHHHHH and \cX, and returns how
// many bytes of s it took.
func ansiNumber(b []byte, s string) ([]byte, int) {
	digits := func(from, most, base int) (uint64, int) {
		n := from
		for n < len(s) && n < from+most {
			if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
				break
			}
			n++
		}
		v, _ := strconv.ParseUint(s[from:n], base, 32)
		return v, n
	}
	most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	switch {
	case s[0] >= '0' && s[0] <= '7':
		v, n := digits(0, 3, 8)
		return append(b, byte(v)), n
	case most == 2:
		if v, n := digits(1, most, 16); n > 1 {
			return append(b, byte(v)), n
		}
	case most > 2:
		if v, n := digits(1, most, 16); n > 1 {
			return utf8.AppendRune(b, rune(v)), n
		}
	case s[0] == 'c' && len(s) > 1:
		return append(b, s[1]&0x1f), 2
	}
	return append(b, '\\', s[0]), 1
}
