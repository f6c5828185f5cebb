package translate

// Gemini CLI: settings.json (tools, mcp, mcpServers) and policies/*.toml.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"assent"
	"assent/policy/rules"
)

func gemini(l *list) error {
	if filepath.Ext(l.name) == ".toml" {
		return geminiPolicy(l)
	}
	var file struct {
		Tools struct{ Allowed, Exclude, Core []string }
		MCP   struct{ Allowed, Excluded []string }

		AllowedTools, ExcludeTools, CoreTools []string // as older versions have them

		MCPServers map[string]struct {
			Trust                      bool
			IncludeTools, ExcludeTools []string
		}
	}
	if err := lenient(l.raw, &file); err != nil {
		return err
	}
	for _, entry := range append(file.Tools.Exclude, file.ExcludeTools...) {
		geminiEntry(l, assent.Deny, entry)
	}
	for _, entry := range append(file.Tools.Allowed, file.AllowedTools...) {
		geminiEntry(l, assent.Allow, entry)
	}
	l.entry = assent.None
	if len(file.Tools.Core)+len(file.CoreTools) > 0 {
		l.leave("core", "which of its own tools the agent offers at all is for its settings; a deny here names tools")
	}
	for _, server := range file.MCP.Excluded {
		l.tool(server, assent.Deny, rules.Matcher{Tool: []string{"mcp/" + server + "/*"}})
	}
	if len(file.MCP.Allowed) > 0 {
		var but []string
		for _, server := range file.MCP.Allowed {
			but = append(but, "mcp/"+server+"/*")
		}
		l.add("allowed", rules.Rule{Decision: assent.Deny, When: rules.Matcher{Tool: []string{"mcp/**"}}, Unless: &rules.Matcher{Tool: but}})
	}
	for _, name := range slices.Sorted(maps.Keys(file.MCPServers)) {
		s := file.MCPServers[name]
		all := rules.Matcher{Tool: []string{"mcp/" + name + "/*"}}
		if len(s.IncludeTools) > 0 {
			l.add(name, rules.Rule{Decision: assent.Deny, When: all, Unless: &rules.Matcher{Tool: toolsOf(name, s.IncludeTools)}})
		}
		if len(s.ExcludeTools) > 0 {
			l.tool(name, assent.Deny, rules.Matcher{Tool: toolsOf(name, s.ExcludeTools)})
		}
		if s.Trust {
			l.tool(name, assent.Allow, all)
		}
	}
	return nil
}

// geminiTools are names of Gemini's tools in our words; a tool that is not here
// keeps its name.
var geminiTools = map[string]string{
	"run_shell_command": assent.ToolShell, "ShellTool": assent.ToolShell, "read_file": assent.ToolRead, "ReadFileTool": assent.ToolRead,
	"write_file": assent.ToolWrite, "WriteFileTool": assent.ToolWrite, "replace": assent.ToolEdit, "EditTool": assent.ToolEdit, "web_fetch": assent.ToolFetch, "WebFetchTool": assent.ToolFetch,
}

func geminiTool(name string) string {
	if ours, ok := geminiTools[name]; ok {
		return ours
	}
	if server, tool, ok := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__"); ok && server != "" && tool != "" {
		return "mcp/" + server + "/" + tool
	}
	return strings.ToLower(name)
}

// geminiEntry: a tool, or run_shell_command(how the command begins).
func geminiEntry(l *list, d assent.Decision, entry string) {
	l.entry = d
	name, what, ok := call(entry)
	tool := geminiTool(name)
	switch {
	case !ok:
		l.leave(entry, "it is no tool, nor a tool with something in brackets")
	case what != "" && tool != assent.ToolShell:
		l.leave(entry, "what a call of %s is about is not looked at", name)
	case what != "":
		l.command(entry, d, what+" *", "")
	default:
		l.tool(entry, d, geminiMatcher(d, tool))
	}
}

// geminiRule is one [[rule]] of a policy.
type geminiRule struct {
	ToolName, MCPName, CommandPrefix    any
	CommandRegex, ArgsPattern, Decision string
	DenyMessage                         string
	Priority                            float64
	Modes                               []string
}

