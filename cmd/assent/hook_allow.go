package main

// assent hooks allow, revoke: which commands of the file may run. A change holds for
// a server that runs at once.

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent"
	"assent/config"
	"assent/hook"
	"assent/hook/consent"
	"assent/hook/script"
	"assent/hook/webhook"
	"assent/surface/terminal"
)

// allowFlags are the flags of hooks allow.
type allowFlags struct {
	all, yes bool
	event    string
}

func (a *app) hooksAllowCmd() *cobra.Command {
	var f allowFlags
	c := &cobra.Command{
		Use: "allow {COMMAND | --all}", Args: cobra.MaximumNArgs(1),
		Short: "Allow a hook that is configured to run, as its script is now",
		Long: "Allow a hook that is configured to run, as its script is now: shows what would run, and asks.\n" +
			"COMMAND is written as in config.yaml, in quotes. A script that is edited later has to be allowed again.",
		Example: "  assent hooks allow '~/guards/push.sh'\n  assent hooks allow --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.all == (len(args) == 1) {
				return usage("hooks allow needs the command of a hook, or --all")
			}
			return a.allowHooks(cmd, args, f)
		},
	}
	c.Flags().BoolVar(&f.all, "all", false, "every hook that does not run yet")
	c.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	c.Flags().StringVar(&f.event, "event", "", "for this event alone")
	return c
}

func (a *app) hooksRevokeCmd() *cobra.Command {
	return &cobra.Command{
		Use: "revoke COMMAND", Aliases: []string{"remove", "rm"}, Args: cobra.ExactArgs(1),
		Short: "Take back that a hook may run; what it guards is asked about from then on",
		RunE: func(cmd *cobra.Command, args []string) error {
			h, f, _, err := a.hooksHere()
			if err != nil {
				return err
			}
			if err := a.personOnly(cmd.Context(), h, cmd.CommandPath()); err != nil {
				return err
			}
			n, err := h.Consents().Revoke(args[0])
			if err != nil {
				return err
			}
			if n == 0 {
				return exit{exitNotFound, fmt.Errorf("%q is not allowed for any event%s", args[0], meantCommand(args[0], allowedCommands(h))), "assent hooks list"}
			}
			if a.json {
				return a.printJSON(map[string]any{"command": args[0], "revoked": n, "warnings": emptyList(unattainable(h, f, args[0]))})
			}
			fmt.Fprintf(a.out, "revoked for %s: %s\n", counted(n, "event"), terminal.Escape(args[0]))
			for _, w := range unattainable(h, f, args[0]) {
				fmt.Fprintf(a.out, "  note: %s\n", w)
			}
			return nil
		},
	}
}

// unattainable says why a revocation will not last.
func unattainable(h config.Home, f config.File, command string) []string {
	if (permit{State: consent.Missing}).accepted(h, f, script.Spec{Command: command}).Next {
		return []string{"hooks_auto_accept is true, so a hook that is still configured is allowed again when it is next called"}
	}
	return nil
}

func allowedCommands(h config.Home) (out []string) {
	list, _ := h.Consents().List()
	for _, a := range list {
		out = append(out, a.Command)
	}
	return out
}

// meantCommand is what a command was meant for that is not known.
func meantCommand(text string, known []string) string {
	if like := assent.Nearest(text, known); like != "" {
		return fmt.Sprintf("; did you mean %s?", quoted(like))
	}
	for _, k := range known {
		if text != "" && strings.Contains(k, text) {
			return fmt.Sprintf("; did you mean %s?", quoted(k))
		}
	}
	return ""
}

// wish is a hook that somebody may allow, and what would run.
type wish struct {
	Command string        `json:"command"`
	Event   string        `json:"event"`
	Was     consent.State `json:"was"`
	Runs    []string      `json:"runs,omitempty"` // its words
	Script  string        `json:"script,omitempty"`
	Size    int64         `json:"size,omitempty"`
	SHA256  string        `json:"sha256,omitempty"`
	Binds   []string      `json:"binds,omitempty"` // the files whose content it is allowed with
	Allowed bool          `json:"allowed"`
	Failed  string        `json:"failed,omitempty"` // why it could not be

	onError hook.OnError
}

// wishes are the hooks of a file, each event and command once.
func wishes(h config.Home, f config.File, dir string, want func(script.Spec) bool) (out []wish) {
	list := h.Consents()
	for _, s := range h.Commands(f) {
		same := func(w wish) bool { return w.Command == s.Command && w.Event == s.Event }
		if want(s) && !slices.ContainsFunc(out, same) {
			out = append(out, wishOf(h, s, permitOf(list, s, dir).State, dir))
		}
	}
	return out
}

func wishOf(h config.Home, s script.Spec, was consent.State, dir string) wish {
	w := wish{Command: s.Command, Event: s.Event, Was: was, onError: onErrorOf(s)}
	if webhook.IsURL(s.Command) {
		return w
	}
	p := consent.Place{Home: h.Places().Home, Dir: dir}
	w.Runs, _ = p.Words(s.Command) // what cannot be split is not run, which doctor tells
	w.Script, w.Binds = p.Script(s.Command), p.Files(s.Command)
	if raw, err := os.ReadFile(w.Script); err == nil {
		sum := sha256.Sum256(raw)
		w.Size, w.SHA256 = int64(len(raw)), hex.EncodeToString(sum[:])
	}
	return w
}

