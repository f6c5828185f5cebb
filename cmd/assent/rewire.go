package main

// Changing an agent's settings: shown, asked about, written whole with a backup.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/term"

	"assent/config"
	"assent/surface/terminal"
)

// change is what was done to one agent's settings.
type change struct {
	Agent    string `json:"agent"`
	Settings string `json:"settings"`
	Diff     string `json:"diff,omitempty"` // empty: nothing was to be changed
	Written  bool   `json:"written"`
	Backup   string `json:"backup,omitempty"`    // where the file as it was lies
	Canary   int64  `json:"canary_ms,omitempty"` // how long the proof took

	text []byte // of the settings now
}

// rewire changes an agent's settings file after showing the change and asking.
func (a *app) rewire(s setup, home config.Home, f initFlags, edit func([]byte) ([]byte, error)) (c change, err error) {
	path, old, err := s.read(a, home.User)
	if err != nil {
		return c, err
	}
	c = change{Agent: s.name, Settings: path}
	if c.text, err = edit(old); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(old, c.text) {
		a.tell("%s: nothing to change in %s\n", s.agent, path)
		return c, nil
	}
	c.Diff = string(diff.Diff(path, old, path+" (new)", c.text))
	a.showDiff(c.Diff)
	if f.dryRun {
		return c, nil
	}
	if !f.yes && a.json {
		return c, usage("with --json nobody is asked: look at --dry-run, then use --yes")
	}
	if !f.yes {
		if err := a.confirm("write this to " + path + "? [y/N] "); err != nil {
			return c, err
		}
	}
	if c.Backup, err = config.Replace(path, old, c.text, a.now()); err != nil {
		return c, err
	}
	c.Written = true
	did := "wrote"
	if len(c.text) == 0 {
		did = "removed"
	}
	a.tell("%s: %s %s\n", s.agent, did, path)
	if c.Backup != "" {
		a.tell("  the file as it was: %s\n", c.Backup)
	}
	return c, nil
}

// tell prints for people; programs get it all at the end.
func (a *app) tell(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.out, format, args...)
	}
}

func (a *app) showDiff(d string) {
	for line := range strings.Lines(d) {
		a.tell("%s\n", terminal.Escape(strings.TrimRight(line, "\r\n")))
	}
}

// confirm asks for a y. Without a terminal nobody can be asked.
func (a *app) confirm(question string) error {
	f, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return usage("there is no terminal to ask on; look at --dry-run, then use --yes")
	}
	fmt.Fprint(a.err, question)
	line, _ := bufio.NewReader(f).ReadString('\n')
	if strings.ToLower(strings.TrimSpace(line)) != "y" {
		return exit{code: exitFailed, err: errors.New("nothing was changed")}
	}
	return nil
}
