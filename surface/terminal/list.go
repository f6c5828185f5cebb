package terminal

// Lists: requests and grants as tables, and an answer as one line.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
)

// Requests returns a table of requests, a line each, ending in a newline. It is
// for finding one: what would run is cut to the width, visibly.
func Requests(rs []assent.Request, o Options) string {
	if len(rs) == 0 {
		return "no requests\n"
	}
	rows := [][]string{{"ID", "STATE", "AGENT", "SESSION", "WAITS", "WHAT"}}
	for _, r := range rs {
		rows = append(rows, []string{r.ID, string(r.State), r.Case.Agent, short(r.Case.Session, 8), wait(r, o), gist(r.Case)})
	}
	return table(rows, o.filled())
}

// Grants returns a table of grants, a line each, ending in a newline.
func Grants(gs []assent.Grant, o Options) string {
	if len(gs) == 0 {
		return "no grants\n"
	}
	rows := [][]string{{"ID", "STATE", "WIDTH", "USED", "UNTIL", "BY", "COVERS"}}
	for _, g := range gs {
		used := fmt.Sprintf("%d/%d", g.Used, g.Scope.Uses)
		until := g.Until.UTC().Format("2006-01-02 15:04")
		rows = append(rows, []string{g.ID, live(g, o), string(g.Width), used, until, person(g.By), covers(g.Scope)})
	}
	return table(rows, o.filled())
}

// Settled returns one line on how a request stands, without a newline.
func Settled(r assent.Request) string {
	s := Escape(r.ID) + " " + Escape(string(r.State))
	if a := r.Answer; a != nil {
		s += " by " + Escape(person(a.By))
		if a.Decision == assent.Allow && a.Width != "" {
			s += ", " + Escape(string(a.Width))
		}
		if a.Note != "" {
			s += ": " + Escape(a.Note)
		}
	}
	if r.Grant != "" {
		s += " (grant " + Escape(r.Grant) + ")"
	}
	return s
}

// person is an identity for people: by name where it has one.
func person(i assent.Identity) string {
	if i.Name == "" {
		return i.String()
	}
	return i.Name + " (" + i.Surface + ")"
}

// wait says how long a request has been waiting, or when it was settled.
func wait(r assent.Request, o Options) string {
	switch {
	case r.State != assent.Pending:
		return "-"
	case o.Now.IsZero():
		return r.Opened.UTC().Format("15:04:05")
	}
	return o.Now.Sub(r.Opened).Round(1e9).String()
}

// gist is the start of what would run: a shell's command, or the whole input.
func gist(c assent.Case) string {
	var shell struct{ Command string }
	if c.Tool == assent.ToolShell && json.Unmarshal(c.Input, &shell) == nil {
		return shell.Command
	}
	return c.Tool + " " + string(c.Input)
}

// live says whether a grant is live, and if not what ended it. Where this boot
// is not known, the grant's own stands for it.
func live(g assent.Grant, o Options) string {
	if o.Now.IsZero() {
		return "-"
	}
	if o.Boot == "" {
		o.Boot = g.Boot
	}
	switch err := g.Check(o.Now, o.Boot); {
	case err == nil:
		return "live"
	case errors.Is(err, assent.ErrRevoked):
		return "revoked"
	case errors.Is(err, assent.ErrExhausted):
		return "used up"
	default:
		return "expired"
	}
}

// covers is scope before it is escaped: table escapes its cells.
func covers(s assent.Scope) string {
	switch {
	case s.Digest != "":
		return "one call " + short(s.Digest, 12)
	case s.Tool == "":
		return "nothing"
	}
	return fmt.Sprintf("%s %s: %s under %s", s.Tool, strings.Join(s.Programs, ","), strings.Join(s.Codes, ","), s.Under)
}

// maxCell is the widest a cell may be, but for the last of its row.
const maxCell = 24

// table aligns rows in columns and escapes their cells; the last column takes
// what is left of the width.
func table(rows [][]string, o Options) string {
	cells := make([][][]token, len(rows))
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for i, row := range rows {
		for k, cell := range row[:last] {
			cells[i] = append(cells[i], clip(short(cell, maxCell+1), maxCell))
			widths[k] = max(widths[k], width(cells[i][k]))
		}
	}
	left := max(o.Width-sum(widths)-2*last, maxCell)
	for i, row := range rows {
		cells[i] = append(cells[i], clip(short(row[last], left+1), left))
	}
	var b strings.Builder
	for i, row := range cells {
		b.WriteString(paint(line(row, widths), i == 0 && o.Color))
	}
	return b.String()
}

func sum(ns []int) int {
	n := 0
	for _, x := range ns {
		n += x
	}
	return n
}

// clip takes text from outside apart, at most so many columns of it, and shows
// where it was cut.
func clip(s string, most int) []token {
	var ts []token
	for r := (reader{rest: s}); r.rest != ""; {
		ts = append(ts, r.next())
	}
	if width(ts) <= most {
		return ts
	}
	for width(ts) > most-1 {
		ts = ts[:len(ts)-1]
	}
	return append(ts, token{"…", 1})
}

func line(row [][]token, widths []int) string {
	var b strings.Builder
	for k, cell := range row {
		for _, t := range cell {
			b.WriteString(t.text)
		}
		if k < len(row)-1 {
			b.WriteString(strings.Repeat(" ", widths[k]-width(cell)+2))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func paint(s string, head bool) string {
	if head {
		return string(bold) + s + reset + "\n"
	}
	return s + "\n"
}
