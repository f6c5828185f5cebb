package main

// Exit codes: one table for all commands.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"assent"
	"assent/surface/terminal"
)

// The exit codes (docs/exit-codes in README): what a script may branch on.
const (
	exitYes       = 0
	exitFailed    = 1 // failed, or findings
	exitAsk       = 2
	exitDenied    = 3
	exitWaited    = 4 // a wait ran out
	exitNotFound  = 5
	exitConflict  = 6
	exitInvalid   = 7
	exitForbidden = 8
	exitUsage     = 64
)

// codes maps the vocabulary of failure to exit codes; the first match counts.
var codes = []struct {
	err  error
	code int
	hint string
}{
	{assent.ErrSelfApproval, exitForbidden, "open a terminal in which no agent runs, or ask the person who holds an approver key"},
	{assent.ErrForbidden, exitForbidden, ""},
	{assent.ErrSettled, exitConflict, "the first answer counts; see: assent show ID"},
	{assent.ErrStale, exitConflict, "look at it again: assent show ID"},
	{assent.ErrLocked, exitConflict, "end the other one first, or wait for it"},
	{assent.ErrNoSuchGrant, exitNotFound, "see: assent grants --all"},
	{assent.ErrNotFound, exitNotFound, "see: assent requests --all"},
	{assent.ErrInvalid, exitInvalid, ""},
	{assent.ErrNewer, exitFailed, "install the newer assent"},
	{assent.ErrDamaged, exitFailed, "keep the file; copy it away, and start with a fresh ASSENT_HOME"},
	{assent.ErrChain, exitFailed, "somebody changed the log, or the disk did; keep a copy of the database"},
	{assent.ErrUnavailable, exitFailed, "start it: assent serve"},
}

// exit is an error with the code that the process ends with. A nil err prints
// nothing.
type exit struct {
	code int
	err  error
	hint string
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// usage is the error of a command line that cannot be understood.
func usage(format string, args ...any) error {
	return exit{code: exitUsage, err: fmt.Errorf(format, args...), hint: "see: assent --help"}
}

// finish prints what went wrong, with a hint, and returns the exit code.
func finish(w io.Writer, err error) int {
	if err == nil {
		return exitYes
	}
	e := coded(err)
	if e.err == nil {
		return e.code
	}
	lead := "assent: "
	for line := range strings.Lines(e.err.Error()) { // it may name what an agent wrote
		fmt.Fprintf(w, "%s%s\n", lead, terminal.Escape(strings.TrimRight(line, "\r\n")))
		lead = "  "
	}
	if e.hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", e.hint)
	}
	return e.code
}

// coded finds the exit code and the hint of an error.
func coded(err error) exit {
	var e exit
	if errors.As(err, &e) {
		if e.err != nil {
			e.err = err // with what was said around it
		}
		return e
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return exit{c.code, err, c.hint}
		}
	}
	return exit{code: exitFailed, err: err}
}
