package analyze

// Reading the input of a tool call.

import (
	"encoding/json"
	"fmt"
	"slices"

	"assent"
	"assent/shell"
)

// required are the fields without which a call of the tool cannot be judged.
var required = map[string]string{
	assent.ToolShell: "command",
	assent.ToolRead:  "path",
	assent.ToolWrite: "path",
	assent.ToolEdit:  "path",
	assent.ToolFetch: "url",
}

// understand reads the input of a tool call: its commands if it has any, with
// those that code inside them starts, and its acts.
func understand(c assent.Case) (assent.Case, []assent.Command) {
	fields, err := object(c.Input)
	if err != nil {
		c.Findings = append(c.Findings, unreadable("input", "The input of the call is not a JSON object and could not be read."))
		return c, nil
	}
	if c.Tool == assent.ToolExec {
		return understandExec(c)
	}
	acts := toolActs(c, fields)
	name := required[c.Tool]
	if name == "" {
		return c, acts
	}
	text, ok := stringField(fields, name)
	if !ok {
		note := fmt.Sprintf("The call has no %s, so what it would do is not known.", name)
		c.Findings = append(c.Findings, unreadable("input", note))
		return c, nil
	}
	if c.Tool != assent.ToolShell {
		return c, acts
	}
	return commanded(c, text)
}

// commanded reads a command line: its commands with those that code in them starts,
// the files that they run as code, and their acts.
func commanded(c assent.Case, text string) (assent.Case, []assent.Command) {
	s := shell.Parse(text, c.Dir, c.Places.Home)
	c.Commands = s.Commands
	in := readInline(c)
	c.Commands = append(c.Commands, in.started...)
	c.Findings = slices.Concat(c.Findings, s.Findings, in.found)
	operands, found := bind(c)
	c.Operands = operands
	c.Findings = append(c.Findings, found...)
	return c, in.acts
}

func object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, assent.ErrInvalid
	}
	return fields, nil
}

func stringField(fields map[string]json.RawMessage, name string) (string, bool) {
	var s *string
	if json.Unmarshal(fields[name], &s) != nil || s == nil || *s == "" {
		return "", false
	}
	return *s, true
}
