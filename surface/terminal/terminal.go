// Package terminal shows requests, grants and answers to a person at a terminal.
//
// What an agent wrote is never printed as it stands: control characters, escape
// sequences, text that changes the reading order and characters that show
// nothing are written out, so that a card cannot be made to lie. A request that
// is too long to be shown whole says that it cannot be approved here; nothing is
// cut in silence. The package never decides, never reads the keyboard and never
// writes anywhere: it makes text.
//
//	text, whole := terminal.Card(request, terminal.Options{Width: 80, Now: now})
//	fmt.Print(text)
//	if !whole {
//		return errTooLong // do not offer to approve what was not shown
//	}
package terminal

import (
	"fmt"
	"time"

	"assent"
)

// The limits that stand where Options leaves them 0.
const (
	DefaultWidth = 80
	DefaultLines = 400
	DefaultBytes = 32 << 10
	minWidth     = 30 // below it a card has no room
)

// Options say what the terminal is like. The zero Options are 80 columns,
// without colour, and the default limits.
type Options struct {
	Width    int       // columns; below 30 no card is whole
	MaxLines int       // most lines of a card that is whole
	MaxBytes int       // most bytes of a card that is whole, colour not counted
	Color    bool      // use the terminal's colours
	Now      time.Time // for "in 5 min"; zero: only dates are shown
	Boot     string    // this boot's id, for whether a grant is live; empty: any
	UID      string    // the number of the user who looks, who is called "you"; empty: not known

	// Asked finds a request by its ID, for what a grant covers; false: not known.
	// nil knows none.
	Asked func(request string) (assent.Request, bool)

	// Counts reports whether a grant that seems to be live is: its row may be somebody
	// else's, or from before the home had a key. nil: it is.
	Counts func(grant string) bool
}

func (o Options) filled() Options {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	if o.MaxLines == 0 {
		o.MaxLines = DefaultLines
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultBytes
	}
	return o
}

// Card returns what a person must see to answer one request, ending in a
// newline. whole is false when it cannot be shown whole within the limits, or
// has no answer that can be typed: then the card says so and why, names no
// command that approves, and the caller must not accept an approval from here.
//
// The text holds no control character but the newline, and with Options.Color
// this package's own colour codes. Card is pure and may be called concurrently.
func Card(r assent.Request, o Options) (text string, whole bool) {
	o = o.filled()
	narrow := o.Width < minWidth
	o.Width = max(o.Width, minWidth)
	p := newPage(o)
	p.head(r)
	p.truth(r.Case)
	p.facts(r.Case.Findings)
	p.reasons("Why you are asked", r.Reasons, r.Case.Findings)
	p.advice(r)
	p.answers(r)
	why := unanswerable(r)
	switch {
	case p.over:
		why = p.tooLong()
	case narrow:
		why = fmt.Sprintf("The terminal is too narrow: a card needs %d columns.", minWidth)
	}
	if why == "" {
		return p.String(), true
	}
	return partial(r, o, why), false
}

// unanswerable says why an otherwise showable request has no answer here.
func unanswerable(r assent.Request) string {
	switch {
	case r.Kind == assent.KindQuestion:
		return "It is a question of a workflow, and a terminal can only say yes or no."
	case !typeable(r.ID):
		return "Its ID is malformed."
	}
	return ""
}
