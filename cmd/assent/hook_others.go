package main

// The checks of directories, plugins and addresses that are told, and the canary.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/hook"
)

// webhooks checks the addresses that are told of events.
func (x *examination) webhooks() (out []hookReport) {
	for _, w := range webhooksOf(x.file) {
		r := hookReport{Hook: "webhook " + w.Label, Kind: hook.KindWebhook, Profile: w.Profile}
		switch {
		case w.Missing != "":
			r.wrong("signed", "it is not told of anything, for its secret is not there: "+w.Missing, "set it where assent serve is started")
		case w.Signed:
			r.good("signed", "what it is told is signed")
		default:
			r.fyi("signed", "what it is told is not signed", "secret: env:NAME")
		}
		for _, event := range w.Events {
			x.calls(&r, event, false, modified(x.home.Config()))
		}
		out = append(out, r)
	}
	return out
}

// directories checks the hooks of hooks/.
func (x *examination) directories() (out []hookReport) {
	for _, d := range x.bench.Dirs {
		r := hookReport{Hook: "dir " + d.Name, Kind: hook.KindDir}
		if d.Handler != "" {
			r.good("file", "runs "+d.Handler)
		}
		for _, text := range d.Problems {
			r.wrong("file", text, "mend it in "+d.Path)
		}
		x.entries(&r, modified(d.Handler))
		out = append(out, r)
	}
	return out
}

// plugins checks the plugins, which are loaded by now.
func (x *examination) plugins() (out []hookReport) {
	for _, p := range x.bench.Plugins {
		r := hookReport{Hook: "plugin " + p.Key, Kind: hook.KindPlugin}
		if !p.Enabled {
			r.fyi("enabled", "it is not enabled, and not loaded", "plugins: {enabled: ["+p.Key+"]}")
		} else if p.Loaded {
			r.good("loaded", "from "+p.Path+led(", with hooks for ", strings.Join(x.eventsOf(r.Hook), ", ")))
		}
		for _, text := range p.Problems {
			if p.Enabled && !slices.Contains(p.Notes, text) {
				r.wrong("plugin", text, "mend it in "+p.Path)
			} else {
				r.fyi("plugin", text, "")
			}
		}
		x.entries(&r, modified(filepath.Join(p.Path, "__init__.py")))
		out = append(out, r)
	}
	return out
}

// of reports whether an entry is one of a hook's: a plugin may have several for one
// event.
func of(e hook.Entry, id string) bool { return e.ID == id || strings.HasPrefix(e.ID, id+"#") }

// eventsOf are the events that a hook has entries for.
func (x *examination) eventsOf(id string) (out []string) {
	for _, e := range x.bench.Entries {
		if of(e, id) && !slices.Contains(out, e.Event) {
			out = append(out, e.Event)
		}
	}
	return out
}

// entries tells of the real calls of a hook that has several events.
func (x *examination) entries(r *hookReport, changed time.Time) {
	for _, event := range x.eventsOf(r.Hook) {
		if x.past.of[heardOf{r.Hook, event}] != nil {
			x.calls(r, event, assent.Gates(event), changed)
		}
	}
}

func modified(path string) (at time.Time) {
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return at
}

// canaries sends a call that must be stopped the way that each connected agent's
// calls go, and looks which hooks it reached.
func (x *examination) canaries(ctx context.Context, r *hookReport) {
	sent := false
	for _, s := range setups {
		_, settings, err := s.read(x.app, x.home.User)
		if err != nil {
			continue // which assent doctor says
		}
		if program, _, _ := s.problems(settings, x.home.Dir); program == "" {
			continue
		}
		sent = true
		from := x.now()
		took, err := s.tryCanary(ctx, x.app, settings, x.home)
		if err != nil {
			r.note(failing("canary", err, "assent doctor"))
			continue
		}
		reached, missed := x.reached(ctx, from)
		if len(missed) > 0 {
			r.wrong("canary", fmt.Sprintf("%s's way does not lead to %s", s.agent, strings.Join(missed, ", ")), "restart assent serve; then: assent doctor")
			continue
		}
		r.good("canary", fmt.Sprintf("a call of %s was stopped in %d ms, and put to %s", s.agent, took.Milliseconds(), orNone(reached)))
	}
	if !sent {
		r.fyi("canary", "no agent is connected, so none asks these hooks", "assent init")
	}
}

func orNone(hooks []string) string {
	if len(hooks) == 0 {
		return "no hook, for none guards commands"
	}
	return strings.Join(hooks, ", ")
}

// reached are the hooks that a canary was put to since a moment, and those that it
// should have been put to besides.
func (x *examination) reached(ctx context.Context, from time.Time) (reached, missed []string) {
	by := map[string]bool{}
	_ = newest(ctx, x.home, 50, func(r assent.Record) { // what cannot be read has reached nobody
		var data struct{ Hooks []assent.Heard }
		if r.Session == canarySession && !r.At.Before(from.Truncate(time.Millisecond)) && json.Unmarshal(r.Data, &data) == nil {
			for _, h := range data.Hooks {
				by[h.By] = true
			}
		}
	})
	sent := assent.Case{Event: assent.Event{Name: assent.PreToolCall, Tool: assent.ToolShell}}
	for _, e := range hook.New(hook.Options{}, x.bench.Entries...).Concerned(sent) {
		if !e.Watch && !by[e.ID] {
			missed = append(missed, e.ID)
		}
	}
	return slices.Sorted(maps.Keys(by)), missed
}
