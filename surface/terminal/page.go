package terminal

// The page: lines of a card, wrapped, counted, coloured.

import (
	"fmt"
	"strings"
	"time"

	"assent"
)

// again starts every line that goes on with the one before it. Nothing from
// outside can stand in its column.
const again = "↪ "

// style is how a line looks where colours are on.
type style string

const (
	plain style = ""
	bold  style = "\x1b[1m"
	dim   style = "\x1b[2m"
	alarm style = "\x1b[1;31m"
	reset       = "\x1b[0m"
)

// page collects the lines of a card until a limit is reached; then it is over,
// and takes no more.
type page struct {
	o     Options
	b     strings.Builder
	lines int
	bytes int
	over  bool

	code []assent.Word // what is shown already as the code of shells
}

func newPage(o Options) *page { return &page{o: o} }

func (p *page) String() string { return p.b.String() }

func (p *page) tooLong() string {
	return fmt.Sprintf("It is too long to be shown whole: a card has at most %d lines and %d bytes.", p.o.MaxLines, p.o.MaxBytes)
}

// write adds one finished line.
func (p *page) write(s style, line string) {
	p.lines++
	p.bytes += len(line) + 1
	if p.over = p.over || p.lines > p.o.MaxLines || p.bytes > p.o.MaxBytes; p.over {
		return
	}
	if p.o.Color && s != plain && line != "" {
		line = string(s) + line + reset
	}
	p.b.WriteString(line)
	p.b.WriteByte('\n')
}

// title starts a section, in our own words.
func (p *page) title(text string) {
	p.write(plain, "")
	p.write(bold, text)
}

// fits reports whether the page has room for it, and is over if it has not: text
// that cannot fit is not even looked at, for nothing here makes it shorter.
func (p *page) fits(outside string) bool {
	p.over = p.over || len(strings.Trim(outside, " ")) > p.o.MaxBytes-p.bytes
	return !p.over
}

// text adds text from outside, exact to the last space, after a lead of ours.
func (p *page) text(s style, lead, outside string) {
	if p.fits(outside) {
		p.wrap(s, lead, shown(outside), false)
	}
}

// say adds a line in our own words, broken between words; what it holds from
// outside is escaped already.
func (p *page) say(s style, lead, ours string) {
	if p.fits(ours) {
		p.wrap(s, lead, words(finished(ours), p.o.Width-width(finished(lead))), true)
	}
}

// block adds text from outside line by line, each behind a bar.
func (p *page) block(outside string) {
	if !p.fits(outside) {
		return
	}
	for line := range strings.SplitSeq(outside, "\n") {
		var ts []token
		if line != "" {
			ts = shown(line)
		}
		p.wrap(plain, bar, ts, false)
	}
}

// notes adds what is to be told about the letters of text from outside.
func (p *page) notes(outside string) {
	if !p.fits(outside) {
		return
	}
	for _, n := range notes(outside) {
		p.say(alarm, "       ! ", n)
	}
}

// wrap breaks tokens into lines. A space at a break is dropped from prose and
// written out in all else, where nobody could tell whether it was there.
func (p *page) wrap(s style, lead string, ts []token, prose bool) {
	indent := width(finished(lead))
	cont := strings.Repeat(" ", max(indent-2, 0)) + again
	line, left, fresh := lead, p.o.Width-indent, true
	for i, t := range ts {
		last := t.text == " " && i+1 < len(ts) && t.cols+ts[i+1].cols > left
		if (t.cols > left || last) && !fresh {
			p.write(s, line)
			line, left, fresh = cont, p.o.Width-indent, true
			if t.text == " " && prose {
				continue
			}
			if t.text == " " {
				t = spaces(1)
			}
		}
		line += t.text
		left -= t.cols
		fresh = false
	}
	p.write(s, strings.TrimRight(line, " "))
}

// words joins tokens between spaces, so that prose is broken between words; what
// is longer than a line stays in pieces.
func words(ts []token, most int) []token {
	var all []token
	from := 0
	for i := 0; i <= len(ts); i++ {
		if i < len(ts) && ts[i].text != " " {
			continue
		}
		all = append(all, join(ts[from:i], most)...)
		if i < len(ts) {
			all = append(all, ts[i])
		}
		from = i + 1
	}
	return all
}

func join(ts []token, most int) []token {
	if width(ts) > most || len(ts) < 2 {
		return ts
	}
	var b strings.Builder
	for _, t := range ts {
		b.WriteString(t.text)
	}
	return []token{{b.String(), width(ts)}}
}

// finished takes our own text apart, where what is written out stays whole.
func finished(s string) []token {
	var all []token
	for r := (reader{rest: s}); r.rest != ""; {
		if end := strings.IndexRune(r.rest, closing); end > 0 && strings.HasPrefix(r.rest, string(opening)) {
			all = append(all, written(r.rest[len(string(opening)):end]))
			r.rest = r.rest[end+len(string(closing)):]
			continue
		}
		all = append(all, r.next())
	}
	return all
}

// when says a moment, and how far away it is.
func (o Options) when(t time.Time) string {
	date := t.UTC().Format("2006-01-02 15:04:05 UTC")
	if o.Now.IsZero() {
		return date
	}
	if away := distance(t.Sub(o.Now)); away != "" {
		return fmt.Sprintf("%s (%s)", away, date)
	}
	return fmt.Sprintf("now (%s)", date)
}
