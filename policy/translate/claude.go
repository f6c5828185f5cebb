package translate

// Claude Code: settings.json, permissions.allow, ask and deny.

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"assent"
	"assent/policy/rules"
)

// decisions are the names of lists, in the order in which they are read.
var decisions = []assent.Decision{assent.Deny, assent.Ask, assent.Allow}

func claude(l *list) error {
	var file struct {
		Permissions struct {
			Allow, Ask, Deny      []string
			DefaultMode           string
			AdditionalDirectories []string
		}
	}
	if err := lenient(l.raw, &file); err != nil {
		return err
	}
	p := file.Permissions
	for _, d := range decisions {
		for _, entry := range map[assent.Decision][]string{assent.Deny: p.Deny, assent.Ask: p.Ask, assent.Allow: p.Allow}[d] {
			claudeEntry(l, d, entry)
		}
	}
	l.entry = assent.None
	if p.DefaultMode != "" {
		l.leave("defaultMode", "a mode is no rule; see default in assent's config.yaml")
	}
	if len(p.AdditionalDirectories) > 0 {
		l.leave("additionalDirectories", "the workspace of a call is the directory it is made in, and no other")
	}
	return nil
}

// lenient reads JSON that may have comments and trailing commas.
func lenient(raw []byte, into any) error {
	plain, err := hujson.Standardize(raw)
	if err == nil {
		err = json.Unmarshal(plain, into)
	}
	if err != nil {
		return fmt.Errorf("it cannot be read: %w: %w", err, assent.ErrInvalid)
	}
	return nil
}

// claudeEntry translates one entry: Tool, or Tool(what).
func claudeEntry(l *list, d assent.Decision, entry string) {
	l.entry = d
	tool, what, ok := call(entry)
	switch {
	case !ok:
		l.leave(entry, "it is no tool, nor a tool with something in brackets")
	case tool == "Bash":
		claudeCommand(l, d, entry, what)
	case strings.HasPrefix(tool, "mcp__"):
		claudeServer(l, d, entry, strings.TrimPrefix(tool, "mcp__"), what)
	case tool == "WebFetch":
		claudeFetch(l, d, entry, what)
	case claudeFiles[tool].name != nil:
		claudeFile(l, d, entry, tool, what)
	case what != "":
		l.leave(entry, "what a call of %s is about is not looked at; only whole tools are", tool)
	case strings.Contains(tool, "*"):
		l.leave(entry, "a pattern of tool names is only known for MCP servers")
	case tool == "Task":
		l.tool(entry, d, rules.Matcher{Tool: []string{assent.ToolAgent}})
	default:
		l.tool(entry, d, rules.Matcher{Tool: []string{strings.ToLower(tool)}})
	}
}

// call takes "Tool(what)" apart.
func call(entry string) (tool, what string, ok bool) {
	tool, what, bracket := strings.Cut(strings.TrimSpace(entry), "(")
	if bracket {
		what, ok = strings.CutSuffix(what, ")")
		if !ok {
			return "", "", false
		}
	}
	fine := tool != "" && strings.Trim(tool, "*_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.") == ""
	return tool, what, fine
}

// claudeCommand: "npm run test:*" begins so, "git * main" has any text at the star,
// and anything else is the whole command.
func claudeCommand(l *list, d assent.Decision, entry, what string) {
	if strings.Trim(what, ":* ") == "" {
		l.tool(entry, d, rules.Matcher{Tool: []string{assent.ToolShell}})
		return
	}
	if prefix, ok := strings.CutSuffix(what, ":*"); ok {
		what = prefix + " *"
	}
	l.command(entry, d, what, "")
}

func claudeServer(l *list, d assent.Decision, entry, name, what string) {
	server, tool, _ := strings.Cut(name, "__")
	switch {
	case what != "":
		l.leave(entry, "what a call of an MCP tool is about is not looked at")
		return
	case tool == "":
		tool = "*"
	}
	l.tool(entry, d, rules.Matcher{Tool: []string{"mcp/" + server + "/" + tool}})
}

func claudeFetch(l *list, d assent.Decision, entry, what string) {
	m := rules.Matcher{Tool: []string{assent.ToolFetch}}
	if host, ok := strings.CutPrefix(what, "domain:"); ok && host != "" && !strings.ContainsAny(host, " /") {
		m.Host = []string{host}
	} else if what != "" {
		l.leave(entry, "domain:HOST was expected")
		return
	}
	l.tool(entry, d, m)
}

// claudeFiles are tools about files: what they are in our words, and what a deny or
// an ask about a path is about, whoever does it.
var claudeFiles = map[string]struct {
	name  []string
	paths func(*rules.Matcher) *[]string
}{
	"Read":         {[]string{assent.ToolRead}, func(m *rules.Matcher) *[]string { return &m.Reads }},
	"Edit":         {[]string{assent.ToolWrite, assent.ToolEdit}, func(m *rules.Matcher) *[]string { return &m.Writes }},
	"MultiEdit":    {[]string{assent.ToolEdit}, func(m *rules.Matcher) *[]string { return &m.Writes }},
	"Write":        {[]string{assent.ToolWrite}, func(m *rules.Matcher) *[]string { return &m.Writes }},
	"NotebookEdit": {[]string{assent.ToolEdit}, func(m *rules.Matcher) *[]string { return &m.Writes }},
}

func claudeFile(l *list, d assent.Decision, entry, tool, what string) {
	f := claudeFiles[tool]
	if what == "" || what == "*" || what == "**" {
		l.tool(entry, d, rules.Matcher{Tool: f.name})
		return
	}
	pattern, why := ignorePath(what)
	if why != "" {
		l.leave(entry, "%s", why)
		return
	}
	var m rules.Matcher
	if d == assent.Allow {
		m.Tool, m.Path = f.name, []string{pattern}
	} else {
		*f.paths(&m) = []string{pattern}
	}
	l.tool(entry, d, m)
}

// ignorePath translates a path as .gitignore has it: "//" begins an absolute one,
// "/" and "./" one of the project, and a name without a slash is found anywhere.
func ignorePath(p string) (pattern, why string) {
	dir := strings.HasSuffix(p, "/")
	p = strings.TrimSuffix(p, "/")
	switch {
	case strings.ContainsAny(p, `[]{}!\`):
		return "", "a path pattern has * and ? alone here"
	case strings.HasPrefix(p, "//"):
		pattern = p[1:]
	case p == "~" || strings.HasPrefix(p, "~/"):
		pattern = p
	case strings.HasPrefix(p, "/"), strings.HasPrefix(p, "./"):
		pattern = "workspace/" + strings.TrimPrefix(strings.TrimPrefix(p, "."), "/")
	case strings.Contains(p, "/"):
		pattern = "workspace/" + p
	default:
		pattern = "workspace/**/" + p
	}
	if strings.Contains("/"+pattern+"/", "/../") {
		return "", "a path with .. in it names no place"
	}
	if dir {
		pattern += "/**"
	}
	return pattern, ""
}
