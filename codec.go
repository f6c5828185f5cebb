package assent

// The Codec: how one agent's words become ours, and our verdicts become its own.

import "time"

// Codec translates between one agent and assent. Its functions are pure: no
// I/O, no clock but the event's At, which the caller sets. It is a value, one
// per agent, in the one list harness.All.
type Codec struct {
	Name   string   // "claude"
	Agent  string   // for people: "Claude Code"
	Rows   []Native // every event of the agent that is known
	Can    Powers
	Margin time.Duration // our own deadline lies this far under the agent's limit

	// Decode reads what the agent sent for one of its events. env looks up the
	// hook process's environment. ErrInvalid for anything that cannot be fully
	// understood: empty, not JSON, duplicate keys, wrong types, invalid UTF-8,
	// another event than the one named. The Event it returns along with an error
	// carries what could be read, for the record. An ID that a retry would not
	// carry too is left empty, for the caller to give.
	Decode func(native string, raw []byte, env func(string) string) (Event, error)

	// Restore turns what a verdict rewrites back into the agent's own shape, for the
	// event that it is about: the Rewrite, and the Text that stands in place of a
	// result. A verdict goes through it before Encode, which does not know the event.
	// What is empty stays empty; ErrInvalid for what has no place in that shape.
	Restore func(e Event, v Verdict) (Verdict, error)

	// Encode writes the verdict in the agent's own words for one of its events:
	// what to print on standard output, with exit status 0. It never writes what
	// that agent rejects or ignores for this event.
	Encode func(native string, v Verdict) []byte

	// Look completes an event with what it only points at, such as a settings
	// file that has changed. It reads through read alone. nil = nothing to add.
	Look func(e Event, read func(path string) ([]byte, error)) Event
}

// Fail writes a denial for what failed on our side, in the agent's own words.
func (c Codec) Fail(native, reason string) []byte {
	return c.Encode(native, Verdict{Decision: Deny, Tell: reason, Reasons: []Reason{{By: "assent", Decision: Deny, Text: reason}}})
}

// Row returns the row of one of the agent's events. Unknown events gate: what is
// not known is stopped where it can be.
func (c Codec) Row(native string) (Native, bool) {
	for _, r := range c.Rows {
		if r.Event == native {
			return r, true
		}
	}
	return Native{Event: native, Name: UnmappedEvent, Gates: true}, false
}

// Native is one event of an agent's own.
type Native struct {
	Event string        // the agent's name
	Name  string        // the catalogue's name
	Gates bool          // what fails here is answered with a denial
	Races bool          // the agent's own prompt is open meanwhile: no answer leaves it to that
	Limit time.Duration // after which the agent stops waiting, as we set it up
	Also  []string      // further names of the catalogue that it stands for, each with the same Extra
}

// Powers is what an agent lets its guard do, and what it does when the guard
// fails.
type Powers struct {
	Block   bool // stop a call
	Ask     bool // show its own prompt when told to ask
	Resume  bool // end, and run the same call again when resumed
	Grant   bool // skip its own prompt when told to allow
	Rewrite bool // run another input
	Context bool // take words for the model

	OnTimeout, OnCrash string // "runs" or "blocks"
}
