package claude

// Wire and Unwire, held against a corpus (testdata/settings) and against
// generated settings: everything else stays, byte by byte.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"assent"
)

const program = "/usr/local/bin/assent"

// shaped applies the words of a "how" section, which an archive cannot hold.
func shaped(a *txtar.Archive, text string) string {
	how, _ := section(a, "how")
	if strings.Contains(how, "chomp") {
		text = strings.TrimSuffix(text, "\n")
	}
	if strings.Contains(how, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if strings.Contains(how, "bom") {
		text = "\uFEFF" + text
	}
	return text
}

// unshaped undoes shaped, and fails when there is nothing to undo.
func unshaped(t *testing.T, a *txtar.Archive, text string) string {
	t.Helper()
	how, _ := section(a, "how")
	if strings.Contains(how, "bom") {
		if !strings.HasPrefix(text, "\uFEFF") {
			t.Error("the byte order mark is lost")
		}
		text = strings.TrimPrefix(text, "\uFEFF")
	}
	if strings.Contains(how, "crlf") {
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Error("not every line ends as the others do")
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if strings.Contains(how, "chomp") {
		if strings.HasSuffix(text, "\n") {
			t.Error("a line break was added at the end")
		}
		text += "\n"
	}
	return text
}

func TestSettings(t *testing.T) {
	t.Parallel()
	eachArchive(t, "settings", func(t *testing.T, a *txtar.Archive) {
		text, _ := section(a, "before")
		before := shaped(a, text)
		after, err := Wire([]byte(before), program)
		if err != nil {
			if !errors.Is(err, assent.ErrInvalid) {
				t.Errorf("%v is not ErrInvalid", err)
			}
			want(t, a, "error", err.Error()+"\n")
			return
		}
		want(t, a, "after", unshaped(t, a, string(after)))
		s, err := Wiring(after)
		if err != nil {
			t.Fatal(err)
		}
		want(t, a, "problems", lines(s.Problems()))
		checkRoundTrip(t, before, string(after))
	})
}

// checkRoundTrip checks that Wire is idempotent and that Unwire is its reverse,
// also over a change of program and time-outs.
func checkRoundTrip(t interface{ Errorf(string, ...any) }, before, after string) {
	again, err := Wire([]byte(after), program)
	if err != nil || string(again) != after {
		t.Errorf("wired twice: %v\n%s", err, cmp.Diff(after, string(again)))
	}
	moved, err := Wire([]byte(after), "/opt/x/assent-2", "--home", "/h")
	if err != nil || !strings.Contains(string(moved), "/opt/x/assent-2") || strings.Contains(string(moved), program) {
		t.Errorf("the program did not move: %v\n%s", err, moved)
	}
	back, err := Wire(moved, program)
	if err != nil || string(back) != after {
		t.Errorf("moved there and back: %v\n%s", err, cmp.Diff(after, string(back)))
	}
	for _, wired := range []string{after, string(moved)} {
		undone, err := Unwire([]byte(wired))
		if err != nil || string(undone) != before {
			t.Errorf("unwired: %v\n%s", err, cmp.Diff(before, string(undone)))
		}
	}
}

func TestWireProgram(t *testing.T) {
	t.Parallel()
	for path, ok := range map[string]bool{
		"/usr/bin/assent": true, "/x/assent-1.2": true, "/x/assent.exe": true, "/x y/\"q\"/assent": true,
		"assent": false, "./assent": false, "/usr/bin/env": false, "": false, "/x/notassent": false,
	} {
		out, err := Wire(nil, path)
		if (err == nil) != ok || err != nil && !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%q: %v", path, err)
		}
		if back, _ := Unwire(out); ok && len(back) > 0 {
			t.Errorf("%q: left over: %s", path, back)
		}
	}
}

// TestUnwireOnlyOurs: entries that only look a little like ours stay.
func TestUnwireOnlyOurs(t *testing.T) {
	t.Parallel()
	for _, hook := range []string{
		`{"type":"command","command":"/x/other","args":["hook","claude","--event","Stop"]}`,
		`{"type":"command","command":"/x/assent","args":["hook","claude","--event","PreToolUse"]}`,
		`{"type":"command","command":"/x/assent","args":["hook","codex","--event","Stop"]}`,
		`{"type":"command","command":"/x/assent hook claude --event Stop"}`,
		`{"type":"http","command":"/x/assent","args":["hook","claude","--event","Stop"]}`,
		`{"type":"command","command":"/x/assent","args":"hook claude --event Stop"}`,
		`7`,
	} {
		text := `{"hooks":{"Stop":[{"hooks":[` + hook + `]}]}}`
		if out, err := Unwire([]byte(text)); err != nil || string(out) != text {
			t.Errorf("%s: %v\n%s", hook, err, out)
		}
	}
}

// TestWireMesses: entries of ours that somebody copied, moved or changed end as
// one good entry for each event, and others' neighbours stay.
func TestWireMesses(t *testing.T) {
	t.Parallel()
	our := func(event, more string) string {
		return `{"type":"command","command":"/old/assent","args":["hook","claude","--event","` + event + `"]` + more + `}`
	}
	for _, text := range []string{
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + our("PreToolUse", "") + `]}]}}`,
		`{"hooks":{"PreToolUse":[{"hooks":[` + our("PreToolUse", "") + `,` + our("PreToolUse", `,"timeout":5`) + `]}]}}`,
		`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"keep"},` + our("PreToolUse", "") + `]}]}}`,
		"{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [" + our("PreToolUse", "") + ", {\"type\": \"command\", \"command\": \"keep\"}]}\n    ]\n  }\n}\n",
		"{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [" + our("PreToolUse", "") + ", " + our("PreToolUse", "") + "]}\n    ]\n  }\n}\n",
	} {
		out, err := Wire([]byte(text), program)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Wiring(out)
		if err != nil || !s.Closed() {
			t.Errorf("%v %v\n%s", err, s.Problems(), out)
		}
		doc, err := parse(out)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(doc.own("")); n != len(s.Hooks) {
			t.Errorf("%d entries for %d events\n%s", n, len(s.Hooks), out)
		}
		if strings.Contains(text, "keep") && !bytes.Contains(out, []byte("keep")) {
			t.Errorf("a neighbour is gone\n%s", out)
		}
		if again, err := Wire(out, program); err != nil || !bytes.Equal(again, out) {
			t.Errorf("not idempotent: %v\n%s", err, again)
		}
	}
}

// TestWireGenerated: whatever the layout, everything else stays and everything
// of ours goes again.
func TestWireGenerated(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		before := drawSettings(rt)
		after, err := Wire([]byte(before), program)
		if err != nil {
			rt.Fatalf("%v\n%s", err, before)
		}
		if _, err := hujson.Parse(after); err != nil {
			rt.Fatalf("%v\n%s\nbecame\n%s", err, before, after)
		}
		wired := hookCount(rt, after)
		for _, r := range rows {
			more := 0
			if r.wired {
				more = 1
			}
			if had := hookCount(rt, []byte(before))[r.event]; wired[r.event] != had+more {
				rt.Fatalf("%s: %d groups, then %d\n%s", r.event, had, wired[r.event], after)
			}
		}
		checkRoundTrip(rt, before, string(after))
	})
}

