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
	Output   json.RawMessage `json:"updatedToolOutput,omitempty"` // of PostToolUse
	Prompt   *prompt         `json:"decision,omitempty"`          // of PermissionRequest
}

type prompt struct {
	Behavior string          `json:"behavior"`
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
}

// encode answers one event. v must be in Claude Code's own shape, as restore makes
// it. An Ask that is not for Claude Code itself to carry out has waited long
// enough, and is a denial.
func encode(native string, v assent.Verdict) []byte {
	r, _ := rowOf(native)
	if v = settled(v); v.Decision != assent.Deny && len(v.Rewrite) > 0 && !isObject(v.Rewrite) {
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
	case native == "UserPromptSubmit", native == "SessionStart", native == "PostToolUse", native == "PostToolUseFailure":
		a.Specific = words(native, v)
	case native == "Stop":
		if a.Reason = goOn(v); a.Reason != "" {
			a.Decision = "block"
		}
	case r.gates && v.Decision >= assent.Ask:
		a.Decision, a.Reason = "block", reason(v)
	case r.gates && len(v.Rewrite) > 0:
		a.Decision, a.Reason = "block", unfit
	}
	return write(a)
}

// unfit is said where an input of ours can only be refused.
const unfit = "The input was rewritten, which Claude Code cannot carry out here."

// words are the context of an event that takes it, and what the model sees in place
// of a result.
func words(native string, v assent.Verdict) *specific {
	s := &specific{Event: native, Context: bounded(v.Context, contextMax)}
	if native == "PostToolUse" && v.Text != nil && json.Valid([]byte(*v.Text)) {
		s.Output = json.RawMessage(*v.Text)
	}
	if s.Context == "" && s.Output == nil {
		return nil
	}
	return s
}

// goOn is what an agent that is about to finish is told to do instead; empty where
// nobody told it anything.
func goOn(v assent.Verdict) string {
	var d struct{ Action, Message string }
	if json.Unmarshal(v.Directive, &d) != nil || d.Action != "continue" {
		return ""
	}
	return bounded(shown(d.Message), contextMax)
}

// settled makes a verdict that is none of the four decisions a denial.
func settled(v assent.Verdict) assent.Verdict {
	if v.Decision < assent.None || v.Decision > assent.Deny {
		v.Decision = assent.Deny
	}
	return v
}

// preToolUse answers before a call. An input of ours beside no decision is judged by
// Claude Code's own permissions, and beside "ask" it is what the prompt shows: in
// either case it is what runs. A call that is resumed is asked about again, with
// what it was before.
func preToolUse(v assent.Verdict) *specific {
	s := &specific{Event: "PreToolUse", Context: bounded(v.Context, contextMax), Input: v.Rewrite}
	switch {
	case v.Decision == assent.None:
		if s.Context == "" && len(s.Input) == 0 {
			return nil
		}
		return s
	case v.Decision == assent.Allow:
		s.Decision = "allow"
		return s
	case v.Decision == assent.Ask && v.Ask == assent.AskAgent:
		s.Decision = "ask"
	case v.Decision == assent.Ask && v.Ask == assent.AskResume:
		s.Decision, s.Input = "defer", nil
	default:
		s.Decision, s.Input = "deny", nil
	}
	s.Reason = reason(v)
	return s
}

// permissionRequest answers while Claude Code's own prompt is on the screen: no
// answer leaves it there, with the input that it shows, and so does not do where
// that is not the one to run.
func permissionRequest(v assent.Verdict) *specific {
	s := &specific{Event: "PermissionRequest"}
	left := v.Decision == assent.None || v.Decision == assent.Ask && v.Ask == assent.AskAgent
	switch {
	case left && len(v.Rewrite) == 0:
		return nil
	case left:
		s.Prompt = &prompt{Behavior: "deny", Message: "The input was to be changed, and the prompt that is open shows another one: make the call again."}
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
	case v.Decision <= assent.Allow && len(v.Rewrite) > 0:
		s.Reason = unfit
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
