package claude

// The words of an answer, bounded: what a model or a terminal reads must not be
// long, and must not be able to steer either.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assent"
)

// Bounds of the words in an answer, in bytes.
const (
	reasonMax  = 2000
	contextMax = 8000
)

// reason is the one sentence that says why; Claude Code takes no refusal without.
func reason(v assent.Verdict) string {
	text := v.Tell
	for _, r := range v.Reasons {
		if text == "" && r.Decision == v.Decision {
			text = r.Text
		}
	}
	if text = bounded(oneLine(text), reasonMax); text == "" {
		return "assent did not allow this."
	}
	return text
}

// oneLine turns control and format characters into single spaces.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}

// shown drops what a terminal would obey, and keeps lines.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, s)
}

// bounded makes s valid UTF-8 of at most limit bytes, cut between runes and
// marked where it was cut.
func bounded(s string, limit int) string {
	const mark = "…"
	if s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")); len(s) <= limit {
		return s
	}
	cut := limit - len(mark)
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
