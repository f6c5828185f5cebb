package mcp

// Tools: what there is, and how the arguments of each become its action.

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// instructions are what the agent is told of this server as a whole.
const instructions = "assent runs programs, reads and writes files and fetches addresses for you, as far as your user allows it. " +
	"What no rule and no grant of theirs allows opens a request, and they are asked; once they said yes, make exactly the same call again. " +
	"The descriptions of the tools list what is granted already."

//go:embed tools.json
var declared []byte

// tool is one tool as tools/list shows it.
type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  json.RawMessage `json:"annotations"`
}

func tools() (list []tool, err error) {
	err = json.Unmarshal(declared, &list)
	return list, err
}

// askFor is the tool that only asks for another.
const askFor = "ask_for"

// actions reads the arguments of each tool that does something.
var actions = map[string]func(*fields) any{
	"exec": func(f *fields) any {
		e := Exec{Argv: f.list("argv", maxArg)}
		if len(e.Argv) == 0 || e.Argv[0] == "" {
			f.fail("argv: a program and its arguments were expected")
		}
		dir, _ := f.text("dir", maxName)
		e.Dir = f.word("dir", dir)
		e.Env = f.list("env", maxName)
		if in, given := f.text("stdin", MaxMessage); given {
			e.Stdin = &in
		}
		return e
	},
	"read_file": func(f *fields) any {
		path := f.word("path", f.must("path", maxName))
		return Read{Path: path, Max: f.number("max_bytes", 1, MaxOutput, MaxOutput)}
	},
	"write_file": func(f *fields) any {
		w := Write{Path: f.word("path", f.must("path", maxName))}
		content, given := f.text("content", MaxMessage)
		if !given {
			f.fail("content: it is missing")
		}
		w.Content = []byte(content)
		return w
	},
	"fetch": func(f *fields) any {
		r := Fetch{URL: f.word("url", f.must("url", maxName))}
		r.Method, _ = f.text("method", maxText)
		r.Body, _ = f.text("body", MaxMessage)
		r.Type, _ = f.text("type", maxText)
		return r
	},
}

// action reads the arguments of a tool into the call. It names the field that is wrong.
func (c *Call) action(name string, arguments map[string]json.RawMessage) error {
	f := &fields{left: arguments}
	if name == "exec" {
		c.Wait = time.Duration(f.number("wait_seconds", 0, MaxWait, int(c.Wait/time.Second))) * time.Second
	}
	c.Action = actions[name](f)
	return f.end()
}

// asking reads the arguments of ask_for: a tool, and what it is to be called with.
func (c *Call) asking(arguments map[string]json.RawMessage) (string, error) {
	f := &fields{left: arguments}
	name, input := f.must("tool", maxName), f.object("input")
	c.Why, _ = f.text("why", maxProse)
	if input == nil {
		f.fail("input: it is missing")
	}
	if f.err == nil && actions[name] == nil {
		f.fail("tool: there is no %q to ask for", clip(name, maxText))
	}
	if err := f.end(); err != nil {
		return name, err
	}
	if err := c.action(name, input); err != nil {
		return name, fmt.Errorf("input.%w", err)
	}
	c.Ask, c.Wait = true, 0
	return name, nil
}

// named reports whether there is such a tool.
func (c *conn) named(name string) bool {
	return slices.ContainsFunc(c.tools, func(t tool) bool { return t.Name == name })
}
