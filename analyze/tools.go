package analyze

// Tools that are no shell: what is known of them by their name alone.

import (
	"strings"

	"assent"
)

var tools = assent.Analyzer{
	Name:  "tools",
	Doc:   "Says of tools that are no shell whether it is known what they do.",
	Codes: []string{"tool.unknown"},
	Run: func(c assent.Case) []assent.Finding {
		switch {
		case c.Name != assent.PreToolCall || c.Tool == assent.ToolShell || c.Tool == assent.ToolExec:
			return nil
		case required[c.Tool] != "":
			return nil
		}
		what := "the tool " + c.Tool
		if server, tool, ok := strings.Cut(strings.TrimPrefix(c.Tool, "mcp/"), "/"); ok && strings.HasPrefix(c.Tool, "mcp/") {
			what = "the tool " + tool + " of the server " + server
		}
		return []assent.Finding{{By: "tools", Code: "tool.unknown", Note: "It is not known what " + what + " does."}}
	},
}

// inputText is a text of the input, empty when there is none.
func inputText(c assent.Case, name string) string {
	fields, err := object(c.Input)
	if err != nil {
		return ""
	}
	text, _ := stringField(fields, name)
	return text
}
