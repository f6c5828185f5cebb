package rules

// What an allow covers beside the command that it names: the program that a runner of
// packages starts, where the rule names that too, and variables that change nothing.

import (
	"slices"

	"assent"
)

// runners start a tool of the project that stands in their arguments.
var runners = []string{"npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "poetry", "uv", "uvx", "pipx", "pdm", "pipenv", "hatch", "rye", "bundle", "mise", "deno"}

// within returns the rule that covers what a runner starts: it covers the runner, and
// one of its arguments is that program's very name. Its bounds hold for both.
func (b Book) within(p *part, before []*part) int {
	if p.cmd == nil || len(p.cmd.Via) == 0 || p.cmd.Name == "" {
		return -1
	}
	by := p.cmd.Via[len(p.cmd.Via)-1]
	if !slices.Contains(runners, by) || !slices.ContainsFunc(before, func(q *part) bool { return q.cmd != nil && q.cmd.Name == by && q.cmd.Span == p.cmd.Span }) {
		return -1
	}
	return slices.IndexFunc(b, func(r Rule) bool {
		if !slices.ContainsFunc(r.When.Args, func(t Token) bool { return slices.Equal(t, Token{p.cmd.Name}) }) ||
			!slices.ContainsFunc(before, func(q *part) bool {
				return q.cmd != nil && q.cmd.Name == by && q.cmd.Span == p.cmd.Span && r.covers(q) == ""
			}) {
			return false
		}
		r.When.Program, r.When.Args, r.When.Via = []string{p.cmd.Name}, nil, append(slices.Clone(r.When.Via), by)
		return r.covers(p) == ""
	})
}

// quiet are variables that change how much and where programs speak, and nothing else.
var quiet = []string{"CI", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "TERM", "TZ", "LANG", "LC_ALL", "RUST_BACKTRACE", "PYTHONUNBUFFERED"}

// harmlessly reports whether a variable is set that no allow has to name: a quiet one,
// or the environment of tests for Node.
func harmlessly(a assent.Assign) bool {
	if a.Name == "NODE_ENV" {
		return a.Value.Known && (a.Value.Value == "test" || a.Value.Value == "development")
	}
	return a.Value.Known && slices.Contains(quiet, a.Name)
}