// text shows what would run.
func (w wish) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s%s\n", terminal.Escape(w.Event), terminal.Escape(w.Command), map[bool]string{true: "  (changed since it was allowed)"}[w.Was == consent.Changed])
	switch {
	case webhook.IsURL(w.Command):
		b.WriteString("  asks this address, and tells it what is about to happen, without secrets\n")
	case w.SHA256 != "":
		fmt.Fprintf(&b, "  runs %s, %d bytes, sha256 %.12s\n", terminal.Escape(w.Script), w.Size, w.SHA256)
		for _, path := range w.Binds {
			if path != w.Script {
				fmt.Fprintf(&b, "  with %s, as it is now\n", terminal.Escape(path))
			}
		}
	case w.Script != "":
		fmt.Fprintf(&b, "  runs %s, which cannot be read\n", terminal.Escape(w.Script))
	default:
		fmt.Fprintf(&b, "  runs %s; no content is bound\n", terminal.Escape(strings.Join(w.Runs, " ")))
	}
	return b.String()
}

func (a *app) allowHooks(cmd *cobra.Command, args []string, flags allowFlags) error {
	h, f, dir, err := a.hooksHere()
	if err != nil {
		return err
	}
	if err := a.personOnly(cmd.Context(), h, cmd.CommandPath()); err != nil {
		return err
	}
	list, err := meantHooks(h, f, dir, args, flags)
	if err != nil {
		return err
	}
	yes := flags.yes || consent.Accepts(a.env, nil)
	if !yes && (a.json || !a.atTerminal()) {
		for _, w := range list {
			a.tell("%s", w.text())
		}
		return exit{exitUsage, errors.New("there is no terminal to ask on"), "look at it with assent hooks list, then use --yes"}
	}
	for i := range list {
		w := &list[i]
		a.tell("%s", w.text())
		if !yes && !a.agrees(cmd.Context(), "allow it? [y/N] ") {
			if cmd.Context().Err() != nil {
				return exit{code: exitFailed}
			}
			a.tell("  not allowed\n")
			continue
		}
		switch err := w.allow(h, dir); {
		case err != nil && !flags.all:
			return err
		case err != nil: // the others can be allowed all the same
			w.Failed = sentence(err)
			finish(a.err, err)
			continue
		}
		a.tell("  allowed\n")
	}
	if a.json {
		if err := a.printJSON(list); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(list, func(w wish) bool { return !w.Allowed }) {
		return exit{code: exitFailed}
	}
	if len(list) == 0 && !a.json {
		fmt.Fprintln(a.out, "every hook is allowed already")
	}
	return nil
}

// meantHooks are the hooks that the command line of hooks allow means.
func meantHooks(h config.Home, f config.File, dir string, args []string, flags allowFlags) ([]wish, error) {
	event := flags.event
	if ours, ok := hook.EventOf(event); ok {
		event = ours
	}
	for_ := func(s script.Spec) bool { return event == "" || s.Event == event }
	if flags.all {
		list := h.Consents()
		return emptyList(wishes(h, f, dir, func(s script.Spec) bool { return for_(s) && !permitOf(list, s, dir).State.May() })), nil
	}
	out := wishes(h, f, dir, func(s script.Spec) bool { return s.Command == args[0] && for_(s) })
	if len(out) > 0 {
		return out, nil
	}
	var known []string
	for _, s := range h.Commands(f) {
		if s.Command == args[0] {
			return nil, exit{exitNotFound, fmt.Errorf("%q is no hook for %s", args[0], flags.event), "it is one for " + s.Event}
		}
		known = append(known, s.Command)
	}
	return nil, exit{exitNotFound, fmt.Errorf("no hook in %s has the command %q%s", h.Config(), args[0], meantCommand(args[0], known)), "assent hooks list"}
}

// allow writes it down, if the script is still the one that was shown.
func (w *wish) allow(h config.Home, dir string) error {
	if webhook.IsURL(w.Command) {
		dir = ""
	}
	if w.Script != "" && w.SHA256 == "" {
		return exit{exitNotFound, fmt.Errorf("the script %s is not there, or cannot be read", w.Script), "mend its path in " + h.Config()}
	}
	list := h.Consents()
	if err := list.Allow(w.Event, w.Command, dir); err != nil {
		return err
	}
	all, err := list.List()
	if err != nil {
		return err
	}
	for _, a := range all {
		if a.Event == w.Event && a.Command == w.Command && a.SHA256 != w.SHA256 {
			_, err := list.Revoke(w.Command)
			return errors.Join(exit{exitConflict, fmt.Errorf("%s changed while you looked at it, and is not allowed", w.Script), "look at it again"}, err)
		}
	}
	w.Allowed = true
	return nil
}

// atTerminal reports whether somebody can be asked.
func (a *app) atTerminal() bool {
	f, ok := a.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// agrees asks for a y; whatever else comes is a no, and so is that ctx ends.
func (a *app) agrees(ctx context.Context, question string) bool {
	fmt.Fprint(a.err, question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.in).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case said := <-answer:
		return said == "y" || said == "yes"
	case <-ctx.Done():
		fmt.Fprintln(a.err)
		return false
	}
}
