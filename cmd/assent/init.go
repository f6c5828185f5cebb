package main

// assent init, uninit: put assent in front of an agent, and take it away again.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent/config"
	"assent/surface/terminal"
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
		Use:   "init [AGENT]",
		Short: "Put assent in front of your agents: shows the change, asks, and proves that it works",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := ownPath()
			if err != nil {
				return err
			}
			return a.eachAgent(cmd, args, func(s setup, home config.Home) error {
				old, text, err := a.rewire(cmd, s, home, f, func(old []byte) ([]byte, error) { return s.wire(old, program, "--home", home.Dir) })
				if err != nil || f.dryRun {
					return err
				}
				_ = old
				return a.prove(cmd.Context(), s, home, text)
			})
		},
	}
	f.add(c)
	return c
}

func (a *app) uninitCmd() *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "uninit [AGENT]",
		Short: "Take exactly assent's own lines out of your agents' settings again",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eachAgent(cmd, args, func(s setup, home config.Home) error {
				_, _, err := a.rewire(cmd, s, home, f, s.unwire)
				return err
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
		return "", exit{exitFailed, errors.New("this is a temporary build of `go run`, which agents could not find later; run `go install ./cmd/assent` and then `assent init`")}
	}
	return exe, nil
}

// eachAgent runs do for the agent that is named, or for all that are installed.
// Agents may not do this to themselves.
func (a *app) eachAgent(cmd *cobra.Command, args []string, do func(setup, config.Home) error) error {
	home, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	if home.User == "" {
		return usage("HOME is not set, so the agents' settings cannot be found")
	}
	if err := config.NoAgent(cmd.Context(), home); err != nil {
		return err
	}
	if len(args) == 1 {
		s, err := setupNamed(args[0])
		if err != nil {
			return err
		}
		return do(s, home)
	}
	found := 0
	for _, s := range setups {
		if s.installed(a, home.User) == "" {
			fmt.Fprintf(a.out, "%s: not found\n", s.agent)
			continue
		}
		found++
		if err := do(s, home); err != nil {
			return err
		}
	}
	if found == 0 {
		return exit{exitNotFound, errors.New("no agent was found; name one to set it up all the same: assent init claude")}
	}
	return nil
}

// rewire changes an agent's settings file after showing the change and asking.
// It returns the content before and after.
func (a *app) rewire(cmd *cobra.Command, s setup, home config.Home, f initFlags, change func([]byte) ([]byte, error)) (old, text []byte, err error) {
	path, old, err := s.read(a, home.User)
	if err != nil {
		return nil, nil, err
	}
	text, err = change(old)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(old, text) {
		fmt.Fprintf(a.out, "%s: nothing to change in %s\n", s.agent, path)
		return old, text, nil
	}
	a.showDiff(path, old, text)
	if f.dryRun {
		return old, text, nil
	}
	if !f.yes {
		if err := a.confirm("write this to " + path + "? [y/N] "); err != nil {
			return nil, nil, err
		}
	}
	backup, err := config.Replace(path, old, text, a.now())
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(a.out, "%s: wrote %s\n", s.agent, path)
	if backup != "" {
		fmt.Fprintf(a.out, "  the file as it was: %s\n", backup)
	}
	return old, text, nil
}

func (a *app) showDiff(path string, old, text []byte) {
	d := diff.Diff(path, old, path+" (new)", text)
	for line := range bytes.Lines(d) {
		fmt.Fprintln(a.out, terminal.Escape(string(bytes.TrimRight(line, "\r\n"))))
	}
}

// confirm asks for a y. Without a terminal nobody can be asked.
func (a *app) confirm(question string) error {
	f, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return usage("there is no terminal to ask on; look at --dry-run, then use --yes")
	}
	fmt.Fprint(a.out, question)
	line, _ := bufio.NewReader(f).ReadString('\n')
	if strings.ToLower(strings.TrimSpace(line)) != "y" {
		return exit{exitFailed, errors.New("nothing was changed")}
	}
	return nil
}

// prove sends a canary through the command that was just configured.
func (a *app) prove(ctx context.Context, s setup, home config.Home, settings []byte) error {
	if _, problems := s.faults(settings, home); len(problems) > 0 {
		return exit{exitFailed, fmt.Errorf("%s's gate is not closed: %s", s.agent, strings.Join(problems, "; "))}
	}
	took, err := s.tryCanary(ctx, a, settings, home.User)
	if err != nil {
		return exit{exitFailed, err}
	}
	fmt.Fprintf(a.out, "%s: canary blocked in %d ms\n", s.agent, took.Milliseconds())
	return nil
}
