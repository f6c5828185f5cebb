package claude

// Encode, held against what Claude Code takes: the table below says for every
// event which members its answers may have, as the schema in the program of
// Version does, and was tried on the program itself (internal/e2e).

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent"
)

// accepted is what Claude Code takes from a hook of one event.
type accepted struct {
	block     bool     // top-level decision "block" with a reason is heard
	specific  []string // members of hookSpecificOutput beside hookEventName
	decisions []string // values of permissionDecision
	behaviors []string // values of decision.behavior
}

var accepts = map[string]accepted{
	"PreToolUse": {
		specific:  []string{"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"},
		decisions: []string{"allow", "deny", "ask", "defer"},
	},
	"PermissionRequest":    {specific: []string{"decision"}, behaviors: []string{"allow", "deny"}},
	"PreSkillShellCommand": {specific: []string{"permissionDecision", "permissionDecisionReason"}, decisions: []string{"deny"}},
	"ConfigChange":         {block: true},
	"UserPromptSubmit":     {specific: []string{"additionalContext"}},
	"SessionStart":         {specific: []string{"additionalContext"}},
	"PostToolUse":          {specific: []string{"additionalContext", "updatedToolOutput"}},
	"PostToolUseFailure":   {specific: []string{"additionalContext"}},
	"Stop":                 {block: true},
	"PreTeleport":          {block: true}, // not known: the form that most events hear
}

func drawVerdict(rt *rapid.T) assent.Verdict {
	words := rapid.SampledFrom([]string{
		"", "No.", "two\nlines \x1b[31m\u202e", "bad \xff utf-8", strings.Repeat("ä", 3000), "a \"quote\" </script>",
	})
	input := rapid.SampledFrom([]string{"", `{"command":"ls"}`, `{}`, `"ls"`, `[1]`, `{`, `null`, `{"a":1,"a":2}`})
	v := assent.Verdict{
		Decision: assent.Decision(rapid.IntRange(-1, 5).Draw(rt, "decision")),
		Tell:     words.Draw(rt, "tell"),
		Reasons:  []assent.Reason{{By: "x", Decision: assent.Deny, Text: words.Draw(rt, "reason")}},
		Rewrite:  json.RawMessage(input.Draw(rt, "rewrite")),
		Context:  words.Draw(rt, "context"),
		Ask:      rapid.SampledFrom([]assent.AskMode{"", assent.AskHold, assent.AskAgent, assent.AskResume, "odd"}).Draw(rt, "ask"),
		Request:  "req_1", Grant: "g_1",
		Directive: json.RawMessage(rapid.SampledFrom([]string{
			"", `{"action":"continue","message":"Run the tests\u001b.\nAll of them."}`, `{"action":"continue","message":" "}`, `{"action":"skip","message":"x"}`, `{`, `[]`,
		}).Draw(rt, "directive")),
	}
	if text := rapid.SampledFrom([]string{"", "words", `"words"`, `{"stdout":"x"}`, `{`, "null"}).Draw(rt, "text"); rapid.Bool().Draw(rt, "replaced") {
		v.Text = &text
	}
	return v
}

func drawEvent(rt *rapid.T) string {
	names := []string{"PreTeleport"}
	for _, r := range Codec.Rows {
		names = append(names, r.Event)
	}
	// Half of the draws go to those that answer anything.
	if rapid.Bool().Draw(rt, "gating") {
		names = slices.Sorted(maps.Keys(accepts))
	}
	return rapid.SampledFrom(names).Draw(rt, "event")
}

// TestEncodeAccepted: no verdict on any event yields a member or a value that
// Claude Code rejects or ignores there.
func TestEncodeAccepted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		event, v := drawEvent(rt), drawVerdict(rt)
		out := encode(event, v)
		canon, err := assent.Canonical(out)
		if err != nil || !utf8.Valid(out) || out[len(out)-1] != '\n' || strings.Count(string(out), "\n") != 1 {
			rt.Fatalf("not one line of JSON: %q %v", out, err)
		}
		var top map[string]json.RawMessage
		if err := json.Unmarshal(canon, &top); err != nil {
			rt.Fatal(err)
		}
		may := accepts[event]
		checkTop(rt, event, may, top)
		if raw, ok := top["hookSpecificOutput"]; ok {
			checkSpecific(rt, event, may, raw)
		}
	})
}