var geminiDecisions = map[string]assent.Decision{"allow": assent.Allow, "ask_user": assent.Ask, "deny": assent.Deny}

func geminiPolicy(l *list) error {
	var file struct{ Rule []geminiRule }
	if err := toml.Unmarshal(l.raw, &file); err != nil {
		return fmt.Errorf("it cannot be read: %w: %w", err, assent.ErrInvalid)
	}
	for i, r := range file.Rule {
		geminiOne(l, i, r)
	}
	l.entry = assent.None
	if over := overruling(file.Rule); over >= 0 {
		l.at(ruleLine(l.raw, over), fmt.Sprintf("rule %d", over+1), "it allows with a higher priority than others ask or deny; here there are no priorities, and the strictest wins")
	}
	return nil
}

// overruling is the first rule that allows with a higher priority than one that
// does not has; -1: there is none.
func overruling(list []geminiRule) int {
	return slices.IndexFunc(list, func(r geminiRule) bool {
		return r.Decision == "allow" && slices.ContainsFunc(list, func(o geminiRule) bool { return o.Decision != "allow" && o.Priority < r.Priority })
	})
}

// ruleLine is the line of the rule with an index.
func ruleLine(raw []byte, i int) int {
	for n, line := range strings.Split(string(raw), "\n") {
		if strings.TrimSpace(line) == "[[rule]]" {
			if i == 0 {
				return n + 1
			}
			i--
		}
	}
	return 0
}

func geminiOne(l *list, i int, r geminiRule) {
	line, said := ruleLine(l.raw, i), fmt.Sprintf("rule %d", i+1)
	d, ok := geminiDecisions[r.Decision]
	l.entry = d
	switch {
	case !ok:
		l.at(line, said, "its decision is none of allow, ask_user and deny")
		return
	case r.CommandRegex != "" || r.ArgsPattern != "":
		l.at(line, said, "a regular expression is not looked at; name the program and its arguments")
		return
	case len(r.Modes) > 0 && d == assent.Allow:
		l.at(line, said, "it is for some modes of the agent alone, which are not looked at")
		return
	case len(r.Modes) > 0:
		l.entry = assent.None
		l.at(line, said, "its modes are not looked at: the rule is for all of them now")
		l.entry = d
	}
	prefixes := texts(r.CommandPrefix)
	for _, p := range prefixes {
		l.command(p, d, p+" *", r.DenyMessage)
	}
	tools := geminiNames(r)
	switch {
	case len(prefixes) > 0:
	case len(tools) == 0:
		l.at(line, said, "it names no tool")
	default:
		l.keep(line, said, rules.Rule{Decision: d, Why: r.DenyMessage, When: geminiMatcher(d, tools...)})
	}
}

// geminiMatcher is about tools. Gemini's own file tools reach no further than the
// workspace, and so an allow of theirs does not.
func geminiMatcher(d assent.Decision, tools ...string) rules.Matcher {
	m := rules.Matcher{Tool: tools}
	files := []string{assent.ToolRead, assent.ToolWrite, assent.ToolEdit}
	if d == assent.Allow && !slices.ContainsFunc(tools, func(t string) bool { return !slices.Contains(files, t) }) {
		m.In = []string{"workspace"}
	}
	return m
}

// geminiNames are the tools of a rule in our words.
func geminiNames(r geminiRule) []string {
	var out []string
	servers, tools := texts(r.MCPName), texts(r.ToolName)
	for _, server := range servers {
		if len(tools) == 0 {
			out = append(out, "mcp/"+server+"/*")
		}
		for _, t := range tools {
			out = append(out, "mcp/"+server+"/"+t)
		}
	}
	for _, t := range tools {
		if len(servers) == 0 {
			out = append(out, geminiName(t))
		}
	}
	return out
}

func geminiName(t string) string {
	switch {
	case t == "*":
		return "**"
	case t == "mcp_*" || t == "mcp__*":
		return "mcp/**"
	}
	return geminiTool(t)
}

// texts are one text, or a list of them.
func texts(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
