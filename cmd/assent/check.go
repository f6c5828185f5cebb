package main

// assent check: what would be said to a command, without an agent and without a
// record.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"assent"
	"assent/config"
	"assent/engine"
	"assent/surface/terminal"
)

func (a *app) checkCmd() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "check -- COMMAND",
		Short: "Say what would become of a command; exit 0 runs, 2 asks, 3 is denied",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("check needs a command, such as: assent check -- ls -l")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd, args, dir)
		},
	}
	c.SetFlagErrorFunc(a.flagOfCommand)
	c.Flags().StringVar(&dir, "cwd", "", "as if run in this directory (default: here)")
	return c
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

func (a *app) check(cmd *cobra.Command, args []string, dir string) error {
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	file, err := config.Load(h.Config())
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	input, err := json.Marshal(map[string]string{"command": commandLine(args)})
	if err != nil {
		return err
	}
	e := engine.New(config.Options(file, h.Places()))
	c, v := e.Check(cmd.Context(), assent.Event{
		ID: "check", Name: assent.PreToolCall, Agent: "check", Session: "check", Principal: "check",
		Dir: dir, Tool: assent.ToolShell, Input: input,
	})
	if err := a.printCheck(c, v); err != nil {
		return err
	}
	switch v.Decision {
	case assent.Ask:
		return exit{code: exitAsk}
	case assent.Deny:
		return exit{code: exitDenied}
	}
	return nil
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

func (a *app) printCheck(c assent.Case, v assent.Verdict) error {
	if a.json {
		return a.printJSON(struct {
			Decision assent.Decision  `json:"decision"`
			Reasons  []assent.Reason  `json:"reasons"`
			Findings []assent.Finding `json:"findings"`
			Commands []assent.Command `json:"commands"`
		}{v.Decision, emptyList(v.Reasons), emptyList(c.Findings), emptyList(c.Commands)})
	}
	fmt.Fprint(a.out, terminal.Judged(c, v, a.look()))
	return nil
}
