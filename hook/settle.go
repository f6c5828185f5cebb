package hook

// What one entry's answer counts as: a failure is what OnError says, and what the
// event does not hear is a fault that people are told of.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// unreachable are the codes of facts that a hook's Allow never answers for.
var unreachable = []string{"gate.self", "gate.off", "agent.config", "persist"}

// settle makes of what an entry said, or of its failure, what it counts as.
func settle(e Entry, c assent.Case, s said) assent.Reply {
	t, _ := assent.EventNamed(c.Name)
	if s.err != nil {
		return failed(e, t, s)
	}
	r := s.reply
	r.Fault = unclassed(r.Fault)
	if t.Hears == assent.HearsDecision && e.OnError == FailDeny && r.Fault != "" && mute(r) {
		return failed(e, t, said{err: errors.New(r.Fault)}) // it said something, and nobody knows what
	}
	if t.Hears == assent.HearsDecision {
		return decided(e, t, c, r)
	}
	if r.Decision > assent.None {
		r.Fault = faults(r.Fault, "it decided, and "+c.Name+" hears no decision")
		r.Decision, r.Reason = assent.None, ""
	}
	return heardOnly(t, r)
}

// mute reports whether a reply says nothing that is heard.
func mute(r assent.Reply) bool {
	return r.Decision == assent.None && r.Context == "" && r.Text == nil && len(r.Rewrite)+len(r.Directive) == 0
}

// decided checks a reply to an event that hears a decision.
func decided(e Entry, t assent.EventType, c assent.Case, r assent.Reply) assent.Reply {
	if r.Decision == assent.Allow && slices.ContainsFunc(c.Findings, func(f assent.Finding) bool { return slices.Contains(unreachable, f.Code) }) {
		r.Decision, r.Reason = assent.None, ""
		r.Fault = faults(r.Fault, "its yes does not reach to what the agent may do, nor to what would run later")
	}
	if r.Decision != assent.None && r.Reason == "" {
		r.Reason = fmt.Sprintf("%s says %s.", e.ID, r.Decision)
	}
	var m map[string]json.RawMessage
	if len(r.Rewrite) > 0 && (json.Unmarshal(r.Rewrite, &m) != nil || m == nil) {
		return failed(e, t, said{r, fmt.Errorf("its new input is no JSON object: %w", assent.ErrInvalid)})
	}
	return heardOnly(t, r)
}

// heardOnly drops what the event does not hear, and says so.
func heardOnly(t assent.EventType, r assent.Reply) assent.Reply {
	drop := func(said bool, what string, forget func()) {
		if said {
			forget()
			r.Fault = faults(r.Fault, fmt.Sprintf("it gave %s, which %s does not hear", what, t.Name))
		}
	}
	decides := t.Hears == assent.HearsDecision
	drop(len(r.Rewrite) > 0 && !decides, "a new input", func() { r.Rewrite = nil })
	drop(r.Context != "" && !decides && t.Hears != assent.HearsContext && t.Name != assent.PostToolCall && t.Name != assent.TransformResult, "context", func() { r.Context = "" })
	drop(r.Text != nil && t.Hears != assent.HearsText, "a text", func() { r.Text = nil })
	drop(len(r.Directive) > 0 && t.Hears != assent.HearsDirective, "a directive", func() { r.Directive = nil })
	return r
}

// failed is what the failure of an entry counts as. A denial beside it is heard.
func failed(e Entry, t assent.EventType, s said) assent.Reply {
	why := unclassed(s.err.Error())
	r := assent.Reply{Fault: faults(unclassed(s.reply.Fault), why)}
	switch {
	case t.Hears == assent.HearsDecision && s.reply.Decision == assent.Deny:
		r.Decision, r.Reason, r.Context = assent.Deny, s.reply.Reason, s.reply.Context
	case e.OnError == FailIgnore:
	case t.Hears == assent.HearsDecision && e.OnError == FailDeny:
		r.Decision, r.Reason = assent.Deny, fmt.Sprintf("hook %s failed closed: %s", e.ID, why)
	case t.Hears == assent.HearsDecision:
		r.Decision, r.Reason = assent.Ask, fmt.Sprintf("%s should have looked at this and could not: %s", e.ID, why)
	case t.Hears == assent.HearsText && e.OnError == FailDeny:
		text := fmt.Sprintf("[withheld: %s failed closed: %s]", e.ID, why)
		r.Text = &text
	case t.Name == "pre_tts_synthesis":
		r.Directive, _ = json.Marshal(map[string]string{"action": "block", "message": e.ID + " failed: " + why})
	}
	return r
}

// unclassed is what is wrong without the class of error that programs know it by.
func unclassed(text string) string {
	class := ": " + assent.ErrInvalid.Error()
	return strings.TrimSuffix(strings.ReplaceAll(text, class+"; ", "; "), class)
}

// faults joins what is wrong, one after the other.
func faults(have, more string) string {
	if have == "" {
		return more
	}
	return have + "; " + more
}
