package terminal

// Reasons, in words: what they add to the facts that are shown above them.

import (
	"slices"
	"strings"

	"assent"
)

// retellers are the voices that have nothing to say but the notes of findings.
var retellers = map[string]string{"built-in": "The built-in judgement", "floor": "The floor"}

var verbs = map[assent.Decision]string{assent.Allow: "allows", assent.Ask: "asks", assent.Deny: "denies"}

// reasons adds what was said by whom. shown are the facts that the page holds
// already: a reason that only retells them is one short line, and makes no
// section of its own.
func (p *page) reasons(title string, rs []assent.Reason, shown []assent.Finding) {
	var said, retold []string
	for _, r := range rs {
		if line := retelling(r, shown); line != "" {
			retold = append(retold, line)
		} else {
			said = append(said, reason(r))
		}
	}
	if len(said) == 0 {
		for _, line := range retold {
			p.say(plain, "  ", line)
		}
		return
	}
	p.title(title)
	for _, line := range append(said, retold...) {
		p.say(plain, "  - ", line)
	}
}

func reason(r assent.Reason) string {
	return r.Decision.String() + ", says " + Escape(r.By) + ": " + Escape(r.Text)
}

// retelling is a reason that repeats the notes of findings, with their codes in
// their place and what it says besides; empty for any other reason.
func retelling(r assent.Reason, fs []assent.Finding) string {
	who, verb := retellers[r.By], verbs[r.Decision]
	if who == "" || verb == "" {
		return ""
	}
	codes, rest := without(r.Text, fs)
	if len(codes) == 0 {
		return ""
	}
	line := who + " " + verb + " because of: " + strings.Join(codes, ", ")
	if rest != "" {
		line += ". " + Escape(rest)
	}
	return line
}

// without takes the notes of findings out of text, the longest first, and
// returns the codes of those that it held, escaped.
func without(text string, fs []assent.Finding) (codes []string, rest string) {
	longest := slices.Clone(fs)
	slices.SortStableFunc(longest, func(a, b assent.Finding) int { return len(b.Note) - len(a.Note) })
	rest = text
	for _, f := range longest {
		note := strings.TrimSpace(f.Note)
		if note == "" || !strings.Contains(text, note) {
			continue
		}
		rest = strings.ReplaceAll(rest, note, "\n")
		codes = append(codes, Escape(f.Code))
	}
	slices.Sort(codes)
	return slices.Compact(codes), strings.Join(strings.Fields(rest), " ")
}
