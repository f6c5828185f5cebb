package main

// assent hook: the hot path. An agent runs it once for each of its events, and
// it always answers in the agent's own words, within the agent's limit.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/harness"
	"assent/surface/terminal"
)

const (
	maxInput    = 4 << 20          // bytes of one event
	handleLimit = 10 * time.Second // for everything but waiting for a person
	holdStep    = 10 * time.Second // one long poll: a server that stopped is found out after it
	serverGone  = 2 * time.Second  // how long a held call looks for a server that went away
)

func (a *app) hookCmd() *cobra.Command {
	return &cobra.Command{
		Use:                "hook AGENT --event EVENT [--home DIR]",
		Short:              "Answer one event of an agent (agents run this, see: assent init)",
		DisableFlagParsing: true, // a command line that is wrong gets an answer too
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && isHelp(args[0]) {
				return cmd.Help()
			}
			return a.hook(cmd.Context(), args)
		},
	}
}

// hook answers one event.
func (a *app) hook(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return unknownAgent("")
	}
	codec, ok := harness.Named(args[0])
	if !ok {
		return unknownAgent(args[0])
	}
	h := &hookCall{app: a, codec: codec}
	h.fault = h.flags(args[1:])
	return h.run(ctx)
}

// flags reads the command line. Whatever is not known there is a fault, for it
// may have been meant to change what is let through.
func (h *hookCall) flags(args []string) error {
	known := map[string]*string{"--event": &h.native, "--home": &h.home}
	for i := 0; i < len(args); i += 2 {
		at, ok := known[args[i]]
		if !ok || i+1 == len(args) || *at != "" || args[i+1] == "" {
			return fmt.Errorf("the hook is called with %q, and not with --event EVENT [--home DIR]", args)
		}
		*at = args[i+1]
	}
	if h.native == "" {
		return errors.New("the hook is called without --event EVENT")
	}
	return nil
}

// unknownAgent ends with the exit code that most agents take for a denial: in
// whose words to answer is not known.
func unknownAgent(name string) error {
	var names []string
	for _, c := range harness.All {
		names = append(names, c.Name)
	}
	return exit{code: exitAsk, err: fmt.Errorf("stopped: there is no agent %q that assent knows; known: %s", name, strings.Join(names, ", "))}
}

// hookCall is one run of the hook.
type hookCall struct {
	*app
	codec    assent.Codec
	native   string
	home     string // of assent, fixed when the agent was set up; empty: as the environment says
	fault    error  // of the command line
	row      assent.Native
	end      time.Time   // our own deadline, under the agent's
	hooked   bool        // the user has hooks
	served   bool        // it was a server that has heard of the call
	watchdog *time.Timer // answers for whatever hangs
	once     sync.Once
}

// run answers, whatever happens.
func (h *hookCall) run(ctx context.Context) error {
	row, known := h.codec.Row(h.native)
	h.row = row
	if !known && h.fault == nil {
		h.fault = fmt.Errorf("%s has no event %q that is known", h.codec.Agent, h.native)
	}
	limit := row.Limit - min(h.codec.Margin, row.Limit/2)
	if row.Limit == 0 {
		limit = handleLimit
	}
	h.end = h.now().Add(limit)
	h.watchdog = time.AfterFunc(min(limit, handleLimit), func() {
		h.print(h.failure(errSlow))
		os.Exit(exitYes)
	})
	defer h.watchdog.Stop()
	h.print(h.answer(ctx))
	return nil
}

// give lets what comes next take so long, and never longer than to the end.
func (h *hookCall) give(d time.Duration) { h.watchdog.Reset(min(d, h.end.Sub(h.now()))) }

// print writes the one answer.
func (h *hookCall) print(out []byte) {
	h.once.Do(func() { _, _ = h.out.Write(append(bytes.TrimRight(out, "\n"), '\n')) })
}

