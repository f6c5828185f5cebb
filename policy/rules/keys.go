package rules

// The keys of a rule: one row each.

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
)

// Key is one row of the reference of rules.
type Key struct {
	Name, Doc string

	list  func(*Matcher) *[]string
	check func(pattern string) error
}

// Keys are the keys of a matcher that take patterns, in the order in which they
// are asked. Args is read apart.
var Keys = []Key{
	{"program", "the program that would run, after wrappers are seen through: a name, or a path such as `./gradlew` or `/opt/x/bin/y`",
		func(m *Matcher) *[]string { return &m.Program }, oneWord},
	{"args", "its arguments, one pattern each; `\"*\"` is any one of them, `\"...\"` any number, a list in the list one of several", nil, nil},
	{"via", "a wrapper that was seen through: `sudo`, `env`, `xargs`, `ssh`", func(m *Matcher) *[]string { return &m.Via }, oneWord},
	{"env", "a variable that is set for it in the text: `NODE_ENV`, `LD_*`", func(m *Matcher) *[]string { return &m.Env }, oneWord},
	{"tool", "the tool: `shell`, `read`, `write`, `fetch`, `mcp/SERVER/TOOL`; `*` stays within a part, `**` does not", func(m *Matcher) *[]string { return &m.Tool }, oneWord},
	{"agent", "which agent: `claude`", func(m *Matcher) *[]string { return &m.Agent }, oneWord},
	{"profile", "the agent's profile", func(m *Matcher) *[]string { return &m.Profile }, oneWord},
	{"codes", "facts, by code: `vcs.force_push`, `infra.*`", func(m *Matcher) *[]string { return &m.Codes }, oneWord},
	{"reads", "a path that may be read", func(m *Matcher) *[]string { return &m.Reads }, aPath},
	{"writes", "a path that is written", func(m *Matcher) *[]string { return &m.Writes }, aPath},
	{"deletes", "a path that is deleted", func(m *Matcher) *[]string { return &m.Deletes }, aPath},
	{"path", "a path that is read, written or deleted", func(m *Matcher) *[]string { return &m.Path }, aPath},
	{"in", "the directory it runs in and reaches into: `workspace`, or a path", func(m *Matcher) *[]string { return &m.In }, aPlace},
	{"host", "a machine it talks to: `api.example.com`, `*.internal`, `10.0.0.0/8`", func(m *Matcher) *[]string { return &m.Host }, aHost},
}

func oneWord(p string) error {
	if strings.ContainsAny(p, " \t\n") {
		return errors.New("one word was expected; further words are arguments, and stand under args")
	}
	return nil
}

// roots are what a path pattern may begin with.
var roots = []string{"/", "~/", "~", workspace + "/", workspace, "**/"}

const workspace = "workspace"

func aPath(p string) error {
	fine := slices.ContainsFunc(roots, func(r string) bool { return p == r || strings.HasSuffix(r, "/") && strings.HasPrefix(p, r) })
	if !fine {
		return errors.New("a path begins with /, ~/, workspace/ or **/")
	}
	if slices.Contains(strings.Split(p, "/"), "..") {
		return errors.New("a path with .. in it names no place")
	}
	return nil
}

func aPlace(p string) error {
	if hasGlob(p) {
		return errors.New("a directory was expected, without * or ?")
	}
	return aPath(p)
}

func aHost(p string) error {
	if strings.Contains(p, "://") {
		return errors.New("a host was expected, without a scheme")
	}
	if strings.Contains(p, "/") {
		_, err := netip.ParsePrefix(p)
		if err != nil {
			return errors.New("a host, or a network such as 10.0.0.0/8, was expected")
		}
	}
	return oneWord(p)
}
