package assent_test

// A program to run, as it is read, spelt and covered.

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent"
	"assent/shell"
)

var (
	sum      = strings.Repeat("ab", 32)
	building = assent.Exec{Argv: []string{"make", "build"}, Program: assent.Operand{Path: "/usr/bin/make", SHA256: sum}, Umask: "0022"}
)

func execCase(t *testing.T, x assent.Exec) assent.Case {
	t.Helper()
	input, err := x.Input()
	if err != nil {
		t.Fatal(err)
	}
	c := assent.Case{Event: assent.Event{Tool: assent.ToolExec, Agent: assent.AgentBroker, Dir: "/w", Input: input}}
	c.Commands = shell.Parse(x.Line(), "/w", "/home/ada").Commands
	return c
}

// What is spelt for a shell is read by one as the same words, and as nothing besides.
func TestALineIsItsArguments(t *testing.T) {
	t.Parallel()
	words := rapid.OneOf(rapid.StringOf(rapid.RuneFrom([]rune("ab=~!#$&*(){}[]|;<>?'\"\\` \t\n-/.,:%^én0"))),
		rapid.SampledFrom([]string{"if", "then", "{", "!", "[[", "time", "a=b", "function", "export", "case", "in", "~", "-x", "select", "coproc"}))
	rapid.Check(t, func(r *rapid.T) {
		argv := append([]string{rapid.StringMatching(`[a-z=!{]{1,6}`).Draw(r, "program")}, rapid.SliceOfN(words, 0, 4).Draw(r, "arguments")...)
		if rapid.Bool().Draw(r, "a keyword") {
			argv[0] = rapid.SampledFrom([]string{"if", "for", "time", "while", "a=b", "!", "{", "[["}).Draw(r, "keyword")
		}
		if b := argv[0]; slices.Contains(strings.Fields("time eval exec command builtin source export local declare"), b) {
			argv[0] = "x" + b // what a shell does itself when it starts others is not the matter here
		}
		line := assent.Exec{Argv: argv}.Line()
		s := shell.Parse(line, "/w", "/home/ada")
		if len(s.Commands) != 1 {
			r.Fatalf("%q: %d commands", line, len(s.Commands))
		}
		got := []string{s.Commands[0].Program.Value}
		for _, w := range s.Commands[0].Args {
			got = append(got, w.Value)
		}
		if !slices.Equal(got, argv) || len(s.Commands[0].Env) > 0 {
			r.Fatalf("%q is read as %q, of %q", line, got, argv)
		}
	})
}

func TestAnExecHasOneSpelling(t *testing.T) {
	t.Parallel()
	good := execCase(t, building)
	if x, err := good.Exec(); err != nil || x.Argv[1] != "build" {
		t.Errorf("%+v %v", x, err)
	}
	program := `"program":{"path":"/usr/bin/make","sha256":"` + sum + `"},"umask":"0022"}`
	for name, input := range map[string]string{
		"another field":        `{"argv":["make"],"more":1,` + program,
		"a field in capitals":  `{"Argv":["rm"],"argv":["make"],` + program,
		"a field twice":        `{"argv":["rm"],"argv":["make"],` + program,
		"no arguments":         `{"argv":[],` + program,
		"no name":              `{"argv":[""],` + program,
		"a NUL":                `{"argv":["a\u0000b"],` + program,
		"a relative program":   `{"argv":["make"],"program":{"path":"make","sha256":"` + sum + `"},"umask":"0022"}`,
		"an unbound program":   `{"argv":["make"],"program":{"path":"/usr/bin/make","sha256":""},"umask":"0022"}`,
		"a variable's value":   `{"argv":["make"],"env":{"A":"value"},` + program,
		"no variable":          `{"argv":["make"],"env":{"A=B":"sha256:` + sum + `"},` + program,
		"unbound input":        `{"argv":["make"],"stdin":"text",` + program,
		"nothing":              ``,
		"no object":            `[]`,
		"an empty list of env": `{"argv":["make"],"env":{},` + program,
	} {
		e := assent.Event{Tool: assent.ToolExec, Input: json.RawMessage(input)}
		if x, err := e.Exec(); !errors.Is(err, assent.ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, x, err)
		}
	}
	if _, err := (assent.Event{Tool: assent.ToolShell, Input: good.Input}).Exec(); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
	if _, err := (assent.Exec{Argv: []string{"a", "\xff"}}).Input(); !errors.Is(err, assent.ErrInvalid) {
		t.Error(err)
	}
}

// A class of programs covers what its name says, and nothing that rides on it.
func TestAClassCoversNoExecThatCarriesMore(t *testing.T) {
	t.Parallel()
	s := assent.Scope{Tool: assent.ToolExec, Programs: []string{"make build"}, Dir: "/w", Uses: 1}
	if !s.Covers(execCase(t, building)) {
		t.Fatal("it covers nothing")
	}
	if s.Tool = assent.ToolShell; s.Covers(execCase(t, building)) {
		t.Error("what a shell may do is another class")
	}
	s.Tool = assent.ToolExec
	for name, change := range map[string]func(*assent.Exec){
		"a variable":              func(x *assent.Exec) { x.Env = map[string]string{"A": "sha256:" + sum} },
		"bound input":             func(x *assent.Exec) { x.Stdin = "sha256:" + sum },
		"open input":              func(x *assent.Exec) { x.Stdin = assent.OpenStdin },
		"a umask":                 func(x *assent.Exec) { x.Umask = "0000" },
		"no umask":                func(x *assent.Exec) { x.Umask = "" },
		"a path":                  func(x *assent.Exec) { x.Argv[0] = "/usr/bin/make" },
		"a program of the work":   func(x *assent.Exec) { x.Program.Path = "/w/make" },
		"a script of the work":    func(x *assent.Exec) { x.Files = []assent.Operand{{Path: "/w/x.sh", SHA256: sum}} },
		"another subcommand":      func(x *assent.Exec) { x.Argv[1] = "install" },
		"a wrapper":               func(x *assent.Exec) { x.Argv = append([]string{"nice"}, x.Argv...) },
		"a place that leads away": func(x *assent.Exec) { x.Argv = append(x.Argv, "../x") },
	} {
		x := building
		x.Argv = slices.Clone(x.Argv)
		change(&x)
		if s.Covers(execCase(t, x)) {
			t.Errorf("%s is covered", name)
		}
	}
}