// failure is the answer when assent itself failed: a denial where the event
// gates, and nothing elsewhere.
func (h *hookCall) failure(err error) []byte {
	fmt.Fprintf(h.err, "assent hook %s %s: %s\n", h.codec.Name, terminal.Escape(h.native), terminal.Escape(err.Error()))
	if !h.row.Gates {
		return h.codec.Encode(h.native, assent.Verdict{})
	}
	return h.codec.Fail(h.native, fmt.Sprintf("assent stopped this: %v. Tell your user; `assent doctor` shows what is wrong", err))
}

func (h *hookCall) answer(ctx context.Context) (out []byte) {
	defer func() {
		if p := recover(); p != nil {
			out = h.failure(fmt.Errorf("a fault of its own: %v", p))
		}
	}()
	home, err := h.locate()
	if err != nil {
		return h.failure(err)
	}
	ev := h.decode()
	v, err := h.goesOn(ctx, home, ev)
	if err == nil && len(v.Directive) == 0 {
		v, err = h.handle(ctx, home, ev)
	}
	if errors.Is(err, assent.ErrInvalid) {
		ev = h.unread([]byte(ev.ID), err) // whoever decides could not take it, which is recorded
		v, err = h.handle(ctx, home, ev)
	}
	if err == nil && v.Decision == assent.Ask {
		v, err = h.ask(ctx, home, ev, v)
	}
	if err == nil && h.hooked && ev.Invalid == "" && len(v.Directive) == 0 {
		v, err = h.also(ctx, home, ev, v)
	}
	if err == nil {
		v, err = h.restored(ctx, home, ev, v)
	}
	if err != nil {
		return h.failure(err)
	}
	return h.codec.Encode(h.native, v)
}

// restored is a verdict in the agent's own shape. What has no place there stops what
// can be stopped; else it is recorded, and the model is told of it.
func (h *hookCall) restored(ctx context.Context, home config.Home, ev assent.Event, v assent.Verdict) (assent.Verdict, error) {
	out, why := h.codec.Restore(ev, v)
	if why == nil || h.row.Gates {
		return out, why
	}
	ev.ID, ev.Invalid = ev.ID+"/unfit", "what a hook gave in place of this could not be used: "+clip(why.Error())
	_, err := h.handle(ctx, home, ev)
	return assent.Verdict{Context: "A hook of your user's wanted to change this result, and " + h.codec.Agent + " takes no other: do not repeat what is in it."}, err
}

// goesOn asks, before an agent's turn counts as ended, whether it is to go on: then
// there is a directive, and the turn has not ended. Hooks that fail keep nobody.
func (h *hookCall) goesOn(ctx context.Context, home config.Home, ev assent.Event) (assent.Verdict, error) {
	if !slices.Contains(h.row.Also, assent.PreVerify) || ev.Invalid != "" {
		return assent.Verdict{}, nil
	}
	return h.handle(ctx, home, called(ev, assent.PreVerify))
}

// called is an event under a further name that it stands for.
func called(ev assent.Event, name string) assent.Event {
	ev.Name, ev.ID = name, ev.ID+"/"+name
	return ev
}

// also tells of the further events that this one is, and joins what they give.
func (h *hookCall) also(ctx context.Context, home config.Home, ev assent.Event, v assent.Verdict) (assent.Verdict, error) {
	for _, name := range h.row.Also {
		if name == assent.PreVerify || name == assent.PostLLMCall && ev.Extra["assistant_response"] == nil {
			continue // asked before, or there is no answer to tell of
		}
		more, err := h.handle(ctx, home, called(ev, name))
		if err != nil {
			return v, err
		}
		if v.Context != "" && more.Context != "" {
			more.Context = v.Context + "\n\n" + more.Context
		}
		v.Context = cmp.Or(more.Context, v.Context)
		if more.Text != nil {
			v.Text = more.Text
		}
	}
	return v, nil
}

// locate finds assent's home. The environment of a hook is partly the agent's, so
// it counts only where nothing was fixed.
func (h *hookCall) locate() (config.Home, error) {
	config.Distrust()
	if h.home != "" {
		return config.At(h.home)
	}
	return config.Locate(h.env)
}
