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

// understand reads the input of a tool call, and its commands if it has any.
func understand(c assent.Case) assent.Case {
	fields, err := object(c.Input)
	if err != nil {
		c.Findings = append(c.Findings, unreadable("input", "The input of the call is not a JSON object and could not be read."))
		return c
	}
	name := required[c.Tool]
	if name == "" {
		return c
	}
	text, ok := stringField(fields, name)
	if !ok {
		note := fmt.Sprintf("The call has no %s, so what it would do is not known.", name)
		c.Findings = append(c.Findings, unreadable("input", note))
		return c
	}
	if c.Tool != assent.ToolShell {
		return c
	}
	s := shell.Parse(text, c.Dir, c.Places.Home)
	c.Commands = s.Commands
	c.Findings = append(c.Findings, s.Findings...)
	operands, found := bind(c)
	c.Operands = operands
	c.Findings = append(c.Findings, found...)
	return c
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

// fileTools are tools whose path is a file that they change or show.
var fileTools = []string{assent.ToolRead, assent.ToolWrite, assent.ToolEdit}

// toolPath returns the file that a file tool names, with the links of its
// existing parents followed, and whether the tool changes it.
func toolPath(c assent.Case) (path string, changes, ok bool) {
	if !slices.Contains(fileTools, c.Tool) {
		return "", false, false
	}
	fields, err := object(c.Input)
	if err != nil {
		return "", false, false
	}
	text, ok := stringField(fields, "path")
	if !ok {
		return "", false, false
	}
	return settled(text, c.Dir, c.Places), c.Tool != assent.ToolRead, true
}
