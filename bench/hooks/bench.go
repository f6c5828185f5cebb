package main

// What is measured, and how.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/consent"
	"assent/hook/plugin"
	"assent/hook/python"
	"assent/hook/script"
)

type bench struct {
	dir       string
	n, events int
	host      *python.Host
	plugins   []hook.Entry
}

// guard asks nothing of anybody; watch only counts.
const source = `
seen = 0

def guard(tool_name, args, **kw):
    return None

def watch(**kw):
    global seen
    seen += 1

def register(ctx):
    ctx.register_hook("pre_tool_call", guard)
    ctx.register_hook("on_stream_delta", watch)
`

func (b *bench) prepare(ctx context.Context) error {
	root := filepath.Join(b.dir, "plugins", "bench")
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{"plugin.yaml": "name: bench\nversion: 1.0.0\n", "__init__.py": source} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	o := plugin.Options{Roots: []string{filepath.Dir(root)}, Enabled: []string{"bench"}}
	found, err := plugin.Discover(o)
	if err != nil {
		return err
	}
	b.host = python.New(python.Options{})
	set := plugin.Load(ctx, b.host, o, found)
	for _, f := range set.Found {
		if !f.Loaded || len(f.Problems) > 0 {
			return fmt.Errorf("the plugin is not as it should be: %v", f.Problems)
		}
	}
	b.plugins = set.Entries
	return nil
}

func (b *bench) end(ctx context.Context) { _ = b.host.Close(ctx) }

func gated(i int) assent.Case {
	return assent.Case{Event: assent.Event{
		ID: strconv.Itoa(i), Name: assent.PreToolCall, Agent: "bench", Session: "s", Call: strconv.Itoa(i), Tool: assent.ToolShell,
		Input: json.RawMessage(`{"command":"git status --short"}`),
	}}
}

// timed is how long a call of a dispatcher takes. A hook that does not do its work is
// no measure of it.
func timed(ctx context.Context, d *hook.Dispatcher, i int) (time.Duration, error) {
	from := time.Now()
	r, err := d.Judge(ctx, gated(i))
	took := time.Since(from)
	for _, p := range r.Parts {
		if p.Fault != "" {
			err = errors.Join(err, errors.New(p.By+": "+p.Fault))
		}
	}
	return took, err
}

// round measures everything once, and returns which bounds are broken.
func (b *bench) round(ctx context.Context) (over, err error) {
	for _, part := range []func(context.Context) (string, bool, error){b.none, b.spawned, b.handler, b.flood} {
		text, ok, failed := part(ctx)
		if failed != nil {
			return nil, failed
		}
		fmt.Println(" ", text)
		if !ok {
			over = errors.Join(over, errors.New(text))
		}
	}
	return over, nil
}

// none is what a dispatcher without an entry for the event adds.
func (b *bench) none(ctx context.Context) (string, bool, error) {
	d := hook.New(hook.Options{}, hook.Entry{ID: "other", Event: assent.PreLLMCall, Call: nil})
	var took []time.Duration
	for i := range 20 * b.n {
		t, err := timed(ctx, d, i)
		if err != nil {
			return "", false, err
		}
		took = append(took, t)
	}
	return fmt.Sprintf("no hooks: %s median (at most 20µs)", median(took)), median(took) < 20*time.Microsecond, nil
}

// script is a shell hook that has no opinion.
func (b *bench) script() (hook.Entry, error) {
	path := filepath.Join(b.dir, "guard.sh")
	list := consent.Open(filepath.Join(b.dir, consent.Name), b.dir)
	err := os.WriteFile(path, []byte("#!/bin/sh\nexit 0\n"), 0o700)
	if err == nil {
		err = list.Allow(assent.PreToolCall, path, b.dir)
	}
	e, _ := script.New(script.Spec{Event: assent.PreToolCall, Command: path, Timeout: time.Minute}, script.Host{Home: b.dir, Consent: list.Look})
	return e, err
}

