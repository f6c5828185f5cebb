package main

// assent doctor: is the gate really closed, and can somebody answer?

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/audit"
	"assent/config"
	"assent/internal/peer"
	"assent/roster"
	"assent/serve"
	"assent/surface/terminal"
)

// check is one line of the doctor's report.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Note bool   `json:"note,omitempty"` // worth knowing, and neither good nor bad
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// mark is how a line of the report begins.
func (c check) mark() string {
	switch {
	case !c.OK:
		return "BAD "
	case c.Note:
		return "--  "
	}
	return "ok  "
}

// failing is the check that found an error.
func failing(name string, err error, hint string) check {
	if hint == "" {
		hint = coded(err).hint
	}
	return check{Name: name, Text: sentence(err), Hint: hint}
}

const allDenied = "until this is mended every gated call is denied"

func (a *app) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use: "doctor",

		SuggestFor: []string{"status", "health", "verify"},

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
	note := func(c check) { checks = append(checks, again(checks, c)) }
	note(a.checkHome(h))
	note(a.checkFile(ctx, h))
	note(a.checkServer(ctx, h))
	note(a.checkLog(ctx, h))
	note(a.checkApprovers(ctx, h))
	for _, c := range a.checkHooks(ctx, h) {
		note(c)
	}
	for _, s := range setups {
		for _, c := range a.checkAgent(ctx, s, h) {
			note(c)
		}
	}
	return a.printChecks(checks)
}

// again names a fault that was found before by where it was found.
func again(before []check, c check) check {
	for _, b := range before {
		if !c.OK && !b.OK && c.Text == b.Text {
			return check{Name: c.Name, Text: "cannot be told: see " + b.Name}
		}
	}
	return c
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
		fmt.Fprintf(a.out, "%s%-10s %s\n", c.mark(), c.Name, terminal.Escape(c.Text))
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
		return failing("home", err, allDenied)
	}
	return check{Name: "home", OK: true, Text: h.Dir}
}

// checkFile looks at the file, and whether it is what the server goes by.
func (a *app) checkFile(ctx context.Context, h config.Home) check {
	f, err := h.Load()
	served := h.Served(ctx)
	switch {
	case err != nil && served:
		return failing("config", err, "until this is mended every call that needs a person is denied; without assent serve, every call")
	case err != nil:
		return failing("config", err, allDenied)
	}
	if rules, ok := a.running(ctx, h, served); ok && rules != h.Rules(f) {
		return check{
			Name: "config", Hint: "restart assent serve",
			Text: "changed since assent serve started; it still uses " + stillUsed(rules, h.Rules(f)),
		}
	}
	wait := "the agent's limit less 30s"
	if f.Approvals.Wait != config.Unset {
		wait = time.Duration(f.Approvals.Wait).String()
	}
	return check{Name: "config", OK: true, Text: fmt.Sprintf("ask: %s, default: %s, wait: %s", f.Ask, f.Default, wait)}
}

// stillUsed says what a server goes by that the file does not say any more.
func stillUsed(have, want serve.Rules) string {
	var parts []string
	for _, p := range []struct {
		name      string
		was, said *string
	}{{"rules", &have.Said, &want.Said}, {"hooks", &have.Hooks, &want.Hooks}, {"approvals", &have.Approvals, &want.Approvals}} {
		if *p.was != *p.said {
			parts = append(parts, p.name)
			*p.was = *p.said
		}
	}
	if have != want {
		return fmt.Sprintf("ask: %s, default: %s, expires: %s", have.Ask, have.Default, have.Expires)
	}
	return "the " + strings.Join(parts, " and ") + " as they were"
}

// running is what a server goes by that runs now. It is asked once: one that does not
// answer takes its time to be found out.
func (a *app) running(ctx context.Context, h config.Home, served bool) (rules serve.Rules, ok bool) {
	if a.asked || !served {
		return a.rules, a.asked && a.rules.Ask != ""
	}
	a.asked = true
	d, err := config.Dial(ctx, h, a.now)
	if err != nil {
		return rules, false
	}
	defer d.Close()
	a.rules, ok = config.Running(ctx, d)
	return a.rules, ok
}

func (a *app) checkServer(ctx context.Context, h config.Home) check {
	d, err := config.Dial(ctx, h, a.now)
	if err != nil {
		return failing("server", err, "")
	}
	defer d.Close()
	pending, err := d.Requests(ctx, assent.RequestFilter{State: assent.Pending})
	if err != nil {
		return failing("server", err, "")
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
		return failing("log", err, "")
	}
	defer s.Close()
	report, err := audit.Reconcile(ctx, s, h.Key())
	if err != nil {
		return failing("log", err, "somebody changed the log, or the disk did; keep a copy of "+h.Database())
	}
	return check{Name: "log", OK: true, Text: whole(report)}
}

func (a *app) checkApprovers(ctx context.Context, h config.Home) check {
	keys, err := roster.New(h.Approvers()).Approvers()
	if err != nil {
		return failing("approvers", err, "")
	}
	text := fmt.Sprintf("%d approver key(s)", len(keys))
	err = config.NoAgent(ctx, h)
	if err != nil && !errors.Is(err, assent.ErrSelfApproval) {
		return failing("approvers", err, "")
	}
	if err != nil {
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
