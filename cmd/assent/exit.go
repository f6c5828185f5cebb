package main

// Exit codes: one table for all commands.

import (
	"errors"
	"fmt"
	"io"

	"assent"
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
	{assent.ErrUnavailable, exitFailed, "start it: assent serve"},
}

// exit is an error with the code that the process ends with. A nil err prints
// nothing.
type exit struct {
	code int
	err  error
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
	return exit{exitUsage, fmt.Errorf(format, args...)}
}

// finish prints what went wrong, with a hint, and returns the exit code.
func finish(w io.Writer, err error) int {
	if err == nil {
		return exitYes
	}
	var e exit
	if errors.As(err, &e) {
		if e.err != nil {
			fmt.Fprintf(w, "assent: %v\n", e.err)
		}
		return e.code
	}
	fmt.Fprintf(w, "assent: %v\n", err)
	for _, c := range codes {
		if !errors.Is(err, c.err) {
			continue
		}
		if c.hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", c.hint)
		}
		return c.code
	}
	return exitFailed
}
