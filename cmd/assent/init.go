package main

// assent init, uninit: put assent in front of an agent, and take it away again.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent/config"
)

// initFlags are the flags of init and uninit.
type initFlags struct{ yes, dryRun bool }

func (f *initFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
}

func (a *app) initCmd() *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use: "init [AGENT]",

		SuggestFor: []string{"install", "setup", "enable"},

		Short: "Put assent in front of your agents: shows the change, asks, and proves that it works",
		Args:  cobra.MaximumNArgs(1),

		ValidArgsFunction: completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := ownPath()
			if err != nil {
				return err
			}
			return a.eachAgent(cmd, args, setup.here, func(s setup, home config.Home) (change, error) {
				c, err := a.rewire(s, home, f, func(old []byte) ([]byte, error) { return s.wire(old, program, "--home", home.Dir) })
				if err == nil && !f.dryRun {
					err = home.Remember()
				}
				if err == nil && !f.dryRun {
					err = a.prove(cmd.Context(), s, home, &c)
				}
				return c, err
			})
		},
	}
	f.add(c)
	return c
}

func (a *app) uninitCmd() *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use: "uninit [AGENT]",

		SuggestFor: []string{"uninstall", "remove", "disable"},

		Short: "Take exactly assent's own lines out of your agents' settings again",
		Args:  cobra.MaximumNArgs(1),

		ValidArgsFunction: completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eachAgent(cmd, args, setup.wired, func(s setup, home config.Home) (change, error) {
				return a.rewire(s, home, f, s.unwire)
			})
		},
	}
	f.add(c)
	return c
}

// ownPath is where this program lies, for good.
func ownPath() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.Contains(exe, string(filepath.Separator)+"go-build") {
		return "", exit{code: exitFailed, err: errors.New("this is a temporary build of `go run`, which agents could not find later; run `go install ./cmd/assent` and then `assent init`")}
	}
	return exe, nil
}

// eachAgent runs do for the agent that is named, or for all that there are.
func (a *app) eachAgent(cmd *cobra.Command, args []string, there func(setup, *app, config.Home) bool, do func(setup, config.Home) (change, error)) error {
	home, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	if home.User == "" {
		return usage("HOME is not set, so the agents' settings cannot be found")
	}
	if err := a.personOnly(cmd.Context(), home, cmd.CommandPath()); err != nil {
		return err
	}
	list, err := a.meant(cmd.Name(), args, home, there)
	if err != nil {
		return err
	}
	var done []change
	for _, s := range list {
		c, err := do(s, home)
		if done = append(done, c); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(done)
	}
	return nil
}

// meant are the agents that the command line of init or uninit means.
func (a *app) meant(command string, args []string, home config.Home, there func(setup, *app, config.Home) bool) (list []setup, err error) {
	if len(args) == 1 {
		s, err := setupNamed(args[0])
		return []setup{s}, err
	}
	var names []string
	for _, s := range setups {
		if there(s, a, home) {
			list = append(list, s)
		}
		names = append(names, s.agent)
	}
	if len(list) == 0 {
		return nil, exit{exitNotFound, fmt.Errorf("there is nothing to do: %s was not found", strings.Join(names, ", ")), "name it to go on all the same, such as: assent " + command + " claude"}
	}
	return list, nil
}

// prove sends a canary through the command that was just configured.
func (a *app) prove(ctx context.Context, s setup, home config.Home, c *change) error {
	if _, _, problems := s.problems(c.text, home.Dir); len(problems) > 0 {
		var texts, hints []string
		for _, p := range problems {
			texts, hints = append(texts, p.text), append(hints, p.cure(s, c.Settings))
		}
		return exit{exitFailed, fmt.Errorf("%s's gate is not closed: %s", s.agent, strings.Join(texts, "; ")), strings.Join(slices.Compact(hints), "; ")}
	}
	took, err := s.tryCanary(ctx, a, c.text, home)
	if err != nil {
		return exit{code: exitFailed, err: err}
	}
	c.Canary = took.Milliseconds()
	a.tell("%s: canary blocked in %d ms\n", s.agent, c.Canary)
	return nil
}
