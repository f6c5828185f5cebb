package main

// One line of check --jsonl: what it asks about, and how it is answered.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assent"
	"assent/surface/terminal"
)

// answered is one line of the output.
type answered struct {
	ID       json.RawMessage `json:"id,omitempty"` // as it came
	Command  *string         `json:"command,omitempty"`
	Tool     string          `json:"tool,omitempty"`
	Input    json.RawMessage `json:"input,omitempty"`
	Decision assent.Decision `json:"decision"`
	Findings []told          `json:"findings"`
	Reasons  []assent.Reason `json:"reasons"`
	Error    string          `json:"error,omitempty"` // why the line could not be judged, with its number
}

// told is a finding as the output has it.
type told struct {
	Code   string `json:"code"`
	Target string `json:"target"`
	Note   string `json:"note"`
}

// answer judges one line. What cannot be read is asked about, and says why.
func (k *checker) answer(ctx context.Context, l line) []byte {
	d, id, err := l.action()
	j := terminal.Judgement{}
	out := answered{ID: id, Command: d.Command, Tool: d.Tool, Input: d.Input}
	if err == nil {
		j = k.judge(ctx, d)
	} else {
		out.Error = fmt.Sprintf("line %d: %v", l.n, err)
		j.Verdict = unread("The line could not be read, so what would happen is not known: " + out.Error)
	}
	out.Decision, out.Reasons = j.Verdict.Decision, emptyList(j.Verdict.Reasons)
	out.Findings = make([]told, len(j.Case.Findings))
	for i, f := range j.Case.Findings {
		out.Findings[i] = told{f.Code, f.Target, f.Note}
	}
	return out.json()
}

// json is the answer as one line in which nothing that a terminal would obey
// stands as itself.
func (o answered) json() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil { // its parts are text, and JSON that was read
		return []byte(`{"decision":"ask","findings":[],"reasons":[],"error":"the answer could not be written"}` + "\n")
	}
	return terminal.JSON(b.Bytes())
}

// action reads what a line asks about, and the id that it gives itself. Two
// readings of one line are refused: keys that stand twice, text that is not
// UTF-8, a command and a tool.
func (l line) action() (d action, id json.RawMessage, err error) {
	if l.long {
		return d, nil, fmt.Errorf("it is longer than %d MiB", maxLine>>20)
	}
	if len(bytes.TrimSpace(l.text)) == 0 {
		return d, nil, errors.New("it is empty")
	}
	if _, err := assent.Canonical(l.text); err != nil {
		return d, nil, errors.New(sentence(err))
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(l.text, &members); err != nil {
		return d, nil, errors.New("it is not a JSON object")
	}
	id, d.Input = members["id"], members["input"]
	if raw, ok := members["command"]; ok {
		if err := json.Unmarshal(raw, &d.Command); err != nil || d.Command == nil {
			return action{}, id, errors.New("its command is not a text")
		}
	}
	for key, at := range map[string]*string{"tool": &d.Tool, "cwd": &d.Dir, "agent": &d.Agent} {
		if raw, ok := members[key]; ok && json.Unmarshal(raw, at) != nil {
			return action{}, id, fmt.Errorf("its %s is not a text", key)
		}
	}
	switch {
	case d.Command != nil && (d.Tool != "" || d.Input != nil):
		return action{}, id, errors.New("it has a command and a tool: one of them is judged")
	case d.Command == nil && (d.Tool == "" || d.Input == nil):
		return action{}, id, errors.New("it has no command, and no tool with an input")
	}
	return d, id, nil
}
