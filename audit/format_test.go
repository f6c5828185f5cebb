package audit_test

// How records look, and the format that must not change.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"assent"
	"assent/audit"

	"pgregory.net/rapid"
)

func TestTextIsOneLineForPeople(t *testing.T) {
	t.Parallel()
	r := assent.Record{
		N: 17, At: t0.In(time.FixedZone("", 3600)), Kind: assent.KindAnswer, Event: assent.PreToolCall, Tool: "shell",
		Decision: assent.Allow, Request: "req_3", Grant: "gr_2", Use: 1, By: "key:ann", Session: "s1", Note: "fine",
		Reasons: []assent.Reason{{By: "rule", Decision: assent.Ask, Text: "it deletes"}},
	}
	payload := []byte(`{"dir":"/w","input":{"command":"rm -r x"}}`)
	want := "   17  2026-03-01 12:00:00  answer   allow  pre_tool_call  shell  rm -r x  req_3  gr_2  use 1  by key:ann  session s1  fine"
	if got := audit.Text(r, payload, 0); got != want {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
	r.Grant, r.Use, r.Decision, r.Session = "", 0, assent.Ask, "0123456789"
	payload = []byte(`{"input":{"command":"` + strings.Repeat("x", 100) + `"}}`)
	want = "   17  2026-03-01 12:00:00  answer   ask    pre_tool_call  shell  " + strings.Repeat("x", 72) + "…  req_3  by key:ann  session 01234567…  fine  [rule: it deletes]"
	if got := audit.Text(r, payload, 0); got != want {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
}

// event is a judged call of an agent.
func event(d assent.Decision, request string, reasons ...assent.Reason) assent.Record {
	return assent.Record{N: 4, At: t0, Kind: assent.KindEvent, Event: assent.PreToolCall, Tool: "shell", Decision: d,
		Request: request, By: "uid:0", Session: "5f0c7a52-0000", Reasons: reasons}
}

func TestAReasonIsToldOnce(t *testing.T) {
	t.Parallel()
	asks := assent.Reason{By: "built-in", Decision: assent.Ask, Text: "It deletes."}
	no := assent.Reason{By: "answer", Decision: assent.Deny, Text: "req_2 denied"}
	canary := event(assent.Deny, "", asks)
	canary.Session = "assent-canary"
	for _, c := range []struct {
		record assent.Record
		want   string
	}{
		{event(assent.Ask, "req_2", asks, asks), "req_2  session 5f0c7a52…  [built-in: It deletes.]"},
		{event(assent.Deny, "req_2", asks), "req_2  session 5f0c7a52…  [nobody answered in time]"},
		{event(assent.Deny, "req_2", asks, no), "req_2  session 5f0c7a52…  [answer: req_2 denied]"},
		{event(assent.Deny, "", no), "session 5f0c7a52…  [answer: req_2 denied]"},
		{canary, "canary  [built-in: It deletes.]"},
	} {
		_, got, _ := strings.Cut(audit.Text(c.record, nil, 0), "  shell  ")
		if got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestALineIsCutToTheWidth(t *testing.T) {
	t.Parallel()
	r := event(assent.Ask, "req_2", assent.Reason{By: "rule", Text: "a\u202eb 日本 " + strings.Repeat("x", 50)})
	whole := audit.Text(r, nil, 0)
	for width := 1; width < 140; width++ {
		got := audit.Text(r, nil, width)
		before, was := strings.CutSuffix(got, "…")
		columns := utf8.RuneCountInString(got)
		for _, wide := range "日本" {
			columns += strings.Count(got, string(wide))
		}
		if columns > width || was && !strings.HasPrefix(whole, before) || !was && got != whole || strings.Count(got, "⟨") != strings.Count(got, "⟩") {
			t.Fatalf("%d of %d columns: %q of %q", columns, width, got, whole)
		}
	}
}

func TestTextCannotBeSpoofed(t *testing.T) {
	t.Parallel()
	if got := audit.Plain("a\x1b[2Jb\u202ec\nd\\u{1b} é 日本 👍"); got != `a⟨escape⟩[2Jb⟨U+202E⟩c⟨newline⟩d\u{1b} é 日本 👍` {
		t.Fatalf("%s", got)
	}
	odd := []rune{'\n', '\r', 0x1b, 0x9b, 0x7f, 0x200b, 0x200e, 0x202e, 0x2066, 0x2028, 0xfeff, 0xad, 0xe0041, 0x3164, 0xfe0f, 0x301, '⟨', '⟩', 'U', '+', 'x', ' ', 0x85, 0xa0}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom(odd), rapid.Rune())).Draw(r, "text")
		rec := assent.Record{At: t0, Kind: text, Event: text, Tool: text, Request: text, Grant: text, By: text, Session: text, Note: text,
			Reasons: []assent.Reason{{By: text, Text: text}}}
		payload, err := json.Marshal(map[string]any{"input": map[string]string{"command": text}})
		if err != nil {
			r.Fatal(err)
		}
		for _, c := range audit.Text(rec, payload, 0) {
			if c != ' ' && !unicode.IsPrint(c) || c >= 0xe0000 && c <= 0xe0fff || c == 0x3164 || c == 0xfe0f {
				r.Fatalf("%q came through in %q", c, audit.Text(rec, payload, 0))
			}
		}
		other := rapid.StringOf(rapid.SampledFrom(odd)).Draw(r, "other")
		if strings.ToValidUTF8(text, "") == text && text != other && audit.Plain(text) == audit.Plain(other) {
			r.Fatalf("%q and %q look the same", text, other)
		}
	})
}

