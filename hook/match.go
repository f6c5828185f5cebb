package hook

// Matchers: which tools a hook is asked about, in whatever words its author knows.

import (
	"regexp"
	"slices"
	"strings"
)

// Matcher is which tools an entry is for. The zero Matcher matches all.
type Matcher struct {
	Text string // as it was written

	whole *regexp.Regexp // nil: Text is taken literally
}

// Compile makes a matcher: a regular expression that must match the whole name of
// the tool, in any dialect. Blank and "*" match everything. What is no expression is
// taken literally, and the error says so.
func Compile(text string) (Matcher, error) {
	m := Matcher{Text: strings.TrimSpace(text)}
	if m.Text == "*" {
		m.Text = ""
	}
	var err error
	if m.Text != "" {
		m.whole, err = regexp.Compile("^(?:" + m.Text + ")$")
	}
	return m, err
}

// All reports whether every tool matches, and events without one.
func (m Matcher) All() bool { return m.Text == "" }

// Matches reports whether a tool of ours is meant, by any of its names. A tool of
// an MCP server is also meant by its server alone ("mcp__github"), and by its own
// short name, since a server's id is nothing that the author of a matcher knows.
func (m Matcher) Matches(ours string) bool {
	if m.All() {
		return true
	}
	return ours != "" && slices.ContainsFunc(Names(ours), m.is)
}

func (m Matcher) is(name string) bool {
	if m.whole == nil {
		return name == m.Text
	}
	return m.whole.MatchString(name)
}

// Names are all the names that a tool of ours is known by.
func Names(ours string) []string {
	names := []string{ours}
	if server, name, ok := mcp(ours); ok {
		names = append(names, Claude.Tool(ours), Hermes.Tool(ours), "mcp__"+server, name)
		if plugin, ok := strings.CutPrefix(server, "plugin_"); ok { // plugin_<plugin>_<server>
			for i, r := range plugin {
				if r == '_' {
					names = append(names, "mcp__"+plugin[i+1:]+"__"+name, "mcp__"+plugin[i+1:])
				}
			}
		}
		return names
	}
	for _, t := range tools {
		if t.ours == ours {
			return slices.Concat(names, t.hermes, t.claude, t.others)
		}
	}
	return names
}

// Reach are the tools of ours that a matcher can match. Empty, and it may still mean
// a tool that nothing is known of.
func (m Matcher) Reach() []string {
	var out []string
	for _, t := range tools {
		if m.Matches(t.ours) {
			out = append(out, t.ours)
		}
	}
	return out
}

// guardsServerOf reports whether the matcher names tools of the same MCP server as
// this one, and leaves others of it out.
func (m Matcher) guardsServerOf(ours string) bool {
	server, _, ok := mcp(ours)
	return ok && (strings.HasPrefix(m.Text, "mcp__"+server+"__") || strings.HasPrefix(m.Text, "mcp/"+server+"/"))
}
