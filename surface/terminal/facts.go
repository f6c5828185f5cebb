package terminal

// Facts and scopes, in words.

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

// fact is a finding in words: what is true, its code, and what it is done to
// where the note does not say so.
func fact(f assent.Finding) string {
	tail := " (" + Escape(f.Code)
	if !mentions(f.Note, f.Target) {
		tail += ": " + Escape(f.Target)
	}
	return strings.TrimSpace(Escape(f.Note)) + tail + ")"
}

// mentions reports whether note holds target as a whole: /w/a is not in a note
// on /w/ab. An empty target is in every note.
func mentions(note, target string) bool {
	for rest := note; target != ""; {
		before, after, found := strings.Cut(rest, target)
		if !found {
			return false
		}
		if ends(before, true) && ends(after, false) {
			return true
		}
		rest = rest[len(before)+1:]
	}
	return true
}

// ends reports whether a word ends at the seam of s: at its end where s stands
// before the seam, else at its beginning.
func ends(s string, before bool) bool {
	const around = " ,;:()'\""
	if before {
		return s == "" || strings.ContainsRune(around, rune(s[len(s)-1]))
	}
	s = strings.TrimPrefix(s, ".")
	return s == "" || strings.ContainsRune(around, rune(s[0]))
}

// scope says in words what a scope covers.
func scope(s assent.Scope) string {
	if s.Digest != "" {
		return "exactly this call (" + Escape(short(s.Digest, 12)) + ")"
	}
	switch {
	case everything(s):
		return everyAction
	case s.Tool == "" || s.Tool == assent.AnyTool:
		return "nothing"
	}
	what := Escape(s.Tool)
	if len(s.Programs) > 0 {
		what += " running only " + Escape(strings.Join(s.Programs, ", "))
	}
	if len(s.Codes) > 0 {
		what += ", doing only " + Escape(strings.Join(s.Codes, ", "))
	} else {
		what += ", doing nothing that has a fact"
	}
	if s.Under != "" {
		what += ", under " + Escape(s.Under)
	}
	if s.Dir != "" {
		what += ", in " + Escape(s.Dir) + " and with no word that leads out of it"
	}
	return what
}