// hookCount counts the groups of every event.
func hookCount(rt *rapid.T, text []byte) map[string]int {
	std, err := hujson.Minimize(bytes.Clone(text))
	var s struct{ Hooks map[string][]json.RawMessage }
	if err != nil || json.Unmarshal(std, &s) != nil {
		rt.Fatalf("%v\n%s", err, text)
	}
	out := map[string]int{}
	for k, v := range s.Hooks {
		out[k] = len(v)
	}
	return out
}

// drawSettings writes settings in a random layout.
func drawSettings(rt *rapid.T) string {
	p := printer{rt: rt, eol: "\n", unit: rapid.SampledFrom([]string{"  ", "    ", "\t", ""}).Draw(rt, "unit")}
	p.comments, p.compact = rapid.Bool().Draw(rt, "comments"), rapid.IntRange(0, 3).Draw(rt, "compact") == 0
	if rapid.Bool().Draw(rt, "crlf") {
		p.eol = "\r\n"
	}
	if p.compact {
		p.comments, p.eol, p.unit = false, "", ""
	}
	var members []string
	for i := range rapid.IntRange(0, 3).Draw(rt, "keys") {
		members = append(members, fmt.Sprintf(`"k%d": %s`, i, rapid.SampledFrom([]string{`1`, `"x, y"`, `[]`, `{"a": "//"}`}).Draw(rt, "value")))
	}
	if rapid.Bool().Draw(rt, "hooks") {
		at := rapid.IntRange(0, len(members)).Draw(rt, "at")
		members = append(members[:at:at], append([]string{`"hooks": ` + p.hooks()}, members[at:]...)...)
	}
	end := rapid.SampledFrom([]string{"", p.eol, p.eol + p.eol}).Draw(rt, "end")
	return p.list("", '{', members) + end
}

type printer struct {
	rt                *rapid.T
	eol, unit         string
	comments, compact bool
}

func (p printer) hooks() string {
	var events []string
	for _, e := range []string{"PreToolUse", "Stop", "Made-up"} {
		if !rapid.Bool().Draw(p.rt, e) {
			continue
		}
		var groups []string
		for range rapid.IntRange(0, 2).Draw(p.rt, "groups") {
			groups = append(groups, `{"matcher": "Bash", "hooks": [{"type": "command", "command": "x // y"}]}`)
		}
		events = append(events, `"`+e+`": `+p.list(p.unit+p.unit, '[', groups))
	}
	return p.list(p.unit, '{', events)
}

// list writes a list or object on one line or on many, with or without comments
// and a trailing comma.
func (p printer) list(ind string, open byte, items []string) string {
	end := string(open + 2)
	spread := !p.compact && rapid.Bool().Draw(p.rt, "spread")
	note := func() string {
		if !p.comments {
			return ""
		}
		return rapid.SampledFrom([]string{"", "", "/* a, b */", "/* a" + p.eol + "} */", "// c, }" + p.eol}).Draw(p.rt, "note")
	}
	var b strings.Builder
	b.WriteByte(open)
	b.WriteString(note())
	for i, item := range items {
		if spread {
			b.WriteString(p.eol + ind + p.unit)
		}
		b.WriteString(note() + item + note())
		if i < len(items)-1 || p.comments && rapid.Bool().Draw(p.rt, "trailing") {
			b.WriteByte(',')
		}
		b.WriteString(note())
	}
	if spread {
		b.WriteString(p.eol + ind)
	}
	return b.String() + end
}

// lines writes each text on a line of its own.
func lines(texts []string) string {
	var b strings.Builder
	for _, s := range texts {
		b.WriteString(s + "\n")
	}
	return b.String()
}
