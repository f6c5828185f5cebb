package terminal

// Grants as a table: what may run without asking, until when, and what ended.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assent"
)

// minCovers is how much of what a grant covers is shown at least.
const minCovers = 40

// Grants returns a table of grants, oldest first, a line each, ending in a newline.
// What an exact grant covers is looked up with Options.Asked. One that was handed on
// says so, and is as dead as what it came of, if that is in the list.
func Grants(gs []assent.Grant, o Options) string {
	if len(gs) == 0 {
		return "no grants\n"
	}
	rows := [][]string{{"ID", "STATE", "WIDTH", "USED", "UNTIL", "BY", "COVERS"}}
	for _, g := range gs {
		used := fmt.Sprintf("%d/%d", g.Used, g.Scope.Uses)
		width := reach(g.Width, g.Until.Sub(g.From))
		line := lineOf(g, gs)
		rows = append(rows, []string{g.ID, stands(line, o), width, used, until(g, o), o.person(g.By), handed(g) + covers(asked(line), o)})
	}
	return table(rows, o.filled(), minCovers)
}

// lineOf is a grant and those that it came of, as far as they are in the list.
func lineOf(g assent.Grant, list []assent.Grant) []assent.Grant {
	line := []assent.Grant{g}
	for at := len(list); g.Parent != ""; {
		at = slices.IndexFunc(list[:at], func(p assent.Grant) bool { return p.ID == g.Parent })
		if at < 0 {
			break
		}
		g = list[at]
		line = append(line, g)
	}
	return line
}

// stands says whether the first of a line is live, and if not what ended it, or what it
// came of; "void", where nothing did and it counts for nothing all the same.
func stands(line []assent.Grant, o Options) string {
	for _, g := range line {
		if s := live(g, o); s != "live" {
			return s
		}
	}
	if o.Counts != nil && !o.Counts(line[0].ID) {
		return "void"
	}
	return "live"
}

// asked is the first of a line with the request that led to it, or to what it came of.
func asked(line []assent.Grant) assent.Grant {
	g := line[0]
	for _, from := range line {
		g.Request = cmp.Or(g.Request, from.Request)
	}
	return g
}

// handed says where a grant came from that was handed on, and to whom.
func handed(g assent.Grant) string {
	if g.Parent == "" || g.Request != "" || g.Width == assent.Owner {
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(g.Scope.Session, "/") { // a sub-agent's, behind its parent's
		parts = append(parts, short(part, 8))
	}
	return "from " + g.Parent + ", for session " + strings.Join(parts, "/") + ": "
}

// until says how far away the deadline is, or where that is not known its date.
func until(g assent.Grant, o Options) string {
	if o.Now.IsZero() {
		return g.Until.UTC().Format("2006-01-02 15:04")
	}
	if away := distance(g.Until.Sub(o.Now)); away != "" {
		return away
	}
	return "now"
}

// live says whether a grant is live, and if not what ended it first. Where this
// boot is not known, the grant's own stands for it.
func live(g assent.Grant, o Options) string {
	if o.Now.IsZero() {
		return "-"
	}
	if o.Boot == "" {
		o.Boot = g.Boot
	}
	if g.Scope.Uses > 0 && g.Used >= g.Scope.Uses {
		return "used up" // the last use was before any other end
	}
	switch err := g.Check(o.Now, o.Boot); {
	case err == nil:
		return "live"
	case errors.Is(err, assent.ErrRevoked) && g.Revoked.Before(g.Until):
		return "revoked"
	case errors.Is(err, assent.ErrExhausted):
		return "used up"
	default:
		return "expired"
	}
}

// covers says what the grant covers, before it is escaped: table escapes its
// cells. A request speaks for an exact grant only if it asked for just that.
func covers(g assent.Grant, o Options) string {
	s := g.Scope
	what := inside(g, o)
	switch {
	case g.Mints:
		what = "authority of the approval hook" + beside(what)
	case g.Width == assent.Owner && everything(s):
		what = "owner's standing yes to everything that would be asked (approvals.mode: off)"
	case g.Width != assent.Owner:
		return what
	}
	if s.Agent != "" {
		what += ", of the agent " + s.Agent
	}
	if s.Profile != "" {
		what += ", of the profile " + s.Profile
	}
	return what
}

// beside is what an authority is bounded to, if it is.
func beside(what string) string {
	if what == everyAction {
		return ""
	}
	return ": " + what
}

const everyAction = "every action"

// everything reports whether a scope is of every action of its holder.
func everything(s assent.Scope) bool {
	return s.Tool == assent.AnyTool && s.Digest == "" && len(s.Programs)+len(s.Codes) == 0 && s.Under+s.Dir == ""
}

// inside says what lies in the grant's scope.
func inside(g assent.Grant, o Options) string {
	s := g.Scope
	switch {
	case everything(s):
		return everyAction
	case s.Digest == "" && s.Tool == assent.AnyTool:
		return "nothing"
	case s.Digest != "":
		if o.Asked != nil && g.Request != "" {
			if r, ok := o.Asked(g.Request); ok && r.Case.Digest() == s.Digest {
				return "exactly: " + named(r.Case)
			}
		}
		return "one exact call (" + short(s.Digest, 12) + ")"
	case s.Tool == "":
		return "nothing"
	case len(s.Programs) == 0:
		return s.Tool + ", " + only(s)
	}
	return strings.Join(s.Programs, ", ") + ", " + only(s)
}

// deeds are the codes of classes as verbs; a code that is not here stands for
// itself.
var deeds = map[string]string{
	"fs.delete": "deletes", "fs.delete.temp": "deletes", "fs.write": "writes", "fs.overwrite": "overwrites",
}

// only says what a class may do, and where.
func only(s assent.Scope) string {
	var do []string
	for _, code := range s.Codes {
		deed := deeds[code]
		if deed == "" {
			deed = "does " + code
		}
		if !slices.Contains(do, deed) {
			do = append(do, deed)
		}
	}
	where := " below " + s.Under
	if s.Under == "" {
		where = " in " + s.Dir
	}
	if len(do) == 0 {
		return "only what has no fact," + where
	}
	return "only what " + strings.Join(do, " or ") + where
}

// Covers says in one line what a grant covers, as Grants does. It is not escaped.
func Covers(g assent.Grant, o Options) string { return covers(g, o.filled()) }
