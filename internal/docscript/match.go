package docscript

// Match: whether what was printed is what the page says.

import "strings"

// anything stands for any lines, or any characters within one.
const anything = "..."

// Match reports whether the printed lines are the wanted ones. Space at the end
// of a line does not count.
func Match(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == anything {
		for skip := 0; skip <= len(got); skip++ {
			if Match(want[1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && matchLine(strings.TrimRight(want[0], " "), strings.TrimRight(got[0], " ")) && Match(want[1:], got[1:])
}

func matchLine(want, got string) bool {
	head, tail, wild := strings.Cut(want, anything)
	if !wild {
		return want == got
	}
	rest, ok := strings.CutPrefix(got, head)
	for ok {
		if matchLine(tail, rest) {
			return true
		}
		if rest == "" {
			return false
		}
		rest = rest[1:]
	}
	return false
}
