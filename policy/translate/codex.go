package translate

// Codex: rules/*.rules, and what config.toml says of tools.

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

func codex(l *list) error {
	if filepath.Ext(l.name) == ".toml" {
		return codexConfig(l)
	}
	calls, left := readCalls(string(l.raw))
	l.left = append(l.left, left...)
	for _, c := range calls {
		switch c.name {
		case "prefix_rule":
			codexPrefix(l, c)
		case "network_rule":
			codexNetwork(l, c)
		default:
			l.at(c.line, c.name, "there is nothing like it here")
		}
	}
	return nil
}

// codexDecisions are Codex's words for decisions.
var codexDecisions = map[string]assent.Decision{"": assent.Allow, "allow": assent.Allow, "prompt": assent.Ask, "forbidden": assent.Deny, "deny": assent.Deny}

func codexPrefix(l *list, c starCall) {
	d, ok := codexDecisions[c.text("decision")]
	words, fine := c.values["pattern"].([]any)
	l.entry = d
	if !ok || !fine || len(words) == 0 {
		l.at(c.line, c.name, "a pattern and a decision (allow, prompt, forbidden) were expected")
		return
	}
	r := rules.Rule{Decision: d, Why: c.text("justification")}
	for i, w := range words {
		token := tokenOf(w)
		switch {
		case token == nil:
			l.at(c.line, c.name, "a pattern is of texts, and of lists of texts")
			return
		case i == 0:
			r.When.Program = token
		default:
			r.When.Args = append(r.When.Args, token)
		}
	}
	if d == assent.Allow {
		r.When.Args = append(r.When.Args, rules.Token{"..."})
	}
	r.Match, r.NotMatch = c.examples("match"), c.examples("not_match")
	said, _ := quoted(words[:1])
	l.keep(c.line, strings.TrimSpace(c.name+" "+said), r)
}

// tokenOf is one element of a pattern: a text, or one of several.
func tokenOf(v any) rules.Token {
	switch v := v.(type) {
	case string:
		return rules.Token{literal(v)}
	case []any:
		var t rules.Token
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return nil
			}
			t = append(t, literal(s))
		}
		return t
	}
	return nil
}

func codexNetwork(l *list, c starCall) {
	d, ok := codexDecisions[c.text("decision")]
	host := c.text("host")
	l.entry = d
	switch {
	case !ok || host == "":
		l.at(c.line, c.name, "a host and a decision were expected")
	case d == assent.Allow:
		l.at(c.line, host, "it opens a sandbox to a host; here a program is allowed, with the hosts it may talk to")
	default:
		l.keep(c.line, host, rules.Rule{Decision: d, When: rules.Matcher{Host: []string{host}}, Why: c.text("justification")})
	}
}

// codexServer is what config.toml says of one MCP server.
type codexServer struct {
	Enabled       *bool
	EnabledTools  []string `toml:"enabled_tools"`
	DisabledTools []string `toml:"disabled_tools"`
	Tools         map[string]struct {
		Mode string `toml:"approval_mode"`
	}
}

func codexConfig(l *list) error {
	var file struct {
		Policy  any                    `toml:"approval_policy"`
		Sandbox string                 `toml:"sandbox_mode"`
		Profile map[string]any         `toml:"permissions"`
		Servers map[string]codexServer `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(l.raw, &file); err != nil {
		return fmt.Errorf("it cannot be read: %w: %w", err, assent.ErrInvalid)
	}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		codexTools(l, name, file.Servers[name])
	}
	if file.Policy != nil {
		l.leave("approval_policy", "when Codex asks is no rule; see ask and default in assent's config.yaml")
	}
	if file.Sandbox != "" {
		l.leave("sandbox_mode", "a sandbox is no rule")
	}
	if len(file.Profile) > 0 {
		l.leave("permissions", "a sandbox's profiles are no rules")
	}
	return nil
}

func codexTools(l *list, name string, s codexServer) {
	all := "mcp/" + name + "/*"
	if s.Enabled != nil && !*s.Enabled {
		l.tool(name, assent.Deny, rules.Matcher{Tool: []string{all}})
		return
	}
	if len(s.EnabledTools) > 0 {
		l.add(name, rules.Rule{Decision: assent.Deny, When: rules.Matcher{Tool: []string{all}}, Unless: &rules.Matcher{Tool: toolsOf(name, s.EnabledTools)}})
	}
	if len(s.DisabledTools) > 0 {
		l.tool(name, assent.Deny, rules.Matcher{Tool: toolsOf(name, s.DisabledTools)})
	}
	for _, tool := range slices.Sorted(maps.Keys(s.Tools)) {
		switch mode := s.Tools[tool].Mode; mode {
		case "approve":
			l.tool(tool, assent.Allow, rules.Matcher{Tool: toolsOf(name, []string{tool})})
		case "prompt":
			l.tool(tool, assent.Ask, rules.Matcher{Tool: toolsOf(name, []string{tool})})
		case "", "auto":
		default:
			l.leave(tool, "there is no approval_mode %q that is known", mode)
		}
	}
}

func toolsOf(server string, tools []string) []string {
	var out []string
	for _, t := range tools {
		out = append(out, "mcp/"+server+"/"+strings.ReplaceAll(t, "/", "_"))
	}
	return out
}
