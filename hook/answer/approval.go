package answer

// Approvals: what the custom approval hook says of a request.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assent"
)

// Opinion is what an approval hook says of one request.
type Opinion struct {
	Decision assent.Decision // Allow, Deny, or Ask: people decide
	Reason   string          // empty where it gave none; never empty for Deny
	Offer    *int            // which of the request's offers, from 0; nil = the hook did not choose
	Scope    string          // "once", "session", "always", "for"; empty = the hook did not say
	Uses     int             // 0 = the hook did not say
	Seconds  int             // 0 = the hook did not say
	Fault    string          // what to warn of, although the answer counts
}

// Approval reads the output of an approval hook. An error is no answer: people decide,
// and are told of it. It is never an Allow unless the hook ended well and said so in
// exactly one answer.
func Approval(out Output) (Opinion, error) {
	h, err := listen(approvalEvent, out)
	switch {
	case out.Exit == exitBlock:
		return refused(out, h, err)
	case out.Exit != 0:
		return Opinion{}, out.failed()
	case err != nil:
		return Opinion{}, err
	case h.object == nil:
		return Opinion{}, errors.New(or(after("the answer is no JSON object: ", clip([]byte(h.plain))), "no answer"))
	}
	return opined(h)
}

// approvalEvent stands for the keys of an approval hook's answer.
const approvalEvent = assent.PreToolCall

// refused is exit status 2: a no, if it says why.
func refused(out Output, h heard, unread error) (Opinion, error) {
	if unread == nil && h.object != nil {
		if op, err := opined(h); err == nil && op.Decision == assent.Deny {
			return op, nil
		}
	}
	if out.said() == "" {
		return Opinion{}, out.failed()
	}
	return Opinion{Decision: assent.Deny, Reason: out.said(), Fault: h.fault}, nil
}

func opined(h heard) (Opinion, error) {
	op := Opinion{Fault: h.fault}
	spoken := false
	for _, o := range levels(h.object) {
		for _, said := range approvals(o) {
			if said.decision == assent.None {
				return Opinion{}, fmt.Errorf("an unknown decision: %s", said.reason)
			}
			spoken = true
			if said.decision > op.Decision {
				op.Decision, op.Reason = said.decision, said.reason
			}
		}
	}
	if !spoken {
		return Opinion{}, errors.New("the answer holds no decision")
	}
	err := op.choose(h.object)
	return op, err
}

// approvals are the decisions of one object, None for a word that is unknown. Unlike
// elsewhere "approve" is a yes here: that is what the hook is asked for.
func approvals(o object) []opinion {
	words := map[string]map[string]assent.Decision{
		"decision":           {"approve": assent.Allow, "deny": assent.Deny, "block": assent.Deny, "escalate": assent.Ask, "ask": assent.Ask},
		"permissionDecision": {"allow": assent.Allow, "deny": assent.Deny, "ask": assent.Ask},
		"behavior":           {"allow": assent.Allow, "deny": assent.Deny},
	}
	var out []opinion
	for _, key := range []string{"decision", "permissionDecision", "behavior"} {
		if !o.has(key) || key == "decision" && o.under(key) != nil {
			continue
		}
		word, _ := o.str(key)
		d := words[key][word]
		reason := reasonOf(o, key, d)
		if d == assent.None {
			reason = clip(o[key])
		}
		out = append(out, opinion{d, reason})
	}
	if string(o["continue"]) == "false" {
		out = append(out, opinion{assent.Deny, or(o.first("stopReason", "reason"), DefaultText)})
	}
	return out
}

// choose reads which yes the hook gives. What is not a number where one should be
// makes the whole answer void.
func (p *Opinion) choose(o object) error {
	for key, into := range map[string]*int{"uses": &p.Uses, "seconds": &p.Seconds} {
		if !o.has(key) {
			continue
		}
		if json.Unmarshal(o[key], into) != nil || *into < 1 {
			*p = Opinion{}
			return fmt.Errorf("the answer's %s is no number above 0", key)
		}
	}
	if o.has("offer") {
		var n int
		if json.Unmarshal(o["offer"], &n) != nil || n < 0 {
			*p = Opinion{}
			return errors.New("the answer's offer is not the number of one")
		}
		p.Offer = &n
	}
	scope, ok := o.str("scope")
	if o.has("scope") && !ok {
		*p = Opinion{}
		return errors.New("the answer's scope is no word")
	}
	p.Scope = scope
	return nil
}
