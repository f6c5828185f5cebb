package claude

// Encode: a verdict becomes the JSON that Claude Code takes from a hook. What an
// event does not hear is left out: Claude Code refuses an answer as a whole when
// one member of it is not of that event's form, and then the call runs.

import (
	"bytes"
	"encoding/json"

	"assent"
)

// answer is everything that assent ever answers.
type answer struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Prompt   *prompt         `json:"decision,omitempty"` // of PermissionRequest
}

type prompt struct {
	Behavior string          `json:"behavior"`
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
}

// encode answers one event. v.Rewrite must be in Claude Code's own shape, as
// restore makes it. An Ask that is not for Claude Code itself to carry out has
// waited long enough, and is a denial.
func encode(native string, v assent.Verdict) []byte {
	r, _ := rowOf(native)
	if v = settled(v); v.Decision == assent.Allow && len(v.Rewrite) > 0 && !isObject(v.Rewrite) {
		v = assent.Verdict{Decision: assent.Deny, Tell: "The rewritten input is no JSON object, so the call was not made."}
	}
	var a answer
	switch {
	case native == "PreToolUse":
		a.Specific = preToolUse(v)
	case native == "PermissionRequest":
		a.Specific = permissionRequest(v)
	case native == "PreSkillShellCommand":
		a.Specific = preSkillShellCommand(v)
	case native == "UserPromptSubmit":
		if text := bounded(v.Context, contextMax); text != "" {
			a.Specific = &specific{Event: native, Context: text}
		}
	case r.gates && v.Decision >= assent.Ask:
		a.Decision, a.Reason = "block", reason(v)
	}
	return write(a)
}

// settled makes a verdict that is none of the four decisions a denial.
func settled(v assent.Verdict) assent.Verdict {
	if v.Decision < assent.None || v.Decision > assent.Deny {
		v.Decision = assent.Deny
	}
	return v
}

func preToolUse(v assent.Verdict) *specific {
	s := &specific{Event: "PreToolUse", Context: bounded(v.Context, contextMax)}
	switch {
	case v.Decision == assent.None:
		if s.Context == "" {
			return nil
		}
		return s
	case v.Decision == assent.Allow:
		s.Decision, s.Input = "allow", v.Rewrite
		return s
	case v.Decision == assent.Ask && v.Ask == assent.AskAgent:
		s.Decision = "ask"
	case v.Decision == assent.Ask && v.Ask == assent.AskResume:
		s.Decision = "defer"
	default:
		s.Decision = "deny"
	}
	s.Reason = reason(v)
	return s
}

// permissionRequest answers while Claude Code's own prompt is on the screen: no
// answer leaves it there.
func permissionRequest(v assent.Verdict) *specific {
	s := &specific{Event: "PermissionRequest"}
	switch {
	case v.Decision == assent.None, v.Decision == assent.Ask && v.Ask == assent.AskAgent:
		return nil
	case v.Decision == assent.Allow:
		s.Prompt = &prompt{Behavior: "allow", Input: v.Rewrite}
	default:
		s.Prompt = &prompt{Behavior: "deny", Message: reason(v)}
	}
	return s
}

// preSkillShellCommand can only keep a command from running: nobody is asked,
// and a changed one is not what would run.
func preSkillShellCommand(v assent.Verdict) *specific {
	s := &specific{Event: "PreSkillShellCommand", Decision: "deny", Reason: reason(v)}
	switch {
	case v.Decision == assent.Allow && len(v.Rewrite) > 0:
		s.Reason = "The command was rewritten, which Claude Code cannot carry out here."
	case v.Decision <= assent.Allow:
		return nil
	}
	return s
}

func isObject(raw json.RawMessage) bool {
	canon, err := assent.Canonical(raw)
	return err == nil && canon[0] == '{'
}

// write prints one line of JSON. Every answer can be written: an input was
// checked, and the rest is text.
func write(a answer) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return []byte(`{"decision":"block","reason":"assent could not write its answer"}` + "\n")
	}
	return b.Bytes()
}
