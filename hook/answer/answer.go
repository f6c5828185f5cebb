// Package answer reads what a hook's process said: its standard output and its exit
// status become a Reply. Both the shapes of Hermes Agent and those of Claude Code are
// understood from any hook.
//
// It runs nothing and knows no hook by name. What cannot be understood is an error, or
// a Fault where the event hears nothing; it is never an Allow.
//
//	reply, err := answer.Read(assent.PreToolCall, hook.Hermes, assent.ToolShell, answer.Output{
//		Stdout: []byte(`{"action": "block", "message": "not on a Friday"}`),
//	})
//	// reply.Decision == assent.Deny, reply.Reason == "not on a Friday"
package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assent"
	"assent/hook"
)

// DefaultText is the reason of a denial that gave none.
const DefaultText = "blocked by a hook"

// exitBlock is the exit status that says no.
const exitBlock = 2

// maxText is how much of standard error people and agents are shown, in characters.
const maxText = 400

// Output is what a hook's process left behind. For a hook that is an address, it is
// the body alone.
type Output struct {
	Stdout, Stderr []byte
	Exit           int    // -1: see Signal
	Signal         string // what ended it, if that was a signal
	Truncated      bool   // Stdout or Stderr had more than was kept
}

// Read is what a hook meant by its output, for one event and one tool of ours. An
// error is a failure of the hook; a Reply beside it means nothing unless it denies. A
// Reply with a Fault is an answer that came with something to warn of. The input of a
// Rewrite holds the keys that the hook named, in our names, and no others.
func Read(event string, d hook.Dialect, tool string, out Output) (assent.Reply, error) {
	heard, err := listen(event, out)
	q := question{event: event, dialect: d, tool: tool, out: out, heard: heard}
	switch hears(event) {
	case assent.HearsDecision:
		return q.decision(err)
	case assent.HearsDirective:
		return q.directive(err)
	case assent.HearsContext:
		return q.context(err)
	case assent.HearsText:
		return q.text(err)
	}
	return q.observer(err)
}

// question is one answer with all that its meaning depends on.
type question struct {
	event   string
	dialect hook.Dialect
	tool    string
	out     Output
	heard   heard
}

// hears is what an event hears; of events that are not in the catalogue, nothing.
func hears(event string) assent.Hears {
	row, ok := assent.EventNamed(event)
	if !ok {
		return assent.HearsNothing
	}
	return row.Hears
}

// failed is the error of an exit status other than 0 and 2.
func (o Output) failed() error {
	how := fmt.Sprintf("exit status %d", o.Exit)
	if o.Signal != "" {
		how = "ended by a signal: " + o.Signal
	}
	if text := o.said(); text != "" {
		how += ": " + text
	}
	return fmt.Errorf("the hook failed: %s", how)
}

// said is the beginning of standard error.
func (o Output) said() string { return clip(o.Stderr) }

func clip(b []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(b[:min(len(b), 4*maxText)]), "\uFFFD"))
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText])
	}
	return text
}

// settle says what an exit status means for an answer to an event that decides
// nothing: one that says something stands, with a warning, and one that says nothing
// is a failure.
func (o Output) settle(r assent.Reply, something bool) (assent.Reply, error) {
	switch {
	case o.Exit == 0:
		return r, nil
	case o.Exit == exitBlock:
		r.Fault = join(r.Fault, "exit status 2 blocks nothing here"+after(": ", o.said()))
		return r, nil
	case something:
		r.Fault = join(r.Fault, o.failed().Error())
		return r, nil
	}
	return assent.Reply{}, o.failed()
}

func join(faults ...string) string {
	var out []string
	for _, f := range faults {
		if f != "" {
			out = append(out, f)
		}
	}
	return strings.Join(out, "; ")
}

func after(sep, text string) string {
	if text == "" {
		return ""
	}
	return sep + text
}
