package main

// assent hooks doctor: does each hook really run, for what it is meant for, and is it
// heard?

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent/config"
	"assent/hook"
	"assent/hook/script"
	"assent/surface/terminal"
)

func (a *app) hooksDoctorCmd() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Args: cobra.NoArgs,
		Short: "Prove that each hook runs, is allowed, answers in time, and is really asked",
		Long: "Prove that each hook runs, is allowed, answers in time, and is really asked. Hooks that are allowed are run once on an event that nobody has fired; " +
			"plugins and handlers are loaded; and where an agent is connected, a call that must be stopped is sent the way its calls go.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, f, dir, err := a.hooksHere()
			if err != nil {
				return err
			}
			if err := h.Make(); err != nil {
				return err
			}
			r := a.examineHooks(cmd.Context(), h, f, dir, true)
			if a.json {
				err = a.printJSON(r)
			} else {
				_, err = fmt.Fprint(a.out, r.text())
			}
			if err == nil && !r.Healthy {
				return exit{code: exitFailed}
			}
			return err
		},
	}
}

// hookReport is what was found out about one hook.
type hookReport struct {
	Hook    string    `json:"hook"`
	Kind    hook.Kind `json:"kind"`
	Event   string    `json:"event,omitempty"` // of scripts and addresses
	Matcher string    `json:"matcher,omitempty"`
	Profile string    `json:"profile,omitempty"`
	Past    *past     `json:"past,omitempty"` // what the log says of it
	Checks  []check   `json:"checks"`
}

func (r *hookReport) note(c check)           { r.Checks = append(r.Checks, c) }
func (r *hookReport) good(name, text string) { r.note(check{Name: name, OK: true, Text: text}) }
func (r *hookReport) fyi(name, text, hint string) {
	r.note(check{Name: name, OK: true, Note: true, Text: text, Hint: hint})
}
func (r *hookReport) wrong(name, text, hint string) {
	r.note(check{Name: name, Text: text, Hint: hint})
}

// bad is the first thing that is wrong.
func (r hookReport) bad() (check, bool) {
	i := slices.IndexFunc(r.Checks, func(c check) bool { return !c.OK })
	if i < 0 {
		return check{}, false
	}
	return r.Checks[i], true
}

// hooksReport is what was found out about all.
type hooksReport struct {
	Healthy bool         `json:"healthy"`
	Hooks   []hookReport `json:"hooks"`
	All     hookReport   `json:"all"` // what concerns them all
}

// examination is everything that hooks are looked at with.
type examination struct {
	*app
	home  config.Home
	file  config.File
	dir   string
	found config.UserHooks // before anything was loaded
	bench *config.Bench
	past  pasts
}

// examineHooks looks at every hook. With send, a call that must be stopped is sent
// through each agent that is connected.
func (a *app) examineHooks(ctx context.Context, h config.Home, f config.File, dir string, send bool) hooksReport {
	x := &examination{app: a, home: h, file: f, dir: dir, found: h.Found(f)}
	var failed error
	x.past, failed = pastOf(ctx, h)
	x.bench = h.Bench(ctx, f, func(string) {}) // what is printed while it loads is in the log of real runs
	defer func() { _ = x.bench.Close(ctx) }()
	x.bench.Check(ctx)

	r := hooksReport{Healthy: true, Hooks: []hookReport{}, All: hookReport{Hook: "all", Checks: []check{}}}
	for _, s := range x.bench.Scripts {
		r.Hooks = append(r.Hooks, x.script(ctx, s))
	}
	r.Hooks = append(r.Hooks, x.webhooks()...)
	r.Hooks = append(r.Hooks, x.directories()...)
	r.Hooks = append(r.Hooks, x.plugins()...)
	x.together(ctx, &r.All, failed, len(r.Hooks) > 0)
	if send && len(r.Hooks) > 0 {
		x.canaries(ctx, &r.All)
	}
	for _, one := range append(r.Hooks, r.All) {
		if _, bad := one.bad(); bad {
			r.Healthy = false
		}
	}
	return r
}

