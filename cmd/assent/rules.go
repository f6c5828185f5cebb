package main

// assent rules: the user's own say. Which rules there are, whether they hold what
// they promise, and what is wrong with them.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/policy"
	"assent/policy/rules"
	"assent/surface/terminal"
)

func (a *app) rulesCmd() *cobra.Command {
	c := &cobra.Command{Use: "rules", Short: "Your own rules: check, lint, explain, import"}
	check := &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Read every file of rules and run the examples in it; exit 1 when one does not hold",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(_ *cobra.Command, args []string) error { return a.checkRules(args) },
	}
	lint := &cobra.Command{
		Use:   "lint [FILE…]",
		Short: "Find holes, rules that never match or take effect, and rules that stand twice; exit 1 when there are any",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(_ *cobra.Command, args []string) error { return a.lintRules(args) },
	}
	c.AddCommand(check, lint, a.explainCmd(), a.importCmd())
	return c
}

// ruleFiles are the files that a command is given, or all whose rules are heard
// here.
func (a *app) ruleFiles(paths []string, dir string) ([]config.RuleFile, error) {
	var out []config.RuleFile
	for _, p := range paths {
		out = append(out, config.RuleFileAt(p))
	}
	if len(paths) > 0 {
		return out, nil
	}
	h, err := config.Locate(a.env)
	if err != nil {
		return nil, err
	}
	return config.RuleFiles(h, dir), nil
}

// checkedFile is one line of rules check.
type checkedFile struct {
	File     string   `json:"file"`
	Rules    int      `json:"rules"`
	Examples int      `json:"examples"`
	Errors   []string `json:"errors,omitempty"`
	Unheard  []string `json:"unheard,omitempty"` // what a project allows
}

func (a *app) checkRules(paths []string) error {
	dir, err := here()
	if err != nil {
		return err
	}
	files, err := a.ruleFiles(paths, dir)
	if err != nil {
		return err
	}
	list, bad := []checkedFile{}, 0
	for _, f := range files {
		c := checkedFile{File: f.Path, Rules: len(f.Rules)}
		for _, r := range f.Rules {
			c.Examples += len(r.Match) + len(r.NotMatch)
			if r.Project && r.Decision == assent.Allow {
				c.Unheard = append(c.Unheard, r.At.String())
			}
		}
		if f.Err != nil {
			c.Errors, bad = strings.Split(sentence(f.Err), "\n"), bad+1
		}
		list = append(list, c)
	}
	if err := a.printCheckedRules(list); err != nil {
		return err
	}
	if bad > 0 {
		return exit{code: exitFailed}
	}
	return nil
}

func (a *app) printCheckedRules(list []checkedFile) error {
	if a.json {
		return a.printJSON(list)
	}
	for _, c := range list {
		if len(c.Errors) == 0 {
			fmt.Fprintf(a.out, "ok   %s: %s, %s\n", terminal.Escape(c.File), counted(c.Rules, "rule"), counted(c.Examples, "example"))
		}
		for _, e := range c.Errors {
			fmt.Fprintf(a.out, "BAD  %s\n", terminal.Escape(e))
		}
		if len(c.Errors) > 0 {
			fmt.Fprintf(a.out, "     hint: mend it there, and run again: assent rules check %s\n", terminal.Escape(quoted(c.File)))
		}
		for _, at := range c.Unheard {
			fmt.Fprintf(a.out, "--   %s: it allows, and a project's rules can only tighten: it is not heard\n", terminal.Escape(at))
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "there are no rules here")
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// readable are the rules of files, or what keeps one of them from being read.
func readable(files []config.RuleFile) (list []rules.Rule, err error) {
	for _, f := range files {
		if f.Err != nil {
			return nil, exit{exitFailed, f.Err, "assent rules check"}
		}
		list = append(list, f.Rules...)
	}
	return list, nil
}

func (a *app) lintRules(paths []string) error {
	dir, err := here()
	if err != nil {
		return err
	}
	files, err := a.ruleFiles(paths, dir)
	if err != nil {
		return err
	}
	list, err := readable(files)
	if err != nil {
		return err
	}
	var codes []string
	for _, row := range policy.Table {
		codes = append(codes, row.Code)
	}
	found := rules.Lint(list, codes, config.Trial)
	if a.json {
		err = a.printJSON(emptyList(found))
	}
	for _, m := range found {
		if !a.json {
			fmt.Fprintf(a.out, "%s: %s: %s\n", terminal.Escape(m.At.String()), m.Kind, terminal.Escape(m.Text))
		}
	}
	if err == nil && len(found) > 0 {
		return exit{code: exitFailed}
	}
	if err == nil && !a.json {
		fmt.Fprintf(a.out, "nothing is wrong with %s\n", counted(len(list), "rule"))
	}
	return err
}
