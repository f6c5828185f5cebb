package main

// How a run of assent exec ends: the program's own exit code, or why it was not run.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
	"assent/broker"
	"assent/surface/terminal"
)

// execEnd is the line on standard error with --json: standard output is the program's.
type execEnd struct {
	Decision assent.Decision `json:"decision"`
	Request  string          `json:"request,omitempty"`
	broker.Result
	Error string `json:"error,omitempty"`
	Code  int    `json:"code"` // what this process exits with
}

// executed says how it ended, and what this process exits with.
func (a *app) executed(r broker.Result, err error) error {
	e := exit{code: exitFailed, err: err}
	switch {
	case r.Started:
		e.code = r.Exit
		if r.Number > 0 {
			e.code = 128 + r.Number // as shells say it
		}
	case err != nil:
		e = notRun(err)
	}
	if a.json {
		return errors.Join(a.printEnd(r, e), exit{code: e.code})
	}
	if e.code == exitYes && e.err == nil {
		return nil
	}
	return e
}

// notRun is why a program was not started, and what to do about it.
func notRun(err error) exit {
	var no *broker.Refused
	switch {
	case errors.As(err, &no) && no.Decision == assent.Deny:
		return exit{exitDenied, err, ""}
	case errors.As(err, &no) && no.Request == "":
		return exit{exitAsk, err, "ask for it with: assent exec --ask -- …"}
	case errors.As(err, &no):
		code := exitAsk
		if no.Waited {
			code = exitWaited
		}
		return exit{code, err, "your user can answer it: assent approve " + strings.TrimPrefix(no.Request, "req_") + "; then run exactly the same again"}
	case errors.Is(err, broker.ErrChanged):
		return exit{exitConflict, err, "nothing was run, and no use is lost; run it again, and it is judged as it is now"}
	case errors.Is(err, assent.ErrNotFound):
		return exit{exitNotFound, err, ""}
	}
	return coded(err)
}

// printEnd writes the result as one line of JSON on standard error.
func (a *app) printEnd(r broker.Result, e exit) error {
	line := execEnd{Decision: assent.Allow, Result: r, Code: e.code}
	var no *broker.Refused
	if errors.As(e.err, &no) {
		line.Decision, line.Request = no.Decision, no.Request
	} else if !r.Started {
		line.Decision = assent.Deny
	}
	if e.err != nil {
		line.Error = sentence(e.err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.err, "%s", terminal.JSON(b.Bytes()))
	return err
}
