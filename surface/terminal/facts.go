package terminal

// Facts and reasons, in words.

import (
	"strings"

	"assent"
)

func (p *page) facts(fs []assent.Finding) {
	if len(fs) == 0 {
		return
	}
	p.title("Facts")
	for _, f := range fs {
		p.say(plain, "  - ", fact(f))
		p.notes(f.Target)
	}
}

// fact is a finding in words: what is true, its code, and what it is done to.
func fact(f assent.Finding) string {
	tail := " (" + Escape(f.Code)
	if f.Target != "" {
		tail += ": " + Escape(f.Target)
	}
	return strings.TrimSpace(Escape(f.Note)) + tail + ")"
}

func (p *page) reasons(rs []assent.Reason) {
	if len(rs) == 0 {
		return
	}
	p.title("Why you are asked")
	for _, r := range rs {
		p.say(plain, "  - ", reason(r))
	}
}

func reason(r assent.Reason) string {
	return r.Decision.String() + ", says " + Escape(r.By) + ": " + Escape(r.Text)
}

// scope says in words what a scope covers.
func scope(s assent.Scope) string {
	if s.Digest != "" {
		return "exactly this call (" + Escape(short(s.Digest, 12)) + ")"
	}
	if s.Tool == "" {
		return "nothing"
	}
	what := Escape(s.Tool)
	if len(s.Programs) > 0 {
		what += " running only " + Escape(strings.Join(s.Programs, ", "))
	}
	return what + ", doing only " + Escape(strings.Join(s.Codes, ", ")) + ", under " + Escape(s.Under)
}
