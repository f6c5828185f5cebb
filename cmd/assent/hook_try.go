package main

// assent hooks test: the hooks of one event, run as they would be, on an event that
// nobody has fired.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"assent"
	"assent/config"
	"assent/hook"
)

// tryFlags are the flags of hooks test.
type tryFlags struct{ tool, payload, hook, profile string }

func (a *app) hooksTestCmd() *cobra.Command {
	var f tryFlags
	c := &cobra.Command{
		Use: "test EVENT", Args: cobra.ExactArgs(1),
		Short: "Run the hooks of an event, allowed or not, and show what each says; exit 2 asks, 3 denies, 1 is a hook that failed",
		Long: "Run the hooks of an event on one that nobody has fired, and show what each of them says and what comes of it. They really run, also those that are not " +
			"allowed yet; nothing else does. Addresses of hooks.outbound are told only if --hook names them.\nEVENT is a name here or one of Claude Code's. " +
			"Without more, a tool call is `" + canaryCommand + "`.",
		Example: "  assent hooks test pre_tool_call\n  assent hooks test PreToolUse --for-tool Write\n  assent hooks test pre_llm_call --payload-file turn.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.tryHooks(cmd.Context(), args[0], f)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(t)
			} else {
				_, err = io.WriteString(a.out, t.text())
			}
			if err != nil {
				return err
			}
			return t.exit()
		},
		ValidArgsFunction: completeEvents,
	}
	c.Flags().StringVar(&f.tool, "for-tool", "", "as if this tool were called, by any agent's name for it")
	c.Flags().StringVar(&f.payload, "payload-file", "", "a JSON object whose members take the place of the synthetic ones (- is standard input)")
	c.Flags().StringVar(&f.hook, "hook", "", "this hook alone: its command, or what assent hooks list calls it")
	c.Flags().StringVar(&f.profile, "profile", "", "as if for an agent of this profile")
	return c
}

// tried hooks: what each of them said, and what comes of it.
type triedHooks struct {
	Event   string       `json:"event"`
	Tool    string       `json:"tool,omitempty"`
	Input   any          `json:"input,omitempty"`
	Hooks   []triedHook  `json:"hooks"`
	Printed []string     `json:"printed,omitempty"` // by Python
	Notes   []string     `json:"notes,omitempty"`   // of what was asked for
	Fold    assent.Reply `json:"fold"`
	Others  int          `json:"others,omitempty"` // hooks of the event that are for other tools or profiles
	Hears   assent.Hears `json:"hears"`
	fold    assent.Verdict
}

// triedHook is one hook's run.
type triedHook struct {
	Hook   string          `json:"hook"`
	Kind   hook.Kind       `json:"kind"`
	Ran    []string        `json:"ran,omitempty"`
	Exit   *int            `json:"exit,omitempty"` // of a process
	Signal string          `json:"signal,omitempty"`
	Took   assent.Duration `json:"took"`
	Stdout string          `json:"stdout,omitempty"`
	Stderr string          `json:"stderr,omitempty"`
	Failed string          `json:"failed,omitempty"`
	Says   assent.Reply    `json:"says"` // what it counts as

	Note string `json:"note,omitempty"`

	at     int // its place among the dispatcher's entries
	called bool
}

const maxShown = 400 // characters of a hook's output

// tryHooks runs the hooks of an event.
func (a *app) tryHooks(ctx context.Context, name string, f tryFlags) (triedHooks, error) {
	event, err := eventMeant(name)
	if err != nil {
		return triedHooks{}, err
	}
	h, file, dir, err := a.hooksHere()
	if err != nil {
		return triedHooks{}, err
	}
	c, notes, err := a.sampleCase(h, file, event, dir, f)
	if err != nil {
		return triedHooks{}, err
	}
	t := triedHooks{Event: event, Tool: c.Tool, Hooks: []triedHook{}, Hears: hears(event), Notes: notes}
	if len(c.Input) > 0 {
		t.Input = c.Input
	}
	var mu sync.Mutex
	b := h.Bench(ctx, file, func(line string) {
		if strings.Contains(line, `File "<assent_host.`) {
			return // of a traceback: where it passes through what is ours
		}
		mu.Lock()
		defer mu.Unlock()
		t.Printed = append(t.Printed, line)
	})
	err = t.run(ctx, b, c, f.hook)
	err = errors.Join(err, b.Close(ctx))
	mu.Lock()
	defer mu.Unlock()
	return t, err
}

// sampleCase is the synthetic event of a command line, analysed, and what may not be
// what was meant by it.
func (a *app) sampleCase(h config.Home, file config.File, event, dir string, f tryFlags) (c assent.Case, notes []string, err error) {
	e, err := sample(event, dir, f.tool)
	if err != nil {
		return c, nil, err
	}
	note := func(text string) {
		if text != "" {
			notes = append(notes, text)
		}
	}
	note(strangeTool(f.tool))
	if f.payload != "" {
		raw, err := a.payloadFile(f.payload)
		if err != nil {
			return c, nil, err
		}
		note(strangePayload(e, raw))
		if err := merge(&e, raw); err != nil {
			return c, nil, err
		}
	}
	e.At, e.Synthetic, e.Profile = a.now(), true, file.ProfileOf(e)
	if f.profile != "" {
		e.Profile = f.profile
	}
	if e.Name == assent.PreToolCall {
		return config.Options(file, h.Places()).Analyse(e), notes, nil
	}
	return assent.Case{Event: e}, notes, nil
}

func (a *app) payloadFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(a.in, maxInput))
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit{exitInvalid, fmt.Errorf("there is no payload file %s", path), ""}
	}
	if err != nil {
		return nil, exit{exitInvalid, fmt.Errorf("cannot read the payload file: %w", err), ""}
	}
	return raw, nil
}

func hears(event string) assent.Hears {
	t, _ := assent.EventNamed(event)
	return t.Hears
}

// unclassed is an error without its class.
func unclassed(err error) string {
	return strings.TrimSuffix(sentence(err), ": "+assent.ErrInvalid.Error())
}

func (t triedHooks) exit() error {
	if slices.ContainsFunc(t.Hooks, func(r triedHook) bool { return r.Failed != "" }) {
		return exit{code: exitFailed}
	}
	switch t.Fold.Decision {
	case assent.Ask:
		return exit{code: exitAsk}
	case assent.Deny:
		return exit{code: exitDenied}
	}
	return nil
}

// completeEvents offers the names of events.
func completeEvents(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completed(args, func() (out []cobra.Completion) {
		for _, t := range assent.Events {
			out = append(out, cobra.CompletionWithDesc(t.Name, t.When))
		}
		return out
	})
}
