package answer

// What stands around an answer never makes a no weaker.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/hook"
)

var denials = []string{
	`{"decision":"block","reason":"no"}`, `{"action":"block","message":"no"}`, `{"decision":"deny"}`, `{"continue":false,"stopReason":"no"}`,
	`{"behavior":"deny"}`, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`,
	`{"hookSpecificOutput":{"decision":{"behavior":"deny"}},"systemMessage":"{}"}`, `{"decision":"block","reason":"a {\n} b","updatedInput":{"command":"ls"}}`,
}

var around = []string{
	"", "{}", "bye", "  ", "[INFO] up", "[1]", "}", "]", "null", `{"level":"info","at":{"line":1}}`, "\t{ }", `"{}"`, "x {", `{"a":[]}{"b":1}`, "\r50 %\r",
}

var rivals = []string{`{"suppressOutput":true}`, `{"decision":"allow"}`, `{"decision":"approve"}`, "{oops", `{"a":1,"a":2}`, `{"decision":"allow"} {`}

// printed is an answer as a program may print it.
func printed(t *rapid.T, answer string) string {
	var b bytes.Buffer
	switch indent := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"); indent {
	case "":
		return answer
	default:
		if err := json.Indent(&b, []byte(answer), rapid.SampledFrom([]string{"", "  "}).Draw(t, "prefix"), indent); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// putAmong puts lines around an answer.
func putAmong(t *rapid.T, answer string, lines []string) Output {
	before := rapid.SliceOfN(rapid.SampledFrom(lines), 0, 4).Draw(t, "before")
	behind := rapid.SliceOfN(rapid.SampledFrom(lines), 0, 4).Draw(t, "behind")
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
	return said(strings.Join(slices.Concat(before, []string{printed(t, answer)}, behind), end))
}

var dialects = []hook.Dialect{hook.Hermes, hook.Claude, hook.Ours}

func TestWordsAroundANoLeaveItANo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		out := putAmong(t, rapid.SampledFrom(denials).Draw(t, "answer"), around)
		r, err := Read(assent.PreToolCall, rapid.SampledFrom(dialects).Draw(t, "dialect"), "shell", out)
		if r.Decision != assent.Deny || err != nil {
			t.Errorf("%q: %s", out.Stdout, say(r, err))
		}
		if op, err := Approval(out); !bytes.Contains(out.Stdout, []byte("action")) && (op.Decision != assent.Deny || err != nil) {
			t.Errorf("%q: %s", out.Stdout, opinionText(op, err))
		}
	})
}

func TestBesideOtherAnswersANoIsHeard(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := append([]string{rapid.SampledFrom(rivals).Draw(t, "rival")}, around...)
		out := putAmong(t, rapid.SampledFrom(denials).Draw(t, "answer"), lines)
		if r, err := Read(assent.PreToolCall, rapid.SampledFrom(dialects).Draw(t, "dialect"), "shell", out); r.Decision != assent.Deny {
			t.Errorf("%q: %s", out.Stdout, say(r, err))
		}
		if op, _ := Approval(out); op.Decision == assent.Allow {
			t.Errorf("%q: approved", out.Stdout)
		}
	})
}
