package main

// assent rules import: the lists of other products, as rules.

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/policy/rules"
	"assent/policy/translate"
	"assent/surface/terminal"
)

func (a *app) importCmd() *cobra.Command {
	var names, files []string
	for _, f := range translate.All {
		names = append(names, f.Name)
		files = append(files, fmt.Sprintf("  %-7s %s", f.Name, f.Files))
	}
	return &cobra.Command{
		Use:   "import " + strings.Join(names, "|") + " FILE",
		Short: "Print an agent's list of permissions as rules; exit 1 when something that asks or denies cannot be said",
		Long:  "Print an agent's list of permissions as rules, to be looked at and put into rules.d. What cannot be said, and why, is told on standard error; exit 1 when it asks or denies, for then less is stopped than before.\n\n" + strings.Join(files, "\n"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("import needs an agent and a file: assent rules import claude ~/.claude/settings.json")
			}
			return nil
		},
		ValidArgs: names,
		RunE:      func(_ *cobra.Command, args []string) error { return a.importRules(args[0], args[1]) },
	}
}

func (a *app) importRules(agent, path string) error {
	from, ok := translate.Named(agent)
	if !ok {
		return usage("there is no agent %q whose lists can be read; %s", agent, rules.Meant(agent, importable()))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return exit{exitFailed, err, from.Name + " keeps its list in " + from.Files}
	}
	r, err := from.Read(path, raw, config.Trial)
	if err != nil {
		return err
	}
	if err := a.printImported(path, r); err != nil {
		return err
	}
	if r.Lost() {
		return exit{code: exitFailed}
	}
	return nil
}

func (a *app) printImported(path string, r translate.Result) error {
	if a.json {
		said := []string{}
		for i := range r.Rules {
			said = append(said, r.Rules[i].String())
		}
		return a.printJSON(struct {
			Rules []string         `json:"rules"`
			Left  []translate.Left `json:"left"`
		}{said, emptyList(r.Left)})
	}
	fmt.Fprint(a.out, rules.Format(r.Rules))
	for _, l := range r.Left {
		lost := ""
		if l.Decision > assent.Allow {
			lost = " (" + l.Decision.String() + ")"
		}
		fmt.Fprintf(a.err, "%s:%d: %s%s: %s\n", terminal.Escape(path), l.Line, terminal.Escape(l.Text), lost, terminal.Escape(l.Why))
	}
	return nil
}

func importable() (names []string) {
	for _, f := range translate.All {
		names = append(names, f.Name)
	}
	return names
}
