package python

// Replies: what a value that a callback returned means for an event.

import (
	"encoding/json"
	"errors"
	"fmt"

	"assent"
	"assent/hook"
	"assent/hook/answer"
)

// Heard reports whether an event hears anything of what a callback returns.
func Heard(event string) bool { return hears(event) != assent.HearsNothing }

func hears(event string) assent.Hears {
	t, ok := assent.EventNamed(event)
	if !ok {
		return assent.HearsNothing
	}
	return t.Hears
}

// Reply is what a value that a callback returned means for an event. What the event
// does not hear is not looked at; an error is an answer that makes no sense, which a
// guard's must: what is no decision is no opinion only if it is None or {}, or says that
// nothing stands in the way.
func Reply(c assent.Case, raw json.RawMessage) (assent.Reply, error) {
	hears := hears(c.Name)
	if hears == assent.HearsNothing || string(raw) == "null" {
		return assent.Reply{}, nil
	}
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil && hears == assent.HearsContext:
		return assent.Reply{Context: text}, nil
	case json.Unmarshal(raw, &text) == nil && hears == assent.HearsText:
		return assent.Reply{Text: &text}, nil
	case raw[0] != '{' && hears == assent.HearsDecision:
		return assent.Reply{}, fmt.Errorf("it returned %.40s, which is no decision", raw)
	case raw[0] != '{':
		return assent.Reply{Fault: fmt.Sprintf("it returned %.40s, which means nothing here", raw)}, nil
	case c.Name == "transform_api_error_classification":
		return classified(raw)
	}
	r, err := answer.Read(c.Name, hook.Hermes, c.Tool, answer.Output{Stdout: raw})
	if err == nil && r.Fault != "" && hears == assent.HearsDecision { // it may have been meant as a no
		return assent.Reply{}, errors.New(r.Fault)
	}
	return r, err
}

// classified is an opinion on an error of a model's provider: it has a reason.
func classified(raw json.RawMessage) (assent.Reply, error) {
	var d map[string]any
	if err := json.Unmarshal(raw, &d); err != nil {
		return assent.Reply{}, fmt.Errorf("the directive: %w", err)
	}
	if reason, ok := d["reason"].(string); !ok || reason == "" {
		return assent.Reply{Fault: "its answer has no reason, and does not count"}, nil
	}
	canon, err := assent.Canonical(raw)
	return assent.Reply{Directive: canon}, err
}
