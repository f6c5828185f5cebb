package mockllm

// The tools that agents offer: under which names, with which arguments.

import (
	"encoding/json"
	"strings"
)

type tool struct {
	Name      string
	Namespace string // OpenAI Responses: tools can be grouped
	Freeform  bool   // OpenAI custom tools take text, not JSON
	Schema    schema
}

type schema struct {
	Properties map[string]property
	Required   []string
}

type property struct {
	Type any `json:"type"`
	Enum []any
}

// toolNames are the names that agents give a tool, most specific first.
var toolNames = map[string][]string{
	"sh": {
		"Bash", "bash", "exec_command", "shell_command", "shell", "local_shell", "run_shell_command",
		"run_commands", "execute_command", "run_terminal_cmd", "terminal", "exec",
	},
	"write": {"Write", "write", "write_file", "write_to_file", "create_file", "create"},
	"read":  {"Read", "read", "read_file", "view"},
	"fetch": {"WebFetch", "webfetch", "web_fetch", "fetch"},
}

// argNames are the names of the arguments that take the directive's values.
var argNames = map[string][][]string{
	"sh":    {{"command", "cmd", "commands", "input"}},
	"write": {{"file_path", "filePath", "path"}, {"content", "file_text", "text"}},
	"read":  {{"file_path", "filePath", "absolute_path", "path"}},
	"fetch": {{"url", "prompt"}},
}

// fill makes the tool's arguments: the values where the schema has a place for
// them, something harmless where it demands more.
func (tl tool) fill(names [][]string, values []string) map[string]any {
	args := map[string]any{}
	for i, v := range values {
		for _, name := range names[i] {
			if p, ok := tl.Schema.Properties[name]; ok {
				args[name] = asType(p.Type, v)
				break
			}
		}
	}
	for _, name := range tl.Schema.Required {
		if _, ok := args[name]; ok {
			continue
		}
		p := tl.Schema.Properties[name]
		if args[name] = filler(p.Type); len(p.Enum) > 0 {
			args[name] = p.Enum[0]
		}
	}
	return args
}

func asType(typ any, v string) any {
	if typ != "array" {
		return v
	}
	var list []any
	if strings.HasPrefix(v, "[") && json.Unmarshal([]byte(v), &list) == nil {
		return list
	}
	return []string{v}
}

func filler(typ any) any {
	switch typ {
	case "boolean":
		return false
	case "number", "integer":
		return 1
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	}
	return "mock"
}

func (c Call) argsJSON() string {
	b, _ := json.Marshal(c.Args) // it was JSON before
	return string(b)
}
