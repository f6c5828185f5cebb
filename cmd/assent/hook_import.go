package main

// assent hooks import hermes: what Hermes Agent's users have, taken over. Directories
// are linked; of everything else is shown what to write into config.yaml.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"assent/config"
	"assent/hook/dir"
	"assent/surface/terminal"
)

func (a *app) hooksImportCmd() *cobra.Command {
	var from string
	var dryRun bool
	c := &cobra.Command{
		Use: "import hermes", ValidArgs: []string{"hermes"},
		Short: "Take over the hooks of Hermes Agent: links its directories, prints the rest as lines for config.yaml",
		Long: "Take over the hooks of Hermes Agent. The directories in its hooks/ are linked into assent's, and run unchanged. Its shell hooks, webhooks and plugins are printed " +
			"as lines for config.yaml, to be looked at. Nothing that it trusted is trusted by that: see assent hooks allow.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "hermes" {
				return usage("hooks can be imported from hermes alone: assent hooks import hermes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := config.Locate(a.env)
			if err != nil {
				return err
			}
			if from == "" {
				from = filepath.Join(h.User, ".hermes")
			}
			if from, err = filepath.Abs(from); err != nil {
				return err
			}
			if !dryRun {
				if err := errors.Join(a.personOnly(cmd.Context(), h, cmd.CommandPath()), h.Make()); err != nil {
					return err
				}
			}
			return a.importHermes(h, from, dryRun)
		},
	}
	c.Flags().StringVar(&from, "from", "", "Hermes Agent's home (default ~/.hermes)")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be linked, and link nothing")
	return c
}

// imported is what was found in Hermes Agent's home.
type imported struct {
	From        string         `json:"from"`
	Directories []importedDir  `json:"directories"`
	Plugins     []listedPlugin `json:"plugins"`
	Scripts     int            `json:"scripts"`   // shell hooks
	Consented   []string       `json:"consented"` // of those: what was allowed there
	Lines       string         `json:"config_yaml"`
	Warnings    []string       `json:"warnings"`
}

// importedDir is one directory, and what became of it.
type importedDir struct {
	listedDir
	Link   string `json:"link"`
	Linked bool   `json:"linked"`
	Why    string `json:"why,omitempty"` // why not
}

func (a *app) importHermes(h config.Home, from string, dryRun bool) error {
	m := imported{From: from, Directories: []importedDir{}, Plugins: []listedPlugin{}, Consented: []string{}, Warnings: []string{}}
	file, err := m.file(filepath.Join(from, "config.yaml"))
	if err != nil {
		return err
	}
	if err := m.directories(h, from, dryRun); err != nil {
		return err
	}
	lines, err := m.plugins(h, from, file)
	if err != nil {
		return err
	}
	m.Lines = m.scripts(from, file) + lines
	if len(m.Directories)+len(m.Plugins)+m.Scripts == 0 && m.Lines == "" {
		return exit{exitNotFound, fmt.Errorf("there are no hooks in %s", from), "--from DIR names another home of Hermes Agent's"}
	}
	if a.json {
		return a.printJSON(m)
	}
	_, err = fmt.Fprint(a.out, m.text(h, dryRun))
	return err
}

// file reads the config.yaml, as leniently as its owner does.
func (m *imported) file(path string) (map[string]any, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var file map[string]any
	if err == nil {
		err = yaml.Unmarshal(raw, &file)
	}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		m.Warnings = append(m.Warnings, path+" cannot be read: "+first)
	}
	return file, nil
}

// directories links the hooks that are directories.
func (m *imported) directories(h config.Home, from string, dryRun bool) error {
	found, err := dir.Discover(filepath.Join(from, "hooks"))
	if err != nil {
		return err
	}
	for _, d := range found {
		one := importedDir{
			listedDir: listedDir{d.Name, d.Path, d.Handler, emptyList(d.Events), d.Problems},
			Link:      filepath.Join(h.Dir, config.HookDirs, filepath.Base(d.Path)),
		}
		switch there, err := filepath.EvalSymlinks(one.Link); {
		case d.Handler == "":
			one.Why = "it is no hook that can run"
		case err == nil && same(there, d.Path):
			one.Linked, one.Why = true, "it was linked already"
		case err == nil || !errors.Is(err, fs.ErrNotExist) || exists(one.Link):
			one.Why = one.Link + " is there already"
		case !dryRun:
			if err := errors.Join(os.MkdirAll(filepath.Dir(one.Link), 0o700), os.Symlink(d.Path, one.Link)); err != nil {
				return fmt.Errorf("cannot link %s: %w", d.Path, err)
			}
			one.Linked = true
		}
		m.Directories = append(m.Directories, one)
	}
	return nil
}

func same(a, b string) bool {
	real, err := filepath.EvalSymlinks(b)
	return err == nil && a == real
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func bracketed(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func (m imported) text(h config.Home, dryRun bool) string {
	var b strings.Builder
	say := func(format string, args ...any) {
		fmt.Fprintf(&b, "%s\n", terminal.Escape(fmt.Sprintf(format, args...)))
	}
	say("found in %s:", m.From)
	for _, d := range m.Directories {
		what := "not linked: " + d.Why
		switch {
		case d.Linked:
			what = "linked" + led("; ", d.Why)
		case d.Why == "" && dryRun:
			what = "would be linked"
		}
		say("  directory %s%s: %s", d.Name, bracketed(strings.Join(d.Events, ", ")), what)
		for _, p := range d.Problems {
			say("    ! %s", p)
		}
	}
	for _, p := range m.Plugins {
		say("  plugin %s, %s", p.Key, map[bool]string{true: "enabled", false: "not enabled"}[p.Enabled])
		for _, text := range p.Problems {
			say("    ! %s", text)
		}
	}
	if m.Scripts > 0 {
		were := map[bool]string{true: "was", false: "were"}[len(m.Consented) == 1]
		say("  %s, of which %d %s allowed there; here each is looked at anew: assent hooks allow --all", counted(m.Scripts, "shell hook"), len(m.Consented), were)
	}
	for _, w := range m.Warnings {
		say("  ! %s", w)
	}
	if m.Lines != "" {
		say("lines for %s:", h.Config())
		b.WriteString("\n")
		for line := range strings.Lines(m.Lines) {
			say("%s", strings.TrimRight(line, "\n"))
		}
	}
	return b.String()
}
