package main

// assent hook: the hot path. An agent runs it once for each of its events, and
// it always answers in the agent's own words, within the agent's limit.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/harness"
)

const (
	maxInput    = 4 << 20          // bytes of one event
	handleLimit = 10 * time.Second // for everything but waiting for a person
	holdStep    = 50 * time.Second // one long poll
	serverGone  = 2 * time.Second  // how long a held call looks for a server that went away
)

func (a *app) hookCmd() *cobra.Command {
	return &cobra.Command{
		Use:                "hook AGENT --event EVENT [--home DIR]",
		Short:              "Answer one event of an agent (agents run this, see: assent init)",
		DisableFlagParsing: true, // a command line that is wrong gets an answer too
		RunE:               func(cmd *cobra.Command, args []string) error { return a.hook(cmd.Context(), args) },
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
		if !ok || i+1 == len(args) {
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
	return exit{exitAsk, fmt.Errorf("stopped: there is no agent %q that assent knows; known: %s", name, strings.Join(names, ", "))}
}

// hookCall is one run of the hook.
type hookCall struct {
	*app
	codec  assent.Codec
	native string
	home   string // of assent, fixed when the agent was set up; empty: as the environment says
	fault  error  // of the command line
	row    assent.Native
	end    time.Time // our own deadline, under the agent's
	once   sync.Once
}

// run answers, whatever happens. The watchdog answers for everything that hangs.
func (h *hookCall) run(ctx context.Context) error {
	h.row, _ = h.codec.Row(h.native)
	limit := h.row.Limit - min(h.codec.Margin, h.row.Limit/2)
	if h.row.Limit == 0 {
		limit = handleLimit
	}
	h.end = h.now().Add(limit)
	watchdog := time.AfterFunc(limit, func() {
		h.print(h.failure(errors.New("assent did not come to a decision in time")))
		os.Exit(exitYes)
	})
	defer watchdog.Stop()
	h.print(h.answer(ctx))
	return nil
}

// print writes the one answer.
func (h *hookCall) print(out []byte) {
	h.once.Do(func() { _, _ = h.out.Write(append(bytes.TrimRight(out, "\n"), '\n')) })
}

// failure is the answer when assent itself failed: a denial where the event
// gates, and nothing elsewhere.
func (h *hookCall) failure(err error) []byte {
	fmt.Fprintf(h.err, "assent: %s: %v\n", h.native, err)
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
	if err = errors.Join(h.fault, err); err != nil {
		return h.failure(err)
	}
	ev := h.decode()
	v, err := h.handle(ctx, home, ev)
	if err == nil && v.Decision == assent.Ask {
		v, err = h.ask(ctx, home, ev, v)
	}
	if err == nil && len(v.Rewrite) > 0 && h.codec.Restore != nil {
		v.Rewrite, err = h.codec.Restore(ev, v.Rewrite)
	}
	if err != nil {
		return h.failure(err)
	}
	return h.codec.Encode(h.native, v)
}

// locate finds assent's home. The environment of a hook is partly the agent's, so
// it counts only where nothing was fixed.
func (h *hookCall) locate() (config.Home, error) {
	if h.home != "" {
		return config.At(h.home)
	}
	return config.Locate(h.env)
}

// decode reads the event. What cannot be read is an event too: it is denied
// where it gates, and recorded.
func (h *hookCall) decode() assent.Event {
	raw, err := io.ReadAll(io.LimitReader(h.in, maxInput+1))
	if err == nil && len(raw) > maxInput {
		err = fmt.Errorf("it is longer than %d MiB: %w", maxInput>>20, assent.ErrInvalid)
	}
	var ev assent.Event
	if err == nil {
		ev, err = h.codec.Decode(h.native, raw, h.env)
	}
	if err != nil {
		ev.Invalid = err.Error()
	}
	if ev.Invalid != "" || ev.ID == "" {
		sum := sha256.Sum256(raw)
		ev.ID, ev.Name, ev.Agent = "unread-"+hex.EncodeToString(sum[:8]), h.row.Name, h.codec.Name
	}
	if h.row.Gates && !assent.Gates(ev.Name) {
		ev.Name = assent.PreToolCall
		ev.Invalid = fmt.Sprintf("%s has no event %q that is known", h.codec.Agent, h.native)
	}
	ev.At, ev.Raw = h.now(), nil
	if _, ok := ev.Extra[config.CanaryField]; ok {
		ev.Synthetic = true
	}
	if h.codec.Look != nil && ev.Invalid == "" {
		ev = h.codec.Look(ev, os.ReadFile)
	}
	return ev
}

// handle asks whoever decides now. When the lock's holder turned out to be a
// server that has just started, it is asked instead.
func (h *hookCall) handle(ctx context.Context, home config.Home, ev assent.Event) (assent.Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, handleLimit)
	defer cancel()
	for try := 0; ; try++ {
		d, err := config.Dial(ctx, home, h.now)
		if err != nil {
			return assent.Verdict{}, err
		}
		v, err := d.Handle(ctx, ev)
		if try == 0 && (errors.Is(err, assent.ErrLocked) || errors.Is(err, assent.ErrUnavailable)) {
			continue
		}
		return v, err
	}
}
