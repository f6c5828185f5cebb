package review_test

// What is offered for programs that assent runs itself.

import (
	"strings"
	"testing"
	"time"

	"assent"
	"assent/review"
	"assent/shell"
)

func TestAnExecIsOfferedAsAShellsCommandIs(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("ab", 32)
	for name, x := range map[string]struct {
		x    assent.Exec
		want string // the programs of the last offer; empty = nothing but exactly this
	}{
		"a subcommand": {assent.Exec{Argv: []string{"git", "add", "a"}}, "git add"},
		"a variable":   {assent.Exec{Argv: []string{"git", "add", "a"}, Env: map[string]string{"A": "sha256:" + sum}}, ""},
		"its input":    {assent.Exec{Argv: []string{"git", "add", "a"}, Stdin: assent.OpenStdin}, ""},
		"a wrapper":    {assent.Exec{Argv: []string{"nice", "git", "add", "a"}}, ""},
		"code":         {assent.Exec{Argv: []string{"sh", "-c", "git add a"}}, ""},
		"another path": {assent.Exec{Argv: []string{"./git", "add", "a"}}, ""},
	} {
		x.x.Program, x.x.Umask = assent.Operand{Path: "/usr/bin/git", SHA256: sum}, "0022"
		input, err := x.x.Input()
		if err != nil {
			t.Fatal(err)
		}
		c := assent.Case{Event: assent.Event{Agent: assent.AgentBroker, Principal: "uid:1", Session: "s", Dir: "/w", Tool: assent.ToolExec, Input: input}}
		c.Commands = shell.Parse(x.x.Line(), "/w", "/home/ada").Commands
		c.Findings = []assent.Finding{{Code: "vcs.change", Target: "/w"}}
		offers := review.Open(c, nil, noon, time.Hour, nil).Offers
		last := offers[len(offers)-1].Scope
		if got := strings.Join(last.Programs, ", "); !strings.Contains(got, x.want) || x.want == "" && len(offers) != 1 || x.want != "" && (last.Tool != assent.ToolExec || !last.Covers(c)) {
			t.Errorf("%s: %+v", name, offers)
		}
	}
}