// spawned is a shell hook against the bare spawn of the same process, in turn.
func (b *bench) spawned(ctx context.Context) (string, bool, error) {
	e, err := b.script()
	if err != nil {
		return "", false, err
	}
	d := hook.New(hook.Options{}, e)
	var bare, ours []time.Duration
	for i := range b.n {
		from := time.Now()
		if err := exec.CommandContext(ctx, filepath.Join(b.dir, "guard.sh")).Run(); err != nil {
			return "", false, err
		}
		bare = append(bare, time.Since(from))
		t, err := timed(ctx, d, i)
		if err != nil {
			return "", false, err
		}
		ours = append(ours, t)
	}
	ratio := float64(median(ours)) / float64(median(bare))
	return fmt.Sprintf("one shell hook: %s median, bare spawn %s: %.2fx (at most 1.3x)", median(ours), median(bare), ratio), ratio <= 1.3, nil
}

// handler is one call of a Python callback that is warm.
func (b *bench) handler(ctx context.Context) (string, bool, error) {
	d := hook.New(hook.Options{}, b.plugins...)
	var took []time.Duration
	for i := range b.n {
		t, err := timed(ctx, d, i)
		if err != nil {
			return "", false, err
		}
		took = append(took, t)
	}
	return fmt.Sprintf("one Python callback, warm: %s median, %s p99 (median at most 1ms)", median(took), p99(took)), median(took) < time.Millisecond, nil
}

// flood is a gated call while a plugin is told of many events, against the same
// without them, in turn: a second of each.
func (b *bench) flood(ctx context.Context) (string, bool, error) {
	var watch []hook.Entry
	for _, e := range b.plugins {
		if e.Event == "on_stream_delta" {
			watch = append(watch, e)
		}
	}
	guard, err := b.script()
	if err != nil {
		return "", false, err
	}
	d := hook.New(hook.Options{Queue: 4 * b.events}, append(watch, guard)...)
	ctx, stop := context.WithCancel(ctx)
	var over sync.WaitGroup
	over.Go(func() { _ = d.Run(ctx, time.Minute) })
	var quiet, loud []time.Duration
	sent := 0
	for range 4 {
		for _, events := range []int{0, b.events} {
			took, err := b.second(ctx, d, events)
			if err != nil {
				stop()
				over.Wait()
				return "", false, err
			}
			if sent += events; events == 0 {
				quiet = append(quiet, took...)
			} else {
				loud = append(loud, took...)
			}
		}
	}
	stop()
	over.Wait()
	s := d.Stats()[0] // the plugin speaks first
	ratio := float64(p99(loud)) / float64(p99(quiet))
	text := fmt.Sprintf("%d events a second to a plugin: told %d of %d, dropped %d, failed %d; a gated call with a shell hook meanwhile: median %s, p99 %s; without: %s, %s (p99 %.2fx, at most 2x)",
		b.events, s.Calls, sent, s.Dropped, s.Failed, median(loud), p99(loud), median(quiet), p99(quiet), ratio)
	return text, s.Calls == sent && s.Failed == 0 && ratio <= 2, nil
}

// second is one second of events, evenly, and of gated calls, each in its own time.
func (b *bench) second(ctx context.Context, d *hook.Dispatcher, events int) ([]time.Duration, error) {
	const ticks = 200
	var took []time.Duration
	tick := time.NewTicker(time.Second / ticks)
	defer tick.Stop()
	for t := range ticks {
		for i := range events / ticks {
			c := assent.Case{Event: assent.Event{ID: fmt.Sprint(t, i), Name: "on_stream_delta", Session: "s", Extra: map[string]json.RawMessage{"delta": json.RawMessage(`"word "`)}}}
			if _, err := d.Judge(ctx, c); err != nil {
				return nil, err
			}
		}
		t, err := timed(ctx, d, t)
		if err != nil {
			return nil, err
		}
		took = append(took, t)
		<-tick.C
	}
	return took, nil
}
