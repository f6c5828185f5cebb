package answer

// Objects that may have been meant as a no are no silence.

import (
	"testing"

	"assent"
	"assent/hook"
)

func TestWhatMayHaveBeenMeantAsANoIsAFailure(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"hookSpecificOutput":"deny"}`, `{"hookSpecificOutput":{}}`, `{"hookSpecificOutput":{"permission_decision":"deny"}}`,
		`{"decision":""}`, `{"decision":{}}`, `{"decision":{"what":"deny"}}`, `{"permission":"deny"}`, `{"Decision":"block"}`, `{"ok":false}`,
	} {
		for _, d := range []hook.Dialect{hook.Hermes, hook.Claude, hook.Ours} {
			r, err := Read(assent.PreToolCall, d, assent.ToolShell, Output{Stdout: []byte(text)})
			if err == nil && r.Decision != assent.Deny {
				t.Errorf("%s, %s: %+v", d, text, r)
			}
		}
	}
	r, err := Read(assent.PreToolCall, hook.Claude, assent.ToolShell, Output{Stdout: []byte(`{"decision":{"behavior":"deny","message":"no"}}`)})
	if err != nil || r.Decision != assent.Deny {
		t.Errorf("the form of a permission request: %+v, %v", r, err)
	}
}
