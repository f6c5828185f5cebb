package terminal

// Advice: what an approver said before people are asked, or that it is being asked.

import (
	"fmt"
	"time"

	"assent"
)

// approvers are what kinds of approvers are called, by their surface.
var approvers = map[string]string{"hook": "The approval hook", "judge": "The judge"}

// opinions are the words in which approvers decide.
var opinions = map[assent.Decision]string{assent.Allow: "approve", assent.Ask: "escalate", assent.Deny: "deny"}

// advice adds what the approver said of a request, if it was asked.
func (p *page) advice(r assent.Request) {
	if r.Advice == nil {
		return
	}
	p.title("Asked before people")
	st := plain
	if r.Advice.Fault != "" {
		st = alarm
	}
	p.say(st, "  - ", advice(r, p.o))
}

// advice is that in a few sentences, escaped.
func advice(r assent.Request, o Options) string {
	a := *r.Advice
	who := approver(a.By)
	switch {
	case !a.Done && r.State == assent.Pending:
		return who + " is being asked; it started " + o.when(a.At) + "."
	case !a.Done:
		return who + " was being asked, and had not answered yet."
	case a.Fault == "":
		return who + " said: " + opinion(a, Escape(a.Reason))
	case a.Decision != assent.Ask:
		return who + " said: " + opinion(a, Escape(a.Reason)) + ". What was wrong with it: " + Escape(a.Fault)
	}
	failed := who + " failed: " + Escape(a.Fault) + took(a)
	if a.Reason != "" {
		failed += ". It had said: " + Escape(a.Reason)
	}
	return failed
}

// opinion is what it decided, how far its yes reaches, and why.
func opinion(a assent.Advice, reason string) string {
	word := opinions[a.Decision]
	if word == "" {
		word = a.Decision.String()
	}
	if a.Decision == assent.Allow && a.Width != "" {
		word += ", " + Escape(reach(a.Width, time.Duration(a.For)))
	}
	if a.Decision == assent.Allow && a.Offer > 0 {
		word += fmt.Sprintf(", offer %d", a.Offer+1)
	}
	if reason != "" {
		word += ": " + reason
	}
	return word + took(a)
}

// approver is an approver for people, escaped.
func approver(i assent.Identity) string {
	name := i.Name
	if name == "" {
		name = i.ID
	}
	if kind := approvers[i.Surface]; kind != "" {
		return kind + " " + Escape(name)
	}
	return "The approver " + Escape(i.Called())
}

// took is how long it took to say so, to a tenth of a second.
func took(a assent.Advice) string {
	d := time.Duration(a.Took)
	switch {
	case d <= 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf(" (%.1f s)", d.Seconds())
	}
	return " (" + exact(d.Round(time.Second)) + ")"
}
