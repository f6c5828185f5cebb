package rules

// Examples: calls that a rule says it matches, or does not. A rule that does not
// keep its word is not loaded.

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"assent"
)

// Try runs the examples of every rule, each alone. ErrInvalid with the places of
// all that do not come out.
func Try(list []Rule, analyse Analyse) error {
	var faults []error
	for i := range list {
		r := &list[i]
		for _, e := range r.Match {
			faults = append(faults, r.try(e, true, analyse))
		}
		for _, e := range r.NotMatch {
			faults = append(faults, r.try(e, false, analyse))
		}
	}
	return errors.Join(faults...)
}

// try runs one example; nil: it comes out as wanted.
func (r *Rule) try(e Example, want bool, analyse Analyse) error {
	at := Place{r.At.File, e.Line}
	ev, err := e.event()
	if err != nil {
		return fmt.Errorf("%s: example %s: %v: %w", at, clip(e.Text), err, assent.ErrInvalid)
	}
	why, matches := r.matches(situated(ev, analyse))
	switch {
	case want && !matches:
		return fmt.Errorf("%s: the rule does not match %s, because of %s: %w", at, clip(e.Text), why, assent.ErrInvalid)
	case !want && matches:
		return fmt.Errorf("%s: the rule matches %s: %w", at, clip(e.Text), assent.ErrInvalid)
	}
	return nil
}

// matches reports whether the rule, alone, speaks of a case, and if not because of
// which key or for what reason.
func (r *Rule) matches(c assent.Case) (why string, ok bool) {
	list, loose := parts(&c)
	if r.Decision == assent.Allow {
		alone := *r
		alone.Project = false
		by, why := Book{alone}.covering(list, loose)
		if len(by) == 0 && len(list) == 1 {
			if key := alone.covers(list[0]); key != "" {
				why = key
			}
		}
		return why, len(by) > 0
	}
	for _, p := range list {
		if r.holds(p) {
			return "", true
		}
		if key := r.When.misses(p, false); key != "" {
			why = key
		} else {
			why = "unless"
		}
	}
	return why, false
}

// situated analyses an example. One that names no directory runs in a workspace
// of its own in the user's home.
func situated(ev assent.Event, analyse Analyse) assent.Case {
	c := analyse(ev)
	if ev.Dir != "" {
		return c
	}
	home := c.Places.Home
	if home == "" {
		home = "/home/example"
	}
	ev.Dir = path.Join(home, "example")
	return analyse(ev)
}

// event is what an example stands for.
func (e Example) event() (assent.Event, error) {
	ev := assent.Event{ID: "example", Name: assent.PreToolCall, Agent: "example", Session: "example", Principal: "example", Tool: assent.ToolShell}
	if !strings.HasPrefix(e.Text, `{"`) {
		input, err := json.Marshal(map[string]string{"command": e.Text})
		ev.Input = input
		return ev, err
	}
	d := json.NewDecoder(strings.NewReader(e.Text))
	d.DisallowUnknownFields()
	var in struct {
		Tool, Agent, Profile, Dir string
		Input                     json.RawMessage
	}
	if err := d.Decode(&in); err != nil {
		return ev, fmt.Errorf("an object with tool, input, agent, profile and dir was expected: %v", err)
	}
	if d.More() || in.Tool == "" {
		return ev, errors.New("one object with a tool was expected")
	}
	ev.Tool, ev.Profile, ev.Dir, ev.Input = in.Tool, in.Profile, in.Dir, in.Input
	if in.Agent != "" {
		ev.Agent = in.Agent
	}
	if len(ev.Input) == 0 {
		ev.Input = json.RawMessage("{}")
	}
	if ev.Dir != "" && !path.IsAbs(ev.Dir) {
		return ev, errors.New("dir: an absolute path was expected")
	}
	return ev, nil
}
