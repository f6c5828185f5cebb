package main

// assent doctor: is the gate really closed, and can somebody answer?

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/audit"
	"assent/config"
	"assent/internal/peer"
	"assent/roster"
	"assent/surface/terminal"
)

// check is one line of the doctor's report.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

func (a *app) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Prove that the gate is closed: home, server, log, approvers, each agent's wiring, a canary",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

func (a *app) doctor(ctx context.Context) error {
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	var checks []check
	note := func(c check) { checks = append(checks, c) }
	note(a.checkHome(h))
	note(a.checkFile(h))
	note(a.checkServer(ctx, h))
	note(a.checkLog(ctx, h))
	note(a.checkApprovers(ctx, h))
	for _, s := range setups {
		for _, c := range a.checkAgent(ctx, s, h) {
			note(c)
		}
	}
	return a.printChecks(checks)
}

func (a *app) printChecks(checks []check) error {
	bad := 0
	for _, c := range checks {
		if !c.OK {
			bad++
		}
		if a.json {
			continue
		}
		mark := "ok  "
		if !c.OK {
			mark = "BAD "
		}
		fmt.Fprintf(a.out, "%s%-10s %s\n", mark, c.Name, terminal.Escape(c.Text))
		if c.Hint != "" {
			fmt.Fprintf(a.out, "      hint: %s\n", terminal.Escape(c.Hint))
		}
	}
	if a.json {
		if err := a.printJSON(checks); err != nil {
			return err
		}
	}
	if bad > 0 {
		return exit{code: exitFailed}
	}
	return nil
}

func (a *app) checkHome(h config.Home) check {
	if err := h.Make(); err != nil {
		return check{Name: "home", Text: err.Error(), Hint: "until this is mended every gated call is denied"}
	}
	return check{Name: "home", OK: true, Text: h.Dir}
}

func (a *app) checkFile(h config.Home) check {
	f, err := config.Load(h.Config())
	if err != nil {
		return check{Name: "config", Text: err.Error(), Hint: "until this is mended every gated call is denied"}
	}
	wait := "the agent's limit less 30s"
	if f.Approvals.Wait != config.Unset {
		wait = time.Duration(f.Approvals.Wait).String()
	}
	return check{Name: "config", OK: true, Text: fmt.Sprintf("ask: %s, default: %s, wait: %s", f.Ask, f.Default, wait)}
}

func (a *app) checkServer(ctx context.Context, h config.Home) check {
	d, err := config.Dial(ctx, h, a.now)
	if err != nil {
		return check{Name: "server", Text: err.Error()}
	}
	defer d.Close()
	pending, err := d.Requests(ctx, assent.RequestFilter{State: assent.Pending})
	if err != nil {
		return check{Name: "server", Text: err.Error()}
	}
	if d.Served() {
		return check{Name: "server", OK: true, Text: fmt.Sprintf("running at %s; %d request(s) wait", h.Socket(), len(pending))}
	}
	return check{Name: "server", OK: true, Text: fmt.Sprintf("not running: each hook decides by itself; %d request(s) wait", len(pending)), Hint: "assent serve"}
}

func (a *app) checkLog(ctx context.Context, h config.Home) check {
	s, err := config.OpenLog(ctx, h)
	if errors.Is(err, assent.ErrNotFound) {
		return check{Name: "log", OK: true, Text: "empty"}
	}
	if err != nil {
		return check{Name: "log", Text: err.Error()}
	}
	defer s.Close()
	report, err := audit.Reconcile(ctx, s)
	if err != nil {
		return check{Name: "log", Text: err.Error(), Hint: "somebody changed the log, or the disk did; keep a copy of " + h.Database()}
	}
	return check{Name: "log", OK: true, Text: whole(report)}
}

func (a *app) checkApprovers(ctx context.Context, h config.Home) check {
	keys, err := roster.New(h.Approvers()).Approvers()
	if err != nil {
		return check{Name: "approvers", Text: err.Error()}
	}
	text := fmt.Sprintf("%d approver key(s)", len(keys))
	if err := config.NoAgent(ctx, h); err != nil {
		return check{Name: "approvers", OK: true, Text: text + "; nobody can answer from this terminal: " + err.Error()}
	}
	if peer.Self().TTY != 0 {
		return check{Name: "approvers", OK: true, Text: text + "; you can answer from this terminal"}
	}
	c := check{Name: "approvers", OK: true, Text: text + "; this process has no terminal"}
	if len(keys) == 0 {
		c.Hint = "where there is no terminal, answer with a key: assent keys create"
	}
	return c
}

func (a *app) checkAgent(ctx context.Context, s setup, h config.Home) []check {
	path, settings, err := s.read(a, h.User)
	if err != nil {
		return []check{{Name: s.name, Text: err.Error()}}
	}
	program, _, problems := s.problems(settings, h.Dir)
	if program == "" && s.installed(a, h.User) == "" {
		return []check{{Name: s.name, OK: true, Text: s.agent + " is not here"}}
	}
	if program == "" {
		return []check{{Name: s.name, Text: fmt.Sprintf("%s is here, and nothing gates it (%s)", s.agent, path), Hint: "assent init " + s.name}}
	}
	var out []check
	for _, p := range problems {
		out = append(out, check{Name: s.name, Text: p, Hint: "assent init " + s.name})
	}
	if len(problems) == 0 {
		out = append(out, check{Name: s.name, OK: true, Text: fmt.Sprintf("%s asks %s before every call%s", s.agent, filepath.Base(program), a.lastCalled(ctx, s, h))})
	}
	out = append(out, s.checkProject()...)
	took, err := s.tryCanary(ctx, a, settings, h)
	if err != nil {
		return append(out, check{Name: s.name, Text: err.Error(), Hint: "assent init " + s.name})
	}
	if self, err := os.Executable(); err == nil && self != program {
		out = append(out, check{Name: s.name, OK: true, Text: "its hook runs " + program + ", this is " + self})
	}
	return append(out, check{Name: s.name, OK: true, Text: fmt.Sprintf("canary blocked in %d ms", took.Milliseconds())})
}

// checkProject looks for settings in the current directory that open the gate.
func (s setup) checkProject() []check {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	var out []check
	for _, name := range s.project {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if text, err := os.ReadFile(path); err == nil && s.loosens(text) {
			out = append(out, check{Name: s.name, Text: path + " switches hooks off or moves assent's files for sessions in this directory", Hint: "take those lines out"})
		}
	}
	return out
}

// lastCalled says when the agent really asked for the last time.
func (a *app) lastCalled(ctx context.Context, s setup, h config.Home) string {
	store, err := config.OpenLog(ctx, h)
	if err != nil {
		return ""
	}
	defer store.Close()
	const newest = 2000
	head, err := store.Head(ctx)
	if err != nil {
		return ""
	}
	lines, err := store.Lines(ctx, head.N-min(head.N, newest), newest)
	if err != nil {
		return ""
	}
	for i := len(lines) - 1; i >= 0; i-- {
		var r assent.Record
		if json.Unmarshal(lines[i].Leaf, &r) == nil && r.Agent == s.name && r.Kind == assent.KindEvent && r.Session != "assent-canary" {
			return "; it last did at " + r.At.Local().Format("2006-01-02 15:04:05")
		}
	}
	return "; it has not yet"
}
