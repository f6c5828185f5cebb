package main

// Hooks that are not allowed yet, when a server starts: asked about, accepted, or
// told of.

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"assent"
	"assent/config"
	"assent/hook/consent"
	"assent/hook/script"
	"assent/surface/terminal"
)

// acceptHooks sees to it, before a server starts, that hooks which do not run yet are
// allowed, asked about, or told of.
func (a *app) acceptHooks(ctx context.Context, h config.Home, accept, ask bool) error {
	f, err := h.Load()
	if err != nil || h.Served(ctx) {
		return nil // the server says what is wrong with the file
	}
	dir, _ := os.Getwd()
	list := h.Consents()
	waiting := wishes(h, f, dir, func(s script.Spec) bool {
		p := permitOf(list, s, dir).accepted(h, f, s)
		return !p.State.May() && !p.Next
	})
	if len(waiting) == 0 {
		return nil
	}
	if err := h.Make(); err != nil {
		return err
	}
	if err := config.NoAgent(ctx, h); err != nil {
		accept, ask = false, false // whoever is gated allows nothing
	}
	for _, w := range waiting {
		if !accept && ask {
			fmt.Fprint(a.err, "a hook is not allowed to run:\n"+w.text())
		}
		yes := accept || ask && a.agrees(ctx, "allow it? [y/N] ")
		if ctx.Err() != nil {
			return exit{code: exitFailed} // whoever ended it knows
		}
		if yes {
			err := w.allow(h, dir)
			if err == nil {
				continue
			}
			fmt.Fprintf(a.err, "assent: %s\n", terminal.Escape(sentence(err)))
		}
		fmt.Fprintf(a.err, "hook not run: %s (%s) %s; %s\n  hint: assent hooks allow %s\n", terminal.Escape(w.Command), w.Event,
			cmp.Or(map[consent.State]string{consent.Changed: "has changed since it was allowed"}[w.Was], "is not allowed yet"), w.means(), terminal.Escape(quoted(w.Command)))
	}
	return nil
}

// means is what it means that the hook does not run.
func (w wish) means() string {
	switch hears(w.Event) {
	case assent.HearsDecision:
		return unmet[w.onError]
	case assent.HearsNothing:
		return "it is not told of anything"
	}
	return "it is not asked"
}
