package answer

// Decisions: what is said of a call that is about to be made.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"assent"
	"assent/hook"
)

// opinion is one decision that an answer holds, and why.
type opinion struct {
	decision assent.Decision
	reason   string
}

// decision reads an answer to an event that hears a decision. Exit status 2 is a no,
// whatever else is said; after any other failure only a no counts.
func (q question) decision(unread error) (assent.Reply, error) {
	r, err := q.decided(unread)
	switch {
	case q.out.Exit == exitBlock:
		return q.blocked(r, err), nil
	case q.out.Exit != 0 && r.Decision == assent.Deny:
		r.Fault = join(r.Fault, q.out.failed().Error())
		return r, err
	case q.out.Exit != 0:
		return assent.Reply{}, q.out.failed()
	}
	return r, err
}

// blocked is a no by exit status. Words for the model are passed on all the same.
func (q question) blocked(r assent.Reply, err error) assent.Reply {
	no := assent.Reply{Decision: assent.Deny, Context: r.Context, Fault: r.Fault}
	switch {
	case r.Decision == assent.Deny:
		no.Reason = r.Reason
	case q.out.said() != "":
		no.Reason = q.out.said()
	default:
		no.Reason = DefaultText
	}
	if err != nil {
		no.Fault = join(no.Fault, err.Error())
	}
	return no
}

// decided reads standard output alone.
func (q question) decided(unread error) (assent.Reply, error) {
	h := q.heard
	switch {
	case unread != nil:
		return q.denial(h.answers), unread
	case h.object != nil:
	case h.text == nil && h.plain == "":
		return assent.Reply{}, nil
	case h.plain != "" && h.plain[0] != '{' && h.broken == 0 && q.dialect == hook.Claude:
		return assent.Reply{Fault: notJSON(h.plain)}, nil // there, words are for the transcript
	default:
		return assent.Reply{}, errors.New(notJSON(h.plain))
	}
	return q.judge(h)
}

// denial is the first no among answers of which there should be one: it is heard all
// the same.
func (q question) denial(answers []object) assent.Reply {
	for _, o := range answers {
		if r, err := q.judge(heard{object: o}); err == nil && r.Decision == assent.Deny {
			return assent.Reply{Decision: assent.Deny, Reason: r.Reason}
		}
	}
	return assent.Reply{}
}

func notJSON(plain string) string {
	return "the answer is no JSON object" + after(": ", clip([]byte(plain)))
}

func (q question) judge(h heard) (assent.Reply, error) {
	r := assent.Reply{Fault: h.fault}
	rewrite := object{}
	for _, o := range levels(h.object) {
		opinions, err := opinionsOf(o, q.dialect)
		if err != nil {
			return assent.Reply{}, err
		}
		for _, op := range opinions {
			if op.decision > r.Decision {
				r.Decision, r.Reason = op.decision, op.reason
			}
		}
		if err := rewritten(o, rewrite); err != nil {
			return assent.Reply{}, err
		}
	}
	r.Context = contextOf(h.object)
	if len(rewrite) > 0 && r.Decision != assent.Deny {
		raw, err := json.Marshal(rewrite)
		if err != nil {
			return assent.Reply{}, fmt.Errorf("the input: %w", err)
		}
		r.Rewrite = q.dialect.Back(q.tool, raw)
	}
	if len(h.object) > 0 && !h.object.hasAny(answerKeys(q.event)) {
		return assent.Reply{}, errors.New(unheard(q.event))
	}
	if specific := h.object["hookSpecificOutput"]; specific != nil && !h.object.under("hookSpecificOutput").hasAny(specificKeys) {
		return assent.Reply{}, errors.New("hookSpecificOutput says nothing that is known: " + clip(specific))
	}
	return r, nil
}

// specificKeys are what hookSpecificOutput may say to an event that hears a decision.
var specificKeys = []string{"permissionDecision", "decision", "updatedInput", "additionalContext", "behavior"}

// levels are the objects of an answer in which decisions may stand.
func levels(o object) []object {
	out := []object{o}
	if specific := o.under("hookSpecificOutput"); specific != nil {
		out = append(out, specific)
		if d := specific.under("decision"); d != nil { // of PermissionRequest
			out = append(out, d)
		}
	}
	if d := o.under("decision"); d != nil {
		out = append(out, d)
	}
	return out
}

// opinionsOf are the decisions that stand in one object. A word that is none of any
// protocol's is an error: it may have been meant as a no.
func opinionsOf(o object, d hook.Dialect) ([]opinion, error) {
	var out []opinion
	for _, key := range []string{"action", "decision", "permissionDecision", "behavior"} {
		if !o.has(key) {
			continue
		}
		if inner := o.under(key); key == "decision" && inner.has("behavior") {
			continue // of PermissionRequest, which levels looks into
		}
		word, ok := o.str(key)
		decision, known := wordOf(key, word, d)
		if !ok || !known {
			return nil, fmt.Errorf("the answer says %s %s, which means nothing", key, clip(o[key]))
		}
		out = append(out, opinion{decision, reasonOf(o, key, decision)})
	}
	if string(o["continue"]) == "false" {
		op := opinion{assent.Deny, o.first("stopReason", "reason", "message")}
		if op.reason == "" {
			op.reason = DefaultText
		}
		out = append(out, op)
	}
	return out, nil
}

// wordOf is what a word means under a key. An "approve" of Hermes Agent escalates to a
// human, and its "decision" approves nothing.
func wordOf(key, word string, d hook.Dialect) (decision assent.Decision, known bool) {
	switch word {
	case "block", "deny":
		return assent.Deny, true
	case "ask", "escalate", "defer":
		return assent.Ask, true
	case "modify", "continue", "none":
		return assent.None, key == "action" || key == "decision"
	case "approve":
		switch {
		case key == "action":
			return assent.Ask, true
		case key == "decision" && d == hook.Claude:
			return assent.Allow, true
		}
		return assent.None, key == "decision"
	case "allow":
		switch {
		case key == "permissionDecision", key == "behavior", key == "decision" && d != hook.Hermes:
			return assent.Allow, true
		}
		return assent.None, true
	}
	return assent.None, false
}

// reasonOf is why, by the key that said what.
func reasonOf(o object, key string, d assent.Decision) string {
	keys := map[string][]string{
		"action": {"message", "reason"}, "decision": {"reason", "message"},
		"permissionDecision": {"permissionDecisionReason", "reason", "message"}, "behavior": {"message", "reason"},
	}[key]
	text := o.first(keys...)
	if text == "" && d == assent.Deny {
		return DefaultText
	}
	return text
}

// rewritten adds the keys of the input that an object would change.
func rewritten(o object, into object) error {
	for _, key := range []string{"args", "tool_input", "updatedInput"} {
		action, _ := o.str("action")
		decision, _ := o.str("decision")
		meant := key == "updatedInput" || action == "modify" || decision == "modify"
		if !meant || !o.has(key) {
			continue
		}
		in := o.under(key)
		if in == nil {
			return fmt.Errorf("the answer's %s is no object", key)
		}
		maps.Copy(into, in)
	}
	return modifies(o)
}

// modifies reports a "modify" that does not say what.
func modifies(o object) error {
	for _, key := range []string{"action", "decision"} {
		if word, _ := o.str(key); word == "modify" && !o.hasAny([]string{"args", "tool_input", "updatedInput"}) {
			return errors.New("the answer modifies the input, and gives none")
		}
	}
	return nil
}
