package python

// What a returned value means where a decision is heard.

import (
	"encoding/json"
	"testing"

	"assent"
)

func TestAGuardsAnswerMakesSenseOrIsAFailure(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`null`: "none", `{}`: "none", `{"action":"allow"}`: "none", `{"decision":"approve"}`: "none", `{"decision":"allow"}`: "none",
		`{"action":"block","message":"no"}`: "deny", `{"action":"approve"}`: "ask",
		`"no"`: "error", `""`: "error", `"{\"action\":\"block\"}"`: "error", `["block"]`: "error", `[]`: "error", `3`: "error", `0`: "error", `true`: "error", `false`: "error",
		`{"message":"no"}`: "error", `{"action":"blok"}`: "error", `{"block":true}`: "error",
	} {
		for _, event := range []string{assent.PreToolCall, assent.ConfigChange} {
			r, err := Reply(assent.Case{Event: assent.Event{Name: event, Tool: assent.ToolShell}}, json.RawMessage(raw))
			got := r.Decision.String()
			if err != nil {
				got = "error"
			}
			if got != want {
				t.Errorf("%s, %s: %s (%v), want %s", event, raw, got, err, want)
			}
		}
	}
	for _, event := range []string{assent.PostToolCall, assent.PreVerify} {
		if _, err := Reply(assent.Case{Event: assent.Event{Name: event}}, json.RawMessage(`3`)); err != nil {
			t.Errorf("%s: %v", event, err)
		}
	}
}
