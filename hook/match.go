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

// Names are all the names that a tool is known by: one of ours, or one that an agent
// calls by any of its names.
func Names(tool string) []string {
	names := []string{tool}
	if server, name, ok := mcp(tool); ok {
		names = append(names, Claude.Tool(tool), Hermes.Tool(tool), name)
		for _, s := range serverNames(server) {
			names = append(names, "mcp__"+s+"__"+name, "mcp__"+s)
		}
		return names
	}
	if t, ok := toolOf(tool); ok {
		names = slices.Concat(names, []string{t.ours}, t.hermes, t.claude, t.others)
	}
	return names
}

// serverNames are the ids that an MCP server may have to the author of a matcher: its
// own, and that without what Claude Code puts before it.
func serverNames(server string) []string {
	names := []string{server}
	if own, ok := strings.CutPrefix(server, "claude_ai_"); ok {
		names = append(names, own)
	}
	if plugin, ok := strings.CutPrefix(server, "plugin_"); ok { // plugin_<plugin>_<server>
		for i, r := range plugin {
			if r == '_' {
				names = append(names, plugin[i+1:])
			}
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
// this one, and leaves others of it out. A pattern that is for every server names none.
func (m Matcher) guardsServerOf(ours string) bool {
	server, _, ok := mcp(ours)
	if !ok {
		return false
	}
	names := serverNames(server)
	for _, sep := range []string{"__", "/"} {
		for _, after := range strings.Split(m.Text, "mcp"+sep)[1:] {
			named, _, whole := strings.Cut(after, sep)
			if whole && slices.ContainsFunc(serverNames(named), func(n string) bool { return means(n, names) }) {
				return true
			}
		}
	}
	return false
}

// means reports whether the part of a matcher that stands for a server is one of
// these.
func means(part string, servers []string) bool {
	is := func(s string) bool {
		return slices.ContainsFunc(servers, func(of string) bool { return strings.EqualFold(s, of) })
	}
	if !strings.ContainsAny(part, `.*+?()[]{}|\^$`) {
		return is(part)
	}
	if p, err := regexp.Compile("(?i)^(?:" + part + ")$"); err == nil {
		return !p.MatchString("\x01 any") && slices.ContainsFunc(servers, p.MatchString)
	}
	words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(`.*+?()[]{}|\^$:`, r) }) // a group that goes on
	return slices.ContainsFunc(words, is)
}