// together checks what concerns all hooks.
func (x *examination) together(ctx context.Context, r *hookReport, failed error, any bool) {
	if failed != nil {
		r.note(failing("log", failed, ""))
	}
	for _, w := range x.found.Warnings {
		r.wrong("config", w, "mend it in "+x.home.Config())
	}
	x.allowlist(r)
	if rules, ok := x.running(ctx, x.home, x.home.Served(ctx)); ok && rules.Hooks != x.home.Rules(x.file).Hooks {
		r.wrong("server", "hooks have changed since assent serve started; it still uses those that there were", "restart assent serve")
	}
	if _, err := exec.LookPath("python3"); err != nil && x.needsPython() {
		r.wrong("python", "python3 is not on the PATH, and there are plugins or handlers in Python", "install Python 3.9 or newer")
	}
	if !any {
		r.fyi("hooks", "there are none", "write one: docs/first-hook.md")
	}
}

// allowlist checks the file of consents.
func (x *examination) allowlist(r *hookReport) {
	path := filepath.Join(x.home.Dir, "shell-hooks-allowlist.json")
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	list, lerr := x.home.Consents().List()
	switch {
	case err != nil:
		r.note(failing("allowlist", err, ""))
		return
	case lerr != nil:
		r.wrong("allowlist", sentence(lerr), "mend the file, or remove it and allow your hooks again: assent hooks allow --all")
		return
	case info.Mode().Perm()&0o022 != 0:
		r.wrong("allowlist", fmt.Sprintf("%s can be written by others (mode %04o)", path, info.Mode().Perm()), "chmod 600 "+path)
	}
	for _, a := range list {
		if !slices.ContainsFunc(x.bench.Scripts, func(s script.Spec) bool { return s.Event == a.Event && s.Command == a.Command }) {
			r.fyi("allowlist", fmt.Sprintf("it allows %s for %s, which is not configured", a.Command, a.Event), "assent hooks revoke "+quoted(a.Command))
		}
	}
}

func (x *examination) needsPython() bool {
	for _, d := range x.found.Dirs {
		if filepath.Base(d.Handler) == "handler.py" {
			return true
		}
	}
	for _, p := range x.found.Plugins {
		if p.Enabled {
			return true
		}
	}
	return false
}

func (r hooksReport) text() string {
	var b strings.Builder
	for _, one := range append(r.Hooks, r.All) {
		if len(one.Checks) == 0 {
			continue
		}
		title := terminal.Escape(one.Hook) + led("  ", one.Event) + led(", matcher ", terminal.Escape(one.Matcher)) + led(", profile ", terminal.Escape(one.Profile))
		if one.Hook == "all" {
			title = "all together"
		}
		fmt.Fprintf(&b, "%s\n", title)
		for _, c := range one.Checks {
			fmt.Fprintf(&b, "  %s%-9s %s\n", c.mark(), c.Name, terminal.Escape(c.Text))
			if c.Hint != "" {
				fmt.Fprintf(&b, "      hint: %s\n", terminal.Escape(c.Hint))
			}
		}
	}
	return b.String()
}

// checkHooks is what assent doctor says of the hooks: a line for each that is broken.
func (a *app) checkHooks(ctx context.Context, h config.Home) (out []check) {
	f, err := h.Load()
	if err != nil {
		return nil // which is said already
	}
	dir, _ := os.Getwd()
	r := a.examineHooks(ctx, h, f, dir, false)
	for _, one := range append(r.Hooks, r.All) {
		c, bad := one.bad()
		if !bad || one.Hook == "all" && c.Name == "server" { // of which the configuration's line tells
			continue
		}
		out = append(out, check{Name: "hooks", Text: one.Hook + bracketed(one.Event) + ": " + c.Text, Hint: c.Hint})
	}
	if len(out) == 0 && len(r.Hooks) > 0 {
		out = append(out, check{Name: "hooks", OK: true, Text: counted(len(r.Hooks), "hook") + ", and nothing is wrong with them; more: assent hooks doctor"})
	}
	return out
}
