package terminal

// The source: the lines of a command, with what a fact stands on underlined.

import (
	"fmt"
	"strings"

	"assent"
)

// maxUnderlined is how many lines of one stretch are shown.
const maxUnderlined = 6

// bar stands before every line of a source.
const bar = "       │ "

// cell is one visible piece of a line of the source.
type cell struct {
	token
	bytes int  // how many bytes of the source it stands for
	under bool // it is part of the stretch
}

// source adds the lines of text that a stretch of it is on, each with carets under
// what belongs to the stretch. Of a line that is too wide, and of a stretch with
// too many lines, it shows the beginning and says how much is left out.
func (p *page) source(text string, s assent.Span) {
	from := min(max(s.From, 0), len(text))
	to := min(max(s.To, from+1), len(text)+1) // an empty stretch is the place itself
	at := strings.LastIndexByte(text[:from], '\n') + 1
	for n := 0; at < to; n++ {
		line, _, more := strings.Cut(text[at:], "\n")
		if n == maxUnderlined {
			p.say(dim, bar, fmt.Sprintf("and %d more lines", 1+strings.Count(text[at:min(to, len(text))], "\n")))
			return
		}
		p.underlined(line, from-at, to-at)
		at += len(line) + 1
		if !more {
			return
		}
	}
}

// underlined adds one line of the source, and the carets under its bytes from a
// first one to an end.
func (p *page) underlined(line string, from, to int) {
	room := max(p.o.Width, leastSource) - width(finished(bar))
	cells := window(dissect(line, from, to), room)
	var shown, carets strings.Builder
	for _, c := range cells {
		shown.WriteString(c.text)
		mark := " "
		if c.under {
			mark = "^"
		}
		carets.WriteString(strings.Repeat(mark, c.cols))
	}
	if !strings.Contains(carets.String(), "^") { // at the end of the line, or on an empty one
		carets.WriteByte('^')
	}
	p.write(plain, strings.TrimRight(bar+shown.String(), " "))
	p.write(alarm, strings.TrimRight(bar+carets.String(), " "))
}

// dissect takes a line apart into cells.
func dissect(line string, from, to int) []cell {
	var cells []cell
	at := 0
	for r := (reader{rest: line}); r.rest != ""; {
		before := len(r.rest)
		c := cell{token: r.next()}
		c.bytes = before - len(r.rest)
		c.under = at < to && at+c.bytes > from
		cells = append(cells, c)
		at += c.bytes
	}
	return cells
}

// leastSource is how many columns a line of the source has at least: what is
// narrower has no room for the marks.
const leastSource = 60

// markRoom is the most columns that a mark for what is left out takes.
const markRoom = 16

// window returns the cells of a line that fit: those from a little before the
// stretch on, with a mark where something is left out.
func window(cells []cell, room int) []cell {
	if columnsOf(cells) <= room {
		return cells
	}
	from := 0
	for from < len(cells) && !cells[from].under {
		from++
	}
	for back := (room - 2*markRoom) / 4; from > 0; from-- {
		if back -= cells[from-1].cols; back < 0 {
			break
		}
	}
	to, left := from, room-2*markRoom
	for to < len(cells) && (left >= cells[to].cols || to == from) {
		left -= cells[to].cols
		to++
	}
	out := append(omitted(cells[:from]), cells[from:to]...)
	return append(out, omitted(cells[to:])...)
}

// omitted is one cell that stands for cells which are left out; none for none.
func omitted(cells []cell) []cell {
	if len(cells) == 0 {
		return nil
	}
	var sum cell
	for _, c := range cells {
		sum.bytes += c.bytes
		sum.under = sum.under || c.under
	}
	sum.token = written(fmt.Sprintf("%d bytes", sum.bytes))
	return []cell{sum}
}

func columnsOf(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.cols
	}
	return n
}
