package terminal

// The head of a card: which request, of whom, where, and until when.

import (
	"fmt"
	"strings"

	"assent"
)

func (p *page) head(r assent.Request) {
	p.say(bold, "", fmt.Sprintf("%s  %s, %s", Escape(r.ID), Escape(string(r.Kind)), Escape(string(r.State))))
	p.write(plain, "")
	p.field("Agent", agent(r.Case.Event, p.o))
	p.field("Tool", Escape(r.Case.Tool))
	p.text(plain, label("Directory"), r.Case.Dir)
	p.notes(r.Case.Dir)
	p.field("Asked", times(r.Asked)+", first "+p.o.when(r.Opened))
	if r.State == assent.Pending {
		p.field("Expires", p.o.when(r.Expires))
	}
	p.field("Digest", Escape(short(r.Digest, 16)))
}

func (p *page) field(name, escaped string) { p.say(plain, label(name), escaped) }

func label(name string) string { return fmt.Sprintf("  %-9s  ", name) }

func agent(e assent.Event, o Options) string {
	parts := []string{Escape(e.Agent)}
	if e.Session != "" {
		parts = append(parts, "session "+Escape(short(e.Session, 8)))
	}
	if e.ParentSession != "" {
		parts = append(parts, "started by session "+Escape(short(e.ParentSession, 8)))
	}
	if e.Principal != "" {
		parts = append(parts, "acting for "+Escape(o.principal(e.Principal)))
	}
	return strings.Join(parts, ", ")
}

func times(n int) string {
	if n <= 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// short cuts an identifier and shows that it did.
func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
