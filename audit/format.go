package audit

// How a record looks: one line for people, and one of JSON for programs.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

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
// nothing. It is for reading over: long commands are cut, with a mark, and so is
// the line where width, in columns, is above 0; --json has all. Nothing in it can
// move a cursor, turn the direction of writing or begin a line of its own.
func Text(r assent.Record, payload []byte, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%5d  %s  %-7s  %-5s", r.N, r.At.UTC().Format(time.DateTime), Plain(r.Kind), decision(r))
	for _, part := range []struct{ label, value string }{
		{"", r.Event}, {"", r.Tool}, {"", clip(gist(payload), 72)}, {"", r.Request}, {"", r.Grant}, {"use ", use(r)},
		{"by ", clip(by(r), 24)}, {"", session(r)}, {"", r.Note},
	} {
		if part.value != "" {
			b.WriteString("  " + part.label + Plain(part.value))
		}
	}
	for _, why := range whys(r) {
		b.WriteString("  [" + why + "]")
	}
	return cut(b.String(), width)
}

// by is who is behind it, where that is news: an event's is always the one that
// the agent acts for.
func by(r assent.Record) string {
	if r.Kind == assent.KindEvent {
		return ""
	}
	return r.By
}

// canary is the session of the calls that prove a gate.
const canary = "assent-canary"

func session(r assent.Record) string {
	switch r.Session {
	case "":
		return ""
	case canary:
		return "canary"
	}
	return "session " + clip(r.Session, 8)
}

// whys are the reasons that no line before this one told, escaped. Where a
// request asks, its reasons stand with the asking; a denial of it that has no
// reason of its own is one that nobody answered.
func whys(r assent.Record) []string {
	if r.Grant != "" {
		return nil
	}
	var all []string
	after := r.Decision == assent.Deny && r.Request != ""
	for _, reason := range r.Reasons {
		line := Plain(reason.By) + ": " + Plain(reason.Text)
		if (!after || reason.Decision == assent.Deny) && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	if after && len(all) == 0 && r.Kind == assent.KindEvent && len(r.Reasons) > 0 {
		return []string{"nobody answered in time"}
	}
	return all
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
