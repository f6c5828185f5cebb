package terminal

// The judgement of an action that nobody has asked for yet.

import "assent"

// Judged returns what would become of an action and why, ending in a newline:
// the verdict, the parsed truth, the facts and the reasons. It holds no control
// character but the newline, and with Options.Color this package's own colours.
func Judged(c assent.Case, v assent.Verdict, o Options) string {
	p := newPage(o.filled())
	st := plain
	if v.Decision > assent.Allow {
		st = alarm
	}
	p.say(st, "", verdicts[v.Decision])
	p.truth(c)
	p.facts(c.Findings)
	p.reasons(why(v.Decision), v.Reasons, c.Findings)
	if p.over {
		p = newPage(o.filled())
		p.say(st, "", verdicts[v.Decision])
		p.reasons(why(v.Decision), v.Reasons, nil)
		return p.String() + "It is too long to be shown here.\n" +
			"To read it all, write it to a file with --json, and open that in an editor.\n"
	}
	return p.String()
}

func why(d assent.Decision) string {
	if d == assent.Deny {
		return "Why it is denied"
	}
	return "Why"
}

var verdicts = map[assent.Decision]string{
	assent.None:  "none: no dangerous fact; the agent's own permission system decides",
	assent.Allow: "allow: it runs without asking",
	assent.Ask:   "ask: a person has to approve it first",
	assent.Deny:  "deny: it is never let through",
}