func checkTop(rt *rapid.T, event string, may accepted, top map[string]json.RawMessage) {
	for k, raw := range top {
		switch {
		case k == "hookSpecificOutput" && len(may.specific) > 0:
		case k == "decision" && may.block && string(raw) == `"block"` && event == "Stop":
			if string(top["reason"]) != `"Run the tests.\nAll of them."` {
				rt.Fatalf("the agent goes on with %s", top["reason"])
			}
		case k == "decision" && may.block && string(raw) == `"block"`:
			checkReason(rt, top["reason"])
		case k == "reason" && may.block && top["decision"] != nil:
		default:
			rt.Fatalf("%s: %s is not heard here", k, raw)
		}
	}
}

func checkSpecific(rt *rapid.T, event string, may accepted, raw json.RawMessage) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		rt.Fatal(err)
	}
	var name, decision string
	if json.Unmarshal(m["hookEventName"], &name) != nil || name != event {
		rt.Fatalf("hookEventName is %s", m["hookEventName"])
	}
	for k, v := range m {
		if k != "hookEventName" && !slices.Contains(may.specific, k) {
			rt.Fatalf("%s: %s is not heard here", k, v)
		}
	}
	if v, ok := m["permissionDecision"]; ok {
		if json.Unmarshal(v, &decision) != nil || !slices.Contains(may.decisions, decision) {
			rt.Fatalf("permissionDecision is %s", v)
		}
		if decision != "allow" {
			checkReason(rt, m["permissionDecisionReason"])
		}
	}
	if v, ok := m["updatedInput"]; ok && (decision != "allow" && decision != "ask" && decision != "" || v[0] != '{') {
		rt.Fatalf("updatedInput %s beside %q", v, decision)
	}
	if v, ok := m["additionalContext"]; ok && len(v) > contextMax+2*contextMax {
		rt.Fatalf("context of %d bytes", len(v))
	}
	if v, ok := m["decision"]; ok {
		checkPrompt(rt, may, v)
	}
}

func checkPrompt(rt *rapid.T, may accepted, raw json.RawMessage) {
	var p map[string]json.RawMessage
	var behavior string
	if json.Unmarshal(raw, &p) != nil || json.Unmarshal(p["behavior"], &behavior) != nil || !slices.Contains(may.behaviors, behavior) {
		rt.Fatalf("decision is %s", raw)
	}
	allowed := map[string][]string{"allow": {"behavior", "updatedInput"}, "deny": {"behavior", "message"}}[behavior]
	for k, v := range p {
		if !slices.Contains(allowed, k) || k == "updatedInput" && v[0] != '{' {
			rt.Fatalf("%s: %s beside %s", k, v, behavior)
		}
	}
	if behavior == "deny" {
		checkReason(rt, p["message"])
	}
}

func checkReason(rt *rapid.T, raw json.RawMessage) {
	var s string
	if json.Unmarshal(raw, &s) != nil || s == "" || len(s) > reasonMax || strings.ContainsAny(s, "\n\r\x1b\u202e") {
		rt.Fatalf("reason %q", raw)
	}
}

