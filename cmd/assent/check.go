package main

// assent check: what would be said to an action, without an agent and without a
// record.

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"assent"
	"assent/policy"
	"assent/surface/terminal"
)

// checkFlags are the flags of check.
type checkFlags struct {
	dir, posture, tool, input string
	explain, lines            bool
}

func (a *app) checkCmd() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] -- COMMAND",
		Short: "Say what would become of a command; exit 0 runs, 2 asks, 3 is denied",
		Example: "  assent check -- git push --force origin main\n" +
			"  assent check --posture strict --explain -- 'cd web && npm test'\n" +
			"  assent check --tool write --input '{\"path\":\"/etc/hosts\",\"content\":\"\"}'\n" +
			"  assent check --jsonl <commands.jsonl",
		Args: func(_ *cobra.Command, args []string) error { return f.fit(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := a.newChecker(f)
			switch {
			case err != nil:
				return err
			case f.lines:
				return k.lines(cmd.Context(), a.in, a.out)
			}
			return a.check(k.judge(cmd.Context(), f.action(args)), f.explain)
		},
	}
	c.SetFlagErrorFunc(a.flagOfCommand)
	c.Flags().StringVar(&f.dir, "cwd", "", "as if run in this directory (default: here)")
	c.Flags().StringVar(&f.posture, "posture", "", "what becomes of what nobody has an opinion on: strict, guard or agent (default: as the configuration says)")
	c.Flags().BoolVar(&f.explain, "explain", false, "show the parsed parts, the facts and who said what")
	c.Flags().StringVar(&f.tool, "tool", "", "judge a call of this tool in place of a command: read, write, edit, fetch, mcp/SERVER/TOOL …")
	c.Flags().StringVar(&f.input, "input", "", "the input of the tool, a JSON object")
	c.Flags().BoolVar(&f.lines, "jsonl", false, "judge every line of standard input, a JSON object with \"command\" or with \"tool\" and \"input\"")
	_ = c.RegisterFlagCompletionFunc("posture", cobra.FixedCompletions([]cobra.Completion{"strict", "guard", "agent"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// fit says what is wrong with a command line.
func (f checkFlags) fit(args []string) error {
	if err := directory(f.dir); err != nil {
		return err
	}
	switch {
	case f.lines && (len(args) > 0 || f.tool != "" || f.input != "" || f.explain):
		return usage("--jsonl takes all that it judges from standard input, and explains nothing")
	case f.lines:
		return nil
	case (f.tool == "") != (f.input == ""):
		return usage("--tool and --input go together: assent check --tool write --input '{\"path\":\"notes.md\"}'")
	case f.tool != "" && len(args) > 0:
		return usage("check takes a command or a tool, not both")
	case f.input != "":
		if _, err := assent.Canonical([]byte(f.input)); err != nil {
			return usage("--input is not JSON that can be judged: %w", err)
		}
	case len(args) == 0:
		return usage("check needs a command, such as: assent check -- ls -l")
	}
	return nil
}

// directory says that --cwd names none.
func directory(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("--cwd: there is no directory %s", dir)
	}
	return nil
}

// action is what a command line asks about.
func (f checkFlags) action(args []string) action {
	if f.tool != "" {
		return action{Tool: f.tool, Input: json.RawMessage(f.input)}
	}
	line := commandLine(args)
	return action{Command: &line}
}

// flagOfCommand says of a flag that is not check's own how to pass it on to the
// command.
func (a *app) flagOfCommand(c *cobra.Command, err error) error {
	if c.Flags().NArg() == 0 {
		return usage("%w", err)
	}
	words := a.args[slices.Index(a.args, c.Name())+1:]
	words = words[max(0, slices.Index(words, c.Flags().Arg(0))):]
	return usage("put -- before the command: assent check -- %s", commandLine(words))
}

// commandLine takes one argument as a command line, and several as the words of
// one command.
func commandLine(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := make([]string, len(args))
	for i, w := range args {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	q, err := syntax.Quote(word, syntax.LangBash)
	if err != nil {
		return word // cannot be quoted (NUL): judged as it is
	}
	return q
}

// check prints one judgement, and ends with its exit code.
func (a *app) check(j terminal.Judgement, explain bool) error {
	if err := a.printCheck(j, explain); err != nil {
		return err
	}
	switch j.Verdict.Decision {
	case assent.Ask:
		return exit{code: exitAsk}
	case assent.Deny:
		return exit{code: exitDenied}
	}
	return nil
}

func (a *app) printCheck(j terminal.Judgement, explain bool) error {
	if a.json {
		return a.printJSON(struct {
			Decision assent.Decision  `json:"decision"`
			Reasons  []assent.Reason  `json:"reasons"`
			Findings []assent.Finding `json:"findings"`
			Commands []assent.Command `json:"commands"`
			Posture  string           `json:"posture"`
		}{j.Verdict.Decision, emptyList(j.Verdict.Reasons), emptyList(j.Case.Findings), emptyList(j.Case.Commands), j.Posture})
	}
	show := terminal.Judged
	if explain {
		show = terminal.Explained
	}
	_, err := fmt.Fprint(a.out, show(j, a.look()))
	return err
}

// weigh says what is made of facts of one code.
func weigh(code string) string {
	row := policy.Of(code)
	if row.Decision == assent.None {
		return "only told"
	}
	return string(row.Tier) + ": " + row.Decision.String()
}
