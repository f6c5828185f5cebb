package terminal

// Lists: requests as a table, and a request as one line.

import (
	"cmp"
	"encoding/json"
	"time"

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
	return table(rows, o.filled(), maxCell)
}

// OneLine returns which request it is and what would be done, without a newline:
// "req_16: git reset --hard, in /w/proj". It is for knowing it again, never for
// answering: what is long is cut, visibly.
func OneLine(r assent.Request) string {
	line := clipped(r.ID, 40) + ": " + clipped(named(r.Case), 72)
	if r.Case.Dir != "" {
		line += ", in " + clipped(r.Case.Dir, 60)
	}
	return line
}

// Outcome returns one line on how a request stands, without a newline.
func Outcome(r assent.Request, o Options) string {
	s := Escape(r.ID) + " " + Escape(string(r.State))
	if a := r.Answer; a != nil {
		s += " by " + Escape(o.person(a.By))
		if a.Decision == assent.Allow && a.Width != "" {
			s += ", " + Escape(reach(a.Width, time.Duration(a.For)))
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

// wait says how long a request has been waiting, or when it was settled.
func wait(r assent.Request, o Options) string {
	switch {
	case r.State != assent.Pending:
		return "-"
	case o.Now.IsZero():
		return r.Opened.UTC().Format("15:04:05")
	}
	return rough(o.Now.Sub(r.Opened))
}

// gist is the start of what would run: a shell's command, a program with its arguments,
// or the whole input.
func gist(c assent.Case) string {
	if x, err := c.Exec(); err == nil {
		return "exec " + x.Line()
	}
	var shell struct{ Command string }
	if c.Tool == assent.ToolShell && json.Unmarshal(c.Input, &shell) == nil {
		return shell.Command
	}
	return c.Tool + " " + string(c.Input)
}

// named is what would be done, by what people know it by: a shell's command, or
// the tool and its path or address, or else the whole input.
func named(c assent.Case) string {
	var in struct{ Path, URL string }
	if c.Tool == assent.ToolShell || json.Unmarshal(c.Input, &in) != nil || in.Path+in.URL == "" {
		return gist(c)
	}
	return c.Tool + " " + cmp.Or(in.Path, in.URL)
}
