package review

// Widths: what a yes becomes, and how far it may reach.

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assent"
)

// The numbers of design section 9, "Widths".
const (
	MaxNote = 2000 // bytes of an answer's note

	onceFor     = 10 * time.Minute
	sessionFor  = 8 * time.Hour
	sessionUses = 100
	alwaysFor   = 90 * 24 * time.Hour
	alwaysUses  = 1000
	alwaysLapse = 30 * 24 * time.Hour
)

// unread are the codes of actions that cannot be fully read, or that run a file
// which their digest does not bind: the same text may do something else next
// time, so a yes to it is for once.
var unread = []string{"code.unknown", "code.unbound", "limit"}

// Widths returns the widths that may be given to a request.
func Widths(r assent.Request) []assent.Width {
	if hasUnread(r.Case) {
		return []assent.Width{assent.Once}
	}
	if r.Case.Session == "" {
		return []assent.Width{assent.Once, assent.Always}
	}
	return []assent.Width{assent.Once, assent.InSess, assent.ForTurns, assent.Always}
}

func hasUnread(c assent.Case) bool {
	return slices.ContainsFunc(c.Findings, func(f assent.Finding) bool { return slices.Contains(unread, f.Code) })
}

func width(a assent.Answer) assent.Width {
	if a.Width == "" {
		return assent.Once
	}
	return a.Width
}

// grant is what a valid yes becomes. Everything but a standing grant is held by
// the session that asked.
func grant(r assent.Request, a assent.Answer, now time.Time, boot string) assent.Grant {
	g := assent.Grant{Request: r.ID, Width: width(a), By: a.By, From: now, Scope: r.Offers[a.Offer].Scope}
	g.Scope.Agent, g.Scope.Principal, g.Scope.Session, g.Scope.Profile, g.Scope.User = r.Case.Agent, r.Case.Principal, r.Case.Session, r.Case.Profile, r.Case.User()
	limit := func(uses int, d time.Duration) {
		g.Scope.Uses, g.Scope.For, g.Until = uses, assent.Duration(d), now.Add(d)
	}
	switch g.Width {
	case assent.Once:
		limit(1, onceFor)
	case assent.InSess:
		limit(sessionUses, sessionFor)
		g.Boot = boot
	case assent.ForTurns:
		limit(a.Uses, time.Duration(a.For))
		if a.Uses == 0 {
			g.Scope.Uses = sessionUses
		}
	case assent.Always:
		limit(alwaysUses, alwaysFor)
		g.Lapse = assent.Duration(alwaysLapse)
		g.Scope.Session = ""
	}
	return g
}

// Renewed is a standing grant given anew by somebody, from the time of their word on.
// ErrInvalid: it is none, or would stand for longer than one may.
func Renewed(old assent.Grant, who assent.Identity, r assent.Renewal) (assent.Grant, error) {
	d := cmp.Or(time.Duration(r.For), alwaysFor)
	switch {
	case old.Width != assent.Always || old.Parent != "":
		return old, fmt.Errorf("only what a person gave for always is renewed: %w", assent.ErrInvalid)
	case d > alwaysFor:
		return old, fmt.Errorf("it stands for at most %d days: %w", alwaysFor/(24*time.Hour), assent.ErrInvalid)
	}
	g := assent.Grant{
		Request: old.Request, Width: old.Width, Scope: old.Scope, By: who, From: r.At, Until: r.At.Add(d), Lapse: old.Lapse,
	}
	g.Scope.For = assent.Duration(d)
	return g, nil
}
