package mcp

// Output: what a result carries of what was printed, read or fetched, and what is
// never in one.

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"assent"
	"assent/internal/redact"
)

// The results of the tools, as their schemas say.
type (
	ran struct {
		Exit      int    `json:"exit"`
		Stdout    string `json:"stdout"`
		Stderr    string `json:"stderr"`
		Truncated bool   `json:"truncated"`
	}
	written struct {
		Written int `json:"written"`
	}
	data struct {
		Content   string `json:"content"`
		Encoding  string `json:"encoding"`
		Truncated bool   `json:"truncated"`
	}
	fetched struct {
		Status int    `json:"status"`
		URL    string `json:"url"`
		Type   string `json:"type"`
		data
	}
	pending struct {
		Request string `json:"request"`
		Grant   string `json:"grant"`
		Next    string `json:"next"`
	}
)

// asked is the result of asking for a call.
func asked(d Done) pending {
	if d.Request == "" {
		return pending{Grant: d.Grant, Next: "it is allowed already: make the call"}
	}
	return pending{Request: d.Request, Next: fmt.Sprintf("tell your user to run `assent approve %s`, then make exactly this call", d.Request)}
}

// half is how much is kept of the beginning of what one stream printed, and how much
// of its end.
const half = MaxOutput / 4

// excerpt keeps the beginning and the end of what is written to it. It takes the rest
// too: a program that says too much is not to hang.
type excerpt struct {
	head, tail []byte
	total      int64
}

func (x *excerpt) Write(p []byte) (int, error) {
	x.total += int64(len(p))
	n := min(len(p), half-len(x.head))
	x.head = append(x.head, p[:n]...)
	x.tail = append(x.tail, p[n:]...)
	if over := len(x.tail) - half; over > half { // not each time: it is moved
		x.tail = append([]byte(nil), x.tail[over:]...)
	}
	return len(p), nil
}

// cut reports whether something is missing.
func (x *excerpt) cut() bool { return x.total > 2*half }

// text is what was kept, with a note where something is missing.
func (x *excerpt) text() string {
	if !x.cut() {
		return withoutHandles(strings.ToValidUTF8(string(x.head)+string(x.tail), "\uFFFD"))
	}
	valid := func(b []byte) string { return withoutHandles(strings.ToValidUTF8(string(b), "\uFFFD")) }
	note := fmt.Sprintf("\n[assent: %d bytes were left out here]\n", x.total-2*half)
	return valid(x.head) + note + valid(x.tail[len(x.tail)-half:])
}

// readable is at most so much of a content as a result has it: as text where it is one.
func readable(b []byte, most int) data {
	cut := len(b) > most
	b = b[:min(len(b), most)]
	if whole := trimRune(b); cut && utf8.Valid(whole) {
		b = whole
	}
	text := withoutHandles(string(b))
	if utf8.ValidString(text) {
		return data{text, "utf-8", cut}
	}
	return data{base64.StdEncoding.EncodeToString([]byte(text)), "base64", cut}
}

// trimRune takes off the beginning of a character that ends after b.
func trimRune(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			return b
		}
	}
	return b
}

// withoutHandles is a text in which no handle is left, wherever it came from: what a
// model was told once, it may repeat.
func withoutHandles(s string) string {
	at := strings.Index(s, assent.HandlePrefix)
	if at < 0 {
		return s
	}
	var out strings.Builder
	for ; at >= 0; at = strings.Index(s, assent.HandlePrefix) {
		out.WriteString(s[:at])
		out.WriteString(redact.Mark)
		s = strings.TrimLeftFunc(s[at+len(assent.HandlePrefix):], inHandle)
	}
	return out.String() + s
}

func inHandle(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' || r == '='
}

// sentence is what we say ourselves: bounded, without secrets.
func sentence(s string) string {
	return clip(withoutHandles(redact.Text(strings.ToValidUTF8(s, "\uFFFD"))), maxSentence)
}

// clip is at most n bytes of a text.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return string(trimRune([]byte(s[:n]))) + "…"
}
