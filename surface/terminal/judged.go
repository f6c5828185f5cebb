package terminal

// The judgement of an action that nobody has asked for yet.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// Judgement is an action, and what would become of it.
type Judgement struct {
	Case    assent.Case
	Verdict assent.Verdict
	Posture string // of the default, in words: "strict", "guard", "agent"

	// Weigh says what is made of facts of one code: "built-in: ask". nil = it is
	// not shown.
	Weigh func(code string) string
}

// Judged returns what would become of an action and one line why, ending in a
// newline. It holds no control character but the newline, and with Options.Color
// this package's own colours.
func Judged(j Judgement, o Options) string {
	p := newPage(o.filled())
	p.verdict(j)
	return p.String()
}

// Explained returns all that led to a judgement: the commands that would run, the
// facts with the text they stand on underlined, and what each voice said. What
// is too long to be shown says so. The text is as inert as that of Judged.
func Explained(j Judgement, o Options) string {
	p := newPage(o.filled())
	p.verdict(j)
	p.place(j.Case)
	p.commands(j.Case)
	p.found(j)
	p.voices(j)
	if !p.over {
		return p.String()
	}
	p = newPage(o.filled())
	p.verdict(j)
	p.voices(j)
	return p.String() + fmt.Sprintf("It has %d commands and %d facts, too much to be shown here.\n", len(j.Case.Commands), len(j.Case.Findings)) +
		"To read it all, write it to a file with --json, and open that in an editor.\n"
}

var verdicts = map[assent.Decision]string{
	assent.None:  "none: the agent's own permission system decides",
	assent.Allow: "allow: it runs without asking",
	assent.Ask:   "ask: a person has to approve it first",
	assent.Deny:  "deny: it is never let through",
}

// verdict adds the decision, and one line why.
func (p *page) verdict(j Judgement) {
	st := plain
	if j.Verdict.Decision > assent.Allow {
		st = alarm
	}
	p.say(st, "", verdicts[j.Verdict.Decision])
	p.say(plain, "  ", j.why())
}

// why is what those said who carried the verdict, or what it means that nobody
// said anything.
func (j Judgement) why() string {
	var said []string
	for _, r := range j.Verdict.Reasons {
		if r.Decision == j.Verdict.Decision {
			said = append(said, j.voice(r, ""))
		}
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, " ")
	case j.Posture == "strict":
		return "It is known to only look."
	}
	return "It has no dangerous fact."
}

// maxVoice is how many characters of one reason are shown.
const maxVoice = 500

// voice is a reason with who gave it, unless that is known, and for which facts.
func (j Judgement) voice(r assent.Reason, known string) string {
	var from []string
	if r.By != known {
		from = append(from, Escape(short(r.By, maxVoice)))
	}
	if codes, _ := without(r.Text, j.Case.Findings); len(codes) > 0 && (retellers[r.By] != "" || r.By == lastTier) {
		from = append(from, strings.Join(codes, ", "))
	}
	text := Escape(short(r.Text, maxVoice))
	if len(from) == 0 {
		return text
	}
	return strings.TrimSpace(text + " (" + strings.Join(from, ": ") + ")")
}

// place adds where the action would happen.
func (p *page) place(c assent.Case) {
	p.write(plain, "")
	p.text(plain, "In ", c.Dir)
	p.notes(c.Dir)
	if c.Tool == assent.ToolShell && len(c.Commands) == 0 {
		p.say(plain, "", "It is not known to run any program.")
	}
}

// found adds the facts in the order of the text, and under those on one stretch of
// it that stretch, underlined.
func (p *page) found(j Judgement) {
	source, _ := parts(j.Case)
	facts := slices.Clone(j.Case.Findings)
	slices.SortStableFunc(facts, func(a, b assent.Finding) int {
		return cmp.Or(a.Span.From-b.Span.From, a.Span.To-b.Span.To)
	})
	if len(facts) > 0 {
		p.title("Facts")
	}
	underlined := false
	for i, f := range facts {
		p.say(plain, "  - ", j.weighed(f))
		p.notes(f.Target)
		if last := i+1 == len(facts) || facts[i+1].Span != f.Span; last && source != "" && f.Span != (assent.Span{}) {
			p.source(source, f.Span)
			underlined = true
		}
	}
	if !underlined {
		p.input(j.Case)
	}
}

// weighed is a fact in words, with what is made of it.
func (j Judgement) weighed(f assent.Finding) string {
	if j.Weigh == nil {
		return fact(f)
	}
	return strings.TrimSuffix(fact(f), ")") + "; " + j.Weigh(f.Code) + ")"
}

// voices adds who said what, tier by tier.
func (p *page) voices(j Judgement) {
	p.title("Who says what")
	said := map[string][]string{}
	for _, r := range j.Verdict.Reasons {
		tier := "rules"
		if retellers[r.By] != "" || r.By == lastTier {
			tier = r.By
		}
		said[tier] = append(said[tier], r.Decision.String()+": "+j.voice(r, tier))
	}
	if len(said[lastTier]) == 0 {
		said[lastTier] = []string{j.last(len(j.Verdict.Reasons) > 0)}
	}
	for _, tier := range []string{"floor", "rules", "built-in", lastTier} {
		if len(said[tier]) == 0 {
			said[tier] = []string{"nothing"}
		}
		for _, line := range said[tier] {
			p.say(plain, fmt.Sprintf("  %-8s  ", tier), line)
		}
	}
}

// lastTier is the one that speaks where no other has.
const lastTier = "default"

// last is what the default made of an action on which it gave no reason.
func (j Judgement) last(spoken bool) string {
	switch {
	case spoken:
		return "not asked, for another has spoken (" + j.Posture + ")"
	case j.Verdict.Decision == assent.None:
		return "no opinion (" + j.Posture + ")"
	}
	return j.Verdict.Decision.String() + " (" + j.Posture + ")"
}