func TestJSONKeepsTheBytesThatTheHashBinds(t *testing.T) {
	t.Parallel()
	for _, l := range record(t, 3) {
		line, err := audit.JSON(l)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Hash   string
			Record json.RawMessage
		}
		if err := json.Unmarshal(line, &got); err != nil || strings.Contains(string(line), "\n") {
			t.Fatalf("%s: %v", line, err)
		}
		if got.Hash != l.Hash || assent.LeafHash(got.Record) != l.Hash {
			t.Fatalf("%s", line)
		}
	}
	if _, err := audit.JSON(assent.Line{N: 1, Leaf: []byte("{")}); err == nil {
		t.Fatal("wrote what is no JSON")
	}
}

var update = flag.Bool("update", false, "write the golden file anew")

// TestRecordsAreLeavesOfAnRFC6962Tree fixes the format: the stored hashes of
// records are the leaf hashes of a Merkle tree whose roots are computed here as
// RFC 6962 section 2.1 says, and the bytes and roots stand in a golden file.
func TestRecordsAreLeavesOfAnRFC6962Tree(t *testing.T) {
	t.Parallel()
	var head assent.Head
	var hashes [][]byte
	var golden strings.Builder
	for i, r := range specimens() {
		r, leaf, next, err := head.Next(r, nil)
		if err != nil || r.N != uint64(i+1) {
			t.Fatal(r.N, err)
		}
		head = next
		hash, err := hex.DecodeString(next.Hash)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, hash)
		fmt.Fprintf(&golden, "%s\nleaf %s\nroot %x\n\n", leaf, next.Hash, root(hashes))
	}
	const path = "testdata/tree.golden"
	if *update {
		if err := os.WriteFile(path, []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if golden.String() != string(want) {
		t.Fatalf("the format of the log has changed; logs that exist can no longer be verified:\n%s", golden.String())
	}
}

// specimens are records of every kind, with every field set in one of them.
func specimens() []assent.Record {
	at := time.Date(2026, 3, 1, 12, 0, 0, 1234, time.FixedZone("", 7200))
	return []assent.Record{
		{At: at, Kind: assent.KindServe, Note: "started"},
		{At: at, Kind: assent.KindEvent, Event: assent.PreToolCall, EventID: "e1", Agent: "claude", Session: "s1", Call: "c1",
			Tool: assent.ToolShell, Digest: "d", Decision: assent.Ask, Request: "req_1", Payload: assent.PayloadHash([]byte("salt"), []byte("x")),
			Reasons: []assent.Reason{{By: "analyze", Decision: assent.Ask, Text: "it <deletes> & \u2028 \x01 é 😀"}}},
		{At: at, Kind: assent.KindAnswer, Decision: assent.Allow, Request: "req_1", Grant: "gr_1", Seal: "seal", By: "key:ann", Data: json.RawMessage(`{"z":1.50,"a":[1e3,"\u00e9"]}`)},
		{At: at, Kind: assent.KindEvent, Decision: assent.Allow, Grant: "gr_1", Use: 1},
		{At: at, Kind: assent.KindRevoke, Grant: "gr_1", By: "key:ann"},
		{At: at, Kind: assent.KindExpire, Decision: assent.Deny, Request: "req_2"},
		{At: at, Kind: assent.KindRefused, Note: "answer req_1"},
	}
}

// root is the Merkle tree hash of RFC 6962 section 2.1 over leaf hashes.
func root(leaves [][]byte) []byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	h := sha256.New()
	h.Write([]byte{1})
	h.Write(root(leaves[:k]))
	h.Write(root(leaves[k:]))
	return h.Sum(nil)
}
