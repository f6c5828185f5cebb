package terminal

// Tables: rows whose columns stand under each other, with every cell inert.

import "strings"

// maxCell is the widest a cell may be, but for the last of its row.
const maxCell = 24

// table aligns rows in columns and escapes their cells; the last column takes
// what is left of the width, and at least so many columns.
func table(rows [][]string, o Options, least int) string {
	cells := make([][][]token, len(rows))
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for i, row := range rows {
		for k, cell := range row[:last] {
			cells[i] = append(cells[i], clip(short(cell, maxCell+1), maxCell))
			widths[k] = max(widths[k], width(cells[i][k]))
		}
	}
	left := max(o.Width-sum(widths)-2*last, least)
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

// clipped is clip as text.
func clipped(s string, most int) string {
	return line([][]token{clip(short(s, most+1), most)}, nil)
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
