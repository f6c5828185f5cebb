package audit

// How a record looks: one line for people, and one of JSON for programs.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"assent"
)

// JSON is one line for programs: the record's exact bytes, which its hash binds,
// and the hash as it is kept. A line that is not JSON is ErrChain.
func JSON(l assent.Line) ([]byte, error) {
	if !json.Valid(l.Leaf) {
		return nil, fmt.Errorf("record %d: its bytes are not JSON: %w", l.N, assent.ErrChain)
	}
	hash, err := json.Marshal(l.Hash)
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", l.N, err)
	}
	return fmt.Appendf(nil, `{"hash":%s,"record":%s}`, hash, l.Leaf), nil
}

// Text is one line for people: number, time, what it was, what was decided, what
// it was about, who and why. payload is what was kept beside the record; nil is
// nothing. It is for reading over: long commands are cut, with a mark; --json has
// all. Nothing in it can move a cursor, turn the direction of writing or begin a
// line of its own.
func Text(r assent.Record, payload []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5d  %s  %-7s  %-5s", r.N, r.At.UTC().Format(time.DateTime), Plain(r.Kind), decision(r))
	for _, part := range []struct{ label, value string }{
		{"", r.Event}, {"", r.Tool}, {"", clip(gist(payload), 72)}, {"", r.Request}, {"", r.Grant}, {"use ", use(r)},
		{"by ", clip(r.By, 24)}, {"session ", clip(r.Session, 8)}, {"", r.Note},
	} {
		if part.value != "" {
			b.WriteString("  " + part.label + Plain(part.value))
		}
	}
	if r.Grant != "" {
		return b.String() // it was asked about before, and why stands there
	}
	for _, reason := range r.Reasons {
		fmt.Fprintf(&b, "  [%s: %s]", Plain(reason.By), Plain(reason.Text))
	}
	return b.String()
}

// gist is what an event was about: its command, path or address.
func gist(payload []byte) string {
	var p struct {
		Input struct{ Command, Path, URL string }
	}
	if json.Unmarshal(payload, &p) != nil {
		return ""
	}
	return cmp.Or(p.Input.Command, p.Input.Path, p.Input.URL)
}

// clip cuts a text to most characters, and shows that it did.
func clip(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

func decision(r assent.Record) string {
	if r.Decision == assent.None {
		return "-"
	}
	return r.Decision.String()
}

func use(r assent.Record) string {
	if r.Use == 0 {
		return ""
	}
	return fmt.Sprint(r.Use)
}

// Plain escapes what does not print, as \u{…}: control characters, those that
// turn the direction of writing, those that have no width, and line ends. A
// backslash in front of u{ is escaped too, so that nothing can look escaped that
// was not.
func Plain(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 && !strings.Contains(s, `\u{`) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if unprintable(r) || r == '\\' && strings.HasPrefix(s[i:], `\u{`) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable also names what unicode counts as a letter or mark and terminals
// draw as nothing.
func unprintable(r rune) bool {
	return r != ' ' && !unicode.IsPrint(r) || r == unicode.ReplacementChar || unicode.Is(invisible, r)
}

var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian variation selectors
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // half-width Hangul filler
	},
	R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}}, // tags and more selectors
}
