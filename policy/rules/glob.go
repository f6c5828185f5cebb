package rules

// Globs: over text, and over paths by component.

import (
	"strings"
	"unicode/utf8"
)

func hasGlob(s string) bool { return strings.ContainsAny(s, "*?") }

// fits reports whether text matches a pattern in which "*" is any text and "?"
// any one letter; a backslash takes their meaning away.
func fits(pattern, text string) bool { return glob(pattern, text, false) }

// glob is fits; of an open text only the start is known, and it matches when some
// text with that start does.
func glob(pattern, text string, open bool) bool {
	p, t := 0, 0
	star, mark := -1, 0
	for t < len(text) {
		size, ok := 0, false
		if p < len(pattern) && pattern[p] != '*' {
			size, ok = letter(pattern[p:], text[t:])
		}
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case ok:
			p += size
			t += width(pattern[p-size], text[t:])
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return open || strings.Trim(pattern[p:], "*") == ""
}

// letter reports whether the first letter of a pattern is the first of a text,
// and how many bytes of the pattern it took.
func letter(pattern, text string) (size int, ok bool) {
	switch {
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == text[0]
	}
	return 1, pattern[0] == text[0]
}

// width is how many bytes of a text one element of a pattern takes.
func width(element byte, text string) int {
	if element != '?' {
		return 1
	}
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// meet reports whether some text matches both globs.
func meet(a, b string) bool {
	const most = 256 // longer ones may meet
	if len(a) > most || len(b) > most {
		return true
	}
	row := make([]bool, len(b)+1) // row[j]: a[i:] and b[j:] meet
	for i := len(a); i >= 0; i-- {
		below := false // row[j+1] of the row before
		for j := len(b); j >= 0; j-- {
			was := row[j]
			switch {
			case i == len(a) && j == len(b):
				row[j] = true
			case i == len(a):
				row[j] = b[j] == '*' && row[j+1]
			case j == len(b):
				row[j] = a[i] == '*' && was
			case a[i] == '*' || b[j] == '*':
				row[j] = was || row[j+1]
			default:
				row[j] = below && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
			}
			below = was
		}
	}
	return row[0]
}

// pathGlob is how a path is compared with a pattern.
type pathGlob struct {
	loose bool // a path that may match does
	open  bool // only the start of the path is known
	tree  bool // what lies below the path is meant too
	plain bool // the path holds no globs, whatever it looks like
}

// fits reports whether a path matches a pattern, both absolute and clean.
func (g pathGlob) fits(pattern, path string) bool {
	return g.along(strings.Split(pattern, "/"), path)
}

// along compares component by component; "**" is any number of them.
func (g pathGlob) along(pattern []string, path string) bool {
	p, star, mark := 0, -1, ""
	for rest, more := path, true; more; {
		name, after, next := strings.Cut(rest, "/")
		last := g.open && !next
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if star, mark = p, rest; last {
				return true
			}
			p++
		case p < len(pattern) && g.component(pattern[p], name, last):
			if last {
				return true
			}
			p++
			rest, more = after, next
		case star >= 0:
			_, mark, more = strings.Cut(mark, "/")
			p, rest = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern) || g.tree && star < 0
}

// component compares one component; that of the path may be a glob for the shell.
func (g pathGlob) component(pattern, name string, open bool) bool {
	switch {
	case g.plain || !strings.ContainsAny(name, "*?["):
		return glob(pattern, name, open)
	case g.loose:
		return strings.Contains(name, "[") || meet(pattern, name)
	}
	return pattern == "*" || pattern == name
}
