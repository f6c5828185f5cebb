package main

// assent serve: the main job.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/hook/consent"
	"assent/surface/terminal"
)

// collectAt lets the heap of a few megabytes grow to five times what lives in it:
// collecting sooner is most of what the server would do.
const collectAt = 400

func (a *app) serveCmd() *cobra.Command {
	var attached, accept bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run assent: agents' hooks ask it, people answer through it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := config.Locate(a.env)
			if err != nil {
				return err
			}
			if h, err = a.notTheAgents(cmd.Context(), h); err != nil {
				return err
			}
			debug.SetGCPercent(collectAt)
			ctx := cmd.Context()
			if err := a.acceptHooks(ctx, h, accept || consent.Accepts(a.env, nil), !attached && a.atTerminal()); err != nil {
				return err
			}
			if attached {
				ctx = untilEnd(ctx, a.in)
			}
			err = config.Server{
				Home: h, Version: version, Now: a.now,
				Ready:   func(o config.Opened) { a.opened(h, o) },
				Trouble: func(err error) { finish(a.err, err) },
			}.Run(ctx)
			if err == nil && !a.json {
				fmt.Fprintln(a.out, "stopped")
			}
			return err
		},
	}
	c.Flags().BoolVar(&accept, "accept-hooks", false, "allow every hook that is configured, without asking")
	c.Flags().BoolVar(&attached, "attached", false, "end when standard input ends, and so with whoever started this")
	_ = c.Flags().MarkHidden("attached")
	return c
}

// notTheAgents is the home for a server, whose environment the hooks get: where an
// agent starts it, they get that of its owner, as it was written down.
func (a *app) notTheAgents(ctx context.Context, h config.Home) (config.Home, error) {
	err := config.NoAgent(ctx, h)
	if !errors.Is(err, assent.ErrSelfApproval) {
		return h, err
	}
	a.tell("an agent starts this server (%s): hooks get nothing of its environment\n", terminal.Escape(sentence(err)))
	config.Distrust()
	return config.At(h.Dir)
}

// untilEnd is ctx until the reader ends, which nobody writes to.
func untilEnd(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in)
	}()
	return ctx
}

// opened prints where the server listens and what to do next.
func (a *app) opened(h config.Home, o config.Opened) {
	if a.json {
		_ = a.printJSON(o)
		return
	}
	fmt.Fprintf(a.out, "assent %s is running, with its home in %s\n", version, h.Dir)
	fmt.Fprintf(a.out, "  socket  %s\n", o.Socket)
	if o.HTTP != "" {
		fmt.Fprintf(a.out, "  http    %s  (tokens in %s; OpenAPI at /openapi.json)\n", o.HTTP, o.Tokens)
	}
	if o.Note != "" {
		fmt.Fprintf(a.out, "  note    %s\n", o.Note)
	}
	fmt.Fprint(a.out, "next, in another terminal:\n"+
		"  assent init       put it in front of your agents\n"+
		"  assent demo       see it work in two minutes, without an agent\n"+
		"  assent requests   see what waits for you\n")
}
