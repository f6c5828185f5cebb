package claude

// Claude Code's tools: their names and inputs in our words.

import (
	"fmt"
	"strings"

	"assent"
)

// tool says how one of Claude Code's tools is written in our words.
type tool struct {
	name string
	path string   // the key that we call "path"
	need []string // further keys that must be strings
	note string   // a key that is the agent's prose and changes nothing
}

var tools = map[string]tool{
	"Bash":         {name: assent.ToolShell, need: []string{"command"}, note: "description"},
	"Read":         {name: assent.ToolRead, path: "file_path"},
	"NotebookRead": {name: assent.ToolRead, path: "notebook_path"},
	"Write":        {name: assent.ToolWrite, path: "file_path", need: []string{"content"}},
	"Edit":         {name: assent.ToolEdit, path: "file_path"},
	"MultiEdit":    {name: assent.ToolEdit, path: "file_path"},
	"NotebookEdit": {name: assent.ToolEdit, path: "notebook_path"},
	"WebFetch":     {name: assent.ToolFetch, need: []string{"url"}},
	"Agent":        {name: assent.ToolAgent},
	"Task":         {name: assent.ToolAgent},
}

// toolOf returns how a tool is written in our words. A tool that we do not know
// keeps its name in lower case, unless that is a name of ours: what it means by
// its input is not what we would read into it.
func toolOf(native string) tool {
	if t, ok := tools[native]; ok {
		return t
	}
	if rest, ok := strings.CutPrefix(native, "mcp__"); ok {
		if server, name, ok := strings.Cut(rest, "__"); ok && server != "" && name != "" {
			return tool{name: "mcp/" + server + "/" + name}
		}
	}
	name := strings.ToLower(native)
	for _, t := range tools {
		if t.name == name {
			return tool{name: Name + "/" + name}
		}
	}
	return tool{name: name}
}

// decodeTool reads the tool and its input. PermissionRequest and PreToolUse of
// one call come out with the same input, so that their digests pair.
func decodeTool(e *assent.Event, f *fields) {
	f.checkText(ExtraTool)
	if name := f.left[ExtraTool]; name != nil {
		e.Extra[ExtraTool] = name
	}
	native := f.must(ExtraTool)
	t := toolOf(native)
	e.Tool = t.name
	in := f.object("tool_input")
	if t.path != "" {
		t.take(in)
	}
	for _, key := range t.need {
		if in.checkText(key); in.left[key] == nil {
			in.fail("%s is missing", key)
		}
	}
	if t.note != "" && in.left[t.note] != nil {
		in.checkText(t.note)
		e.Extra[ExtraDescription] = in.take(t.note)
	}
	e.Input = in.rest()
	if f.err == nil && in.err != nil {
		f.err = fmt.Errorf("tool_input of %s: %w", native, in.err)
	}
}

// take renames Claude Code's key for a path to ours.
func (t tool) take(in *fields) {
	if in.left["path"] != nil {
		in.fail("path stands beside %s", t.path)
	}
	in.checkText(t.path)
	if in.left["path"] = in.take(t.path); in.left["path"] == nil {
		in.fail("%s is missing", t.path)
		delete(in.left, "path")
	}
}
