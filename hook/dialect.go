package hook

// Dialects: what tools, their inputs and events are called by the hooks of other
// products. One table serves payloads, rewrites and matchers.

import (
	"encoding/json"
	"slices"
	"strings"

	"assent"
)

// Dialect is whose words a hook reads and writes.
type Dialect string

// The dialects.
const (
	Hermes Dialect = "hermes" // terminal, write_file; pre_tool_call
	Claude Dialect = "claude" // Bash, Write; PreToolUse
	Ours   Dialect = "assent" // shell, write; pre_tool_call
)

// tool is one tool of ours as others call it. The first name of each list is the
// one that is written; all of them are understood.
type tool struct {
	ours   string
	hermes []string
	claude []string
	others []string          // names that further agents have for it
	fields map[string]string // of Claude's input, by the names of ours
}

var tools = []tool{
	{ours: assent.ToolShell, hermes: []string{"terminal"}, claude: []string{"Bash"}, others: []string{"run_shell_command", "run_terminal_cmd", "execute_command", "shell_command", "exec_command", "local_shell", "execute", "bash", "exec", "powershell", "PowerShell"}},
	{ours: assent.ToolRead, hermes: []string{"read_file"}, claude: []string{"Read"}, others: []string{"NotebookRead", "view", "read_many_files"}, fields: map[string]string{"path": "file_path"}},
	{ours: assent.ToolWrite, hermes: []string{"write_file"}, claude: []string{"Write"}, others: []string{"create_file", "write_to_file"}, fields: map[string]string{"path": "file_path"}},
	{ours: assent.ToolEdit, hermes: []string{"patch"}, claude: []string{"Edit"}, others: []string{"MultiEdit", "NotebookEdit", "replace", "edit_file", "apply_patch", "str_replace", "str_replace_editor"}, fields: map[string]string{"path": "file_path"}},
	{ours: assent.ToolFetch, hermes: []string{"web_extract"}, claude: []string{"WebFetch"}, others: []string{"web_fetch", "fetch_url"}},
	{ours: assent.ToolAgent, hermes: []string{"delegate_task"}, claude: []string{"Task", "Agent"}, others: []string{"spawn_agent"}},
}

// claudeEvents are the events that Claude Code's hooks know, by ours.
var claudeEvents = map[string]string{
	assent.PreToolCall: "PreToolUse", assent.PostToolCall: "PostToolUse", assent.TransformResult: "PostToolUse",
	assent.PreLLMCall: "UserPromptSubmit", assent.SessionStart: "SessionStart", assent.SessionEnd: "SessionEnd",
	assent.TurnEnd: "Stop", assent.PreVerify: "Stop", assent.SubagentStart: "SubagentStart", assent.SubagentStop: "SubagentStop",
	assent.Notification: "Notification", assent.PreCompact: "PreCompact", assent.ConfigChange: "ConfigChange",
}

// EventOf is the name of ours that an event of Claude Code's hooks has, and false
// for any other.
func EventOf(native string) (string, bool) {
	switch native {
	case "PostToolUse":
		return assent.TransformResult, true // which the model reads an answer to, as it does there
	case "Stop":
		return assent.PreVerify, true // which can keep the agent going, as Stop can
	case "PermissionRequest":
		return assent.PreToolCall, true
	}
	for ours, name := range claudeEvents {
		if name == native {
			return ours, true
		}
	}
	return "", false
}

func (d Dialect) event(e assent.Event) string {
	if name, ok := claudeEvents[e.Name]; ok && d == Claude {
		return name
	}
	return e.Name
}

// Tool is what a tool is called, by whatever name it is known. "mcp/server/tool" is
// mcp__server__tool in Claude Code, mcp_server_tool in Hermes.
func (d Dialect) Tool(name string) string {
	if server, own, ok := mcp(name); ok {
		switch d {
		case Claude:
			return "mcp__" + server + "__" + own
		case Hermes:
			return "mcp_" + server + "_" + own
		}
		return name
	}
	switch t, ok := toolOf(name); {
	case ok && d == Claude:
		return t.claude[0]
	case ok && d == Hermes:
		return t.hermes[0]
	}
	return name
}

// toolOf is the tool that has a name, in any dialect and in capitals or not.
func toolOf(name string) (tool, bool) {
	is := func(n string) bool { return strings.EqualFold(n, name) }
	i := slices.IndexFunc(tools, func(t tool) bool {
		return is(t.ours) || slices.ContainsFunc(t.hermes, is) || slices.ContainsFunc(t.claude, is) || slices.ContainsFunc(t.others, is)
	})
	if i < 0 {
		return tool{}, false
	}
	return tools[i], true
}

// Input is a tool's input with the names of its fields in the dialect; null for
// what is no object.
func (d Dialect) Input(ours string, in json.RawMessage) json.RawMessage {
	return d.rename(ours, in, false)
}

// Back is the input of a dialect in our names.
func (d Dialect) Back(ours string, in json.RawMessage) json.RawMessage {
	return d.rename(ours, in, true)
}

func (d Dialect) rename(ours string, in json.RawMessage, back bool) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(in, &m) != nil || m == nil {
		return json.RawMessage("null")
	}
	for _, t := range tools {
		if t.ours != ours || d != Claude {
			continue
		}
		for our, theirs := range t.fields {
			from, to := our, theirs
			if back {
				from, to = theirs, our
			}
			if v, ok := m[from]; ok {
				delete(m, from)
				m[to] = v
			}
		}
	}
	out, err := json.Marshal(m)
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// mcp splits the name of a tool of an MCP server.
func mcp(ours string) (server, name string, ok bool) {
	if rest, ok := strings.CutPrefix(ours, "mcp/"); ok {
		return strings.Cut(rest, "/")
	}
	if rest, ok := strings.CutPrefix(ours, "mcp__"); ok { // as a sender of plain JSON may call it
		return strings.Cut(rest, "__")
	}
	return "", "", false
}
