package main

// assent rules explain: what each rule has to do with one call.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assent"
	"assent/analyze"
	"assent/config"
	"assent/policy/rules"
	"assent/surface/terminal"
)

// here is the directory that a command runs in.
func here() (string, error) { return filepath.Abs("") }

// explained are the flags of rules explain.
type explained struct {
	dir, tool, input, agent string
}

func (a *app) explainCmd() *cobra.Command {
	var f explained
	c := &cobra.Command{
		Use:   "explain [flags] -- COMMAND",
		Short: "Say which rules speak of a command, and of the others why not",
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 0) == (f.tool == "") {
				return usage("explain needs a command, or a tool: assent rules explain -- git push")
			}
			return directory(f.dir)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explainRules(f, args) },
	}
	c.SetFlagErrorFunc(a.flagOfCommand)
	c.Flags().StringVar(&f.dir, "cwd", "", "as if run in this directory (default: here)")
	c.Flags().StringVar(&f.tool, "tool", "", "a call of this tool in place of a command")
	c.Flags().StringVar(&f.input, "input", "{}", "the input of the tool, a JSON object")
	c.Flags().StringVar(&f.agent, "agent", "check", "as if this agent made the call")
	return c
}

// event is the call that is explained.
func (f explained) event(args []string) (assent.Event, error) {
	ev := assent.Event{ID: "explain", Name: assent.PreToolCall, Agent: f.agent, Session: "explain", Principal: "explain", Tool: assent.ToolShell}
	var err error
	if ev.Dir, err = filepath.Abs(f.dir); err != nil {
		return ev, err
	}
	if f.tool == "" {
		ev.Input, err = json.Marshal(map[string]string{"command": commandLine(args)})
		return ev, err
	}
	ev.Tool = f.tool
	if ev.Input, err = assent.Canonical([]byte(f.input)); err != nil {
		return ev, usage("--input is not JSON that can be judged: %w", err)
	}
	return ev, nil
}

func (a *app) explainRules(f explained, args []string) error {
	ev, err := f.event(args)
	if err != nil {
		return err
	}
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	list, err := readable(config.RuleFiles(h, ev.Dir))
	if err != nil {
		return err
	}
	c := analyze.Case(ev, h.Places())
	accounts, said := rules.Explain(list, c)
	why := ""
	if said.Decision == assent.None {
		why = rules.WhyNotAllowed(list, c)
	}
	if a.json {
		return a.printJSON(struct {
			Decision assent.Decision `json:"decision"`
			Reason   string          `json:"reason,omitempty"`
			Why      string          `json:"why_not_allowed,omitempty"`
			Rules    []rules.Account `json:"rules"`
		}{said.Decision, said.Reason, why, emptyList(accounts)})
	}
	a.printAccounts(accounts)
	fmt.Fprintf(a.out, "the rules say %s%s\n", said.Decision, terminal.Escape(after(said.Reason+why)))
	return nil
}

func after(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// printAccounts prints the rules that speak of a call, and then the others.
func (a *app) printAccounts(list []rules.Account) {
	for _, matches := range []bool{true, false} {
		for _, x := range list {
			if x.Matches != matches {
				continue
			}
			mark, because := "  ", x.Because
			if matches {
				mark = "* "
			}
			if matches && because == "" {
				because = "it speaks of " + strings.Join(x.Commands, "; ")
			}
			fmt.Fprintf(a.out, "%s%s  %s\n      %s\n", mark, terminal.Escape(x.At.String()), terminal.Escape(x.Rule), terminal.Escape(because))
		}
	}
}