// outcome is what Claude Code does on an answer, read from the answer alone.
func outcome(rt *rapid.T, out []byte) string {
	var a struct {
		Decision string `json:"decision"`
		Specific struct {
			Decision string `json:"permissionDecision"`
			Prompt   struct {
				Behavior string `json:"behavior"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &a); err != nil {
		rt.Fatal(err)
	}
	return a.Decision + a.Specific.Decision + a.Specific.Prompt.Behavior
}

// TestEncodeNeverLoosens: only an Allow allows, a Deny blocks wherever the event
// gates, and an Ask lets nothing through without somebody being asked.
func TestEncodeNeverLoosens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		event, v := drawEvent(rt), drawVerdict(rt)
		row, known := Codec.Row(event)
		did := outcome(rt, encode(event, v))
		stopped := slices.Contains([]string{"block", "deny"}, did)
		asked := event == "PreToolUse" && (did == "ask" && v.Ask == assent.AskAgent || did == "defer" && v.Ask == assent.AskResume) ||
			event == "PermissionRequest" && did == "" && v.Ask == assent.AskAgent
		switch {
		case did == "allow" && v.Decision != assent.Allow:
			rt.Fatalf("%s: %v was let through", event, v.Decision)
		case event == "Stop" && did == "block" && strings.Contains(string(v.Directive), "Run the tests"):
		case !row.Gates && did != "":
			rt.Fatalf("%s: an observer decided %s", event, did)
		case !row.Gates && known:
		case v.Decision == assent.Ask && !stopped && !asked:
			rt.Fatalf("%s: an Ask (%q) became %q", event, v.Ask, did)
		case (v.Decision < assent.None || v.Decision > assent.Ask) && !stopped:
			rt.Fatalf("%s: %v became %q", event, v.Decision, did)
		case v.Decision == assent.None && did != "" && len(v.Rewrite) == 0:
			rt.Fatalf("%s: no opinion became %q", event, did)
		}
	})
}

// TestEncodeRewrite: a rewritten input goes out whole wherever the call may run, be
// it that Claude Code's own permissions or its user decide that, or the call is
// denied. Only one that is resumed comes back as it was.
func TestEncodeRewrite(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		event := rapid.SampledFrom([]string{"PreToolUse", "PermissionRequest", "PreSkillShellCommand"}).Draw(rt, "event")
		v := drawVerdict(rt)
		out := encode(event, v)
		carried := len(v.Rewrite) == 0 || strings.Contains(string(out), `"updatedInput":`+string(v.Rewrite))
		if did := outcome(rt, out); did != "deny" && did != "defer" && !carried {
			rt.Fatalf("%s runs what was not judged: %s", event, out)
		}
	})
}

// TestEncodeWords: what the agent is told, word for word.
func TestEncodeWords(t *testing.T) {
	t.Parallel()
	text := `{"stdout":"***"}`
	for _, c := range []struct {
		event string
		v     assent.Verdict
		want  string
	}{
		{"SessionStart", assent.Verdict{Context: "It is Friday."}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"It is Friday."}}`},
		{"PostToolUse", assent.Verdict{Text: &text}, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"***"}}}`},
		{"PostToolUseFailure", assent.Verdict{Text: &text, Context: "Try again."}, `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"Try again."}}`},
		{"Stop", assent.Verdict{Directive: json.RawMessage(`{"action":"continue","message":"Run the tests."}`)}, `{"decision":"block","reason":"Run the tests."}`},
		{"Stop", assent.Verdict{Context: "x", Text: &text}, `{}`},
		{"SessionEnd", assent.Verdict{Context: "x"}, `{}`},
		{"PreToolUse", assent.Verdict{Rewrite: json.RawMessage(`{"command":"ls"}`)}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}`},
		{"PreToolUse", assent.Verdict{Decision: assent.Ask, Ask: assent.AskAgent, Tell: "Look.", Rewrite: json.RawMessage(`{"command":"ls"}`)},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Look.","updatedInput":{"command":"ls"}}}`},
	} {
		if got := strings.TrimSpace(string(encode(c.event, c.v))); got != c.want {
			t.Errorf("%s: %s, not %s", c.event, got, c.want)
		}
	}
}

// TestFail: a failure of ours is a denial where the event gates.
func TestFail(t *testing.T) {
	t.Parallel()
	for _, r := range Codec.Rows {
		out := string(Codec.Fail(r.Event, "The store is damaged."))
		if r.Gates != strings.Contains(out, "The store is damaged.") || !r.Gates && out != "{}\n" {
			t.Errorf("%s: %s", r.Event, out)
		}
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	if len(Codec.Rows) != 34 {
		t.Errorf("%d events, %s has 34", len(Codec.Rows), Version)
	}
	seen := map[string]bool{}
	for _, r := range Codec.Rows {
		if seen[r.Event] {
			t.Errorf("%s stands twice", r.Event)
		}
		seen[r.Event] = true
		if _, ok := assent.EventNamed(r.Name); !ok {
			t.Errorf("%s: %s is not in the catalogue", r.Event, r.Name)
		}
		if r.Gates != assent.Gates(r.Name) {
			t.Errorf("%s gates: %v, %s: %v", r.Event, r.Gates, r.Name, assent.Gates(r.Name))
		}
		if r.Limit <= Margin {
			t.Errorf("%s: no time is left of %s", r.Event, r.Limit)
		}
	}
	if r, ok := Codec.Row("PreTeleport"); ok || !r.Gates {
		t.Error("an unknown event must gate")
	}
}
