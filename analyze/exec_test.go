package analyze_test

// What is found in what assent is to run itself: the same as in a shell's command line.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent"
	"assent/analyze"
)

var sum = strings.Repeat("ab", 32)

func execEvent(t *testing.T, dir string, x assent.Exec) assent.Event {
	t.Helper()
	if x.Program.Path == "" {
		x.Program = assent.Operand{Path: "/usr/bin/" + filepath.Base(x.Argv[0]), SHA256: sum}
	}
	x.Umask = "0022"
	input, err := x.Input()
	if err != nil {
		t.Fatal(err)
	}
	return assent.Event{Name: assent.PreToolCall, Agent: assent.AgentBroker, Tool: assent.ToolExec, Dir: dir, Input: input}
}

func codesOf(c assent.Case) []string {
	var out []string
	for _, f := range c.Findings {
		out = append(out, f.Code)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestAProgramIsJudgedAsAShellsCommandIs(t *testing.T) {
	t.Parallel()
	places := assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"}
	env := map[string]string{"API": "sha256:" + sum}
	for _, x := range []struct {
		x        assent.Exec
		programs string // of the commands
		has      string // a code that is found
		only     bool   // and no other
	}{
		{assent.Exec{Argv: []string{"ls", "-la"}}, "ls", "", true},
		{assent.Exec{Argv: []string{"rm", "-rf", "/home/ada"}}, "rm", "fs.delete.root", false},
		{assent.Exec{Argv: []string{"echo", "$(rm -rf /home/ada)", ";", "rm"}}, "echo", "", true},
		{assent.Exec{Argv: []string{"sh", "-c", "ls; rm -rf src"}}, "ls rm", "fs.delete", false},
		{assent.Exec{Argv: []string{"sudo", "nice", "rm", "-rf", "src"}}, "rm", "fs.delete", false},
		{assent.Exec{Argv: []string{"assent", "approve", "1"}}, "assent", "gate.self", false},
		{assent.Exec{Argv: []string{"assent", "exec", "--ask", "--", "assent", "approve", "1"}}, "assent", "gate.self", false},
		{assent.Exec{Argv: []string{"cat", "/home/ada/.assent/token"}}, "cat", "gate.self", false},
		{assent.Exec{Argv: []string{"ls"}, Env: env}, "ls", "code.settings", true},
		{assent.Exec{Argv: []string{"ls"}, Env: map[string]string{"LD_PRELOAD": env["API"]}}, "ls", "code.preload", false},
		{assent.Exec{Argv: []string{"env", "HOME=/home/ada/shop", "git", "status"}}, "git", "code.settings", true},
		{assent.Exec{Argv: []string{"env", "PATH=/home/ada/shop/bin", "ls"}}, "ls", "code.settings", true},
		{assent.Exec{Argv: []string{"env", "FOO=1", "ls"}}, "ls", "", true},
		{assent.Exec{Argv: []string{"sh"}, Stdin: env["API"]}, "sh", "code.unknown", false},
		{assent.Exec{Argv: []string{"sh"}, Stdin: assent.OpenStdin}, "sh", "code.unknown", false},
		{assent.Exec{Argv: []string{"if"}}, "if", "prog.unknown", true},
		{assent.Exec{Argv: []string{"A=b", "ls"}}, "A=b", "prog.unknown", true},
	} {
		c := analyze.Case(execEvent(t, "/home/ada/shop", x.x), places)
		var names []string
		for _, cmd := range c.Commands {
			names = append(names, cmd.Name)
		}
		got := codesOf(c)
		fine := x.has == "" || slices.Contains(got, x.has)
		if strings.Join(names, " ") != x.programs || !fine || x.only && strings.Join(got, " ") != x.has {
			t.Errorf("%q: %s, with %q", x.x.Argv, names, got)
		}
	}
}

func TestWhatCannotBeReadAsAProgramIsUnknown(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"", "null", "[]", `{"argv":["ls"]}`, `{"command":"ls"}`} {
		e := assent.Event{Name: assent.PreToolCall, Agent: assent.AgentBroker, Tool: assent.ToolExec, Dir: "/w", Input: []byte(input)}
		if c := analyze.Case(e, assent.Places{}); !slices.Contains(codesOf(c), "code.unknown") {
			t.Errorf("%s: %v", input, codesOf(c))
		}
	}
}

// A name that the caller could choose says nothing of what the program does.
func TestAProgramIsAlsoWhatItsNameLeadsTo(t *testing.T) {
	t.Parallel()
	x := assent.Exec{Argv: []string{"./ls", "-rf", "src"}, Program: assent.Operand{Path: "/usr/bin/rm", SHA256: sum}}
	if c := analyze.Case(execEvent(t, "/w", x), assent.Places{}); !slices.Contains(codesOf(c), "fs.delete") || len(c.Commands) != 1 {
		t.Errorf("%v %+v", codesOf(c), c.Commands)
	}
}

// What the input binds by its content needs no second hash, however large it is.
func TestFilesThatTheInputBindsAreNotBoundAgain(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"small": 1, "large": analyze.MaxOperand + 1} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	x := assent.Exec{Argv: []string{"sh", "-c", "sh small; sh large"}}
	c := analyze.Case(execEvent(t, dir, x), assent.Places{})
	if len(c.Operands) != 1 || !slices.Contains(codesOf(c), analyze.Unbound) {
		t.Errorf("%+v %v", c.Operands, codesOf(c))
	}
	x.Files = []assent.Operand{{Path: filepath.Join(dir, "large"), SHA256: sum}, {Path: filepath.Join(dir, "small"), SHA256: sum}}
	c = analyze.Case(execEvent(t, dir, x), assent.Places{})
	if len(c.Operands) != 0 || slices.Contains(codesOf(c), analyze.Unbound) {
		t.Errorf("%+v %v", c.Operands, codesOf(c))
	}
}
