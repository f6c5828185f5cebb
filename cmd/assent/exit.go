package main

// Exit codes: one table for all commands.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

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
	{assent.ErrRevoked, exitConflict, "see: assent grants --all"},
	{assent.ErrExpired, exitConflict, "see: assent grants --all"},
	{assent.ErrExhausted, exitConflict, "see: assent grants --all"},
	{assent.ErrScope, exitForbidden, "see: assent grants"},
	{assent.ErrNoSuchGrant, exitNotFound, "see: assent grants --all"},
	{assent.ErrNotFound, exitNotFound, "see: assent requests --all"},
	{assent.ErrInvalid, exitInvalid, ""},
	{assent.ErrNewer, exitFailed, "install the newer assent"},
	{assent.ErrDamaged, exitFailed, "restore it from a backup, or move it away to start afresh"},
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
	return exit{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// seeHelp gives a usage error without a hint the help of the command that ran.
func seeHelp(ran *cobra.Command, err error) error {
	var e exit
	if errors.As(err, &e) && e.code == exitUsage && e.hint == "" {
		if ran.Name() == "help" {
			ran = ran.Root()
		}
		e.hint = "see: " + ran.CommandPath() + " --help"
		return e
	}
	return err
}

// noise are the errors that the sentence before them has said in better words.
var noise = []error{assent.ErrForbidden, assent.ErrInvalid, assent.ErrSettled, assent.ErrDamaged}

// sentence is an error as people read it, line by line: without the noise at the
// end. What to do about it is branched on by the error itself.
func sentence(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\r\n")
		for _, n := range noise {
			line = strings.TrimSuffix(line, ": "+n.Error())
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
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
	for line := range strings.SplitSeq(sentence(e.err), "\n") { // it may name what an agent wrote
		fmt.Fprintf(w, "%s%s\n", lead, terminal.Escape(line))
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
