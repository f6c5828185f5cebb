package main

// assent check: what would be said to a command, without an agent and without a
// record.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
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
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd, args, dir)
		},
	}
	c.Flags().StringVar(&dir, "cwd", "", "as if run in this directory (default: here)")
	return c
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
		quoted, err := syntax.Quote(w, syntax.LangBash)
		if err != nil {
			quoted = w // cannot be quoted (NUL): judged as it is
		}
		words[i] = quoted
	}
	return strings.Join(words, " ")
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
