package terminal

// People and how far their yes reaches, in words.

import (
	"strings"
	"time"

	"assent"
)

// uid begins the identity of a user of this machine.
const uid = "uid:"

// person is an identity for people, before it is escaped: "you" where it is who
// looks, else by name where it has one.
func (o Options) person(i assent.Identity) string {
	n, user := strings.CutPrefix(i.ID, uid)
	switch {
	case i.Name != "" || i.Surface != "terminal" || !user:
		return i.Called()
	case n == o.UID && n != "":
		return "you (terminal)"
	}
	return "uid " + n + " (terminal)"
}

// principal is who an agent acts for, before it is escaped.
func (o Options) principal(p string) string {
	if o.UID != "" && p == uid+o.UID {
		return "you"
	}
	return p
}

// reach is a width in words, before it is escaped. d is how long it is for, 0
// where that is not known.
func reach(w assent.Width, d time.Duration) string {
	switch {
	case w == assent.InSess:
		return "this session"
	case w == assent.ForTurns && d > 0:
		return "for " + exact(d)
	case w == assent.ForTurns:
		return "for a time"
	}
	return string(w)
}
