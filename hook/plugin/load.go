package plugin

// Loading: register(ctx) is run, and what it registered becomes entries.

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/python"
)

// Set is what the enabled plugins are and have, in load order.
type Set struct {
	Found    []Found
	Entries  []hook.Entry
	Commands []Callback
	Tools    []Callback
}

// Callback is a command or a tool that a plugin registered: for who can offer it.
type Callback struct {
	Plugin string
	python.Registered
}

// Load runs register(ctx) of every plugin that is enabled, for at most Options.Timeout
// each. One that cannot be loaded has a Problem, and its place is taken by a guard that
// fails.
func Load(ctx context.Context, h *python.Host, o Options, found []Found) Set {
	s := Set{Found: slices.Clone(found)}
	enabled := enabledOf(found)
	for i := range s.Found {
		f := &s.Found[i]
		if !f.Enabled {
			continue
		}
		f.requirements(found)
		f.Problems = append(f.Problems, f.Manifest.settings(o.Entries[f.Key].Settings)...)
		got, err := register(ctx, h, unit(*f, o, enabled), o.timeout())
		if err != nil {
			f.problem("it could not be loaded: %v", err)
			s.Entries = append(s.Entries, absent(*f, o, err))
			continue
		}
		f.Loaded = true
		f.Problems, f.Notes = append(f.Problems, got.Notes...), got.Notes
		s.add(h, o, f, got)
	}
	return s
}

// register runs register(ctx) of one plugin, which may hang.
func register(ctx context.Context, h *python.Host, u python.Unit, limit time.Duration) (python.Loaded, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return h.Load(ctx, u)
}

// add makes entries and callbacks of what a plugin registered.
func (s *Set) add(h *python.Host, o Options, f *Found, got python.Loaded) {
	count := map[string]int{}
	for _, r := range got.Hooks {
		if _, ok := assent.EventNamed(r.Event); !ok {
			f.problem("%s", unknown("it registers a hook for %q, which is no event: it is never called", r.Event, names()))
		}
		count[r.Event]++
		e := entry(h, o, f.Key, r)
		if n := count[r.Event]; n > 1 {
			e.ID += fmt.Sprintf("#%d", n)
		}
		s.Entries = append(s.Entries, e)
	}
	for _, r := range got.Commands {
		s.Commands = append(s.Commands, Callback{f.Key, r})
	}
	for _, r := range got.Tools {
		s.Tools = append(s.Tools, Callback{f.Key, r})
	}
}

// requirements tells of other plugins that are needed and not there.
func (f *Found) requirements(all []Found) {
	for _, r := range f.Manifest.Requires {
		i := slices.IndexFunc(all, func(o Found) bool { return o.is(r.ID) })
		switch {
		case i < 0:
			f.problem("it requires the plugin %s, which is not there", r.ID)
		case !all[i].Enabled:
			f.problem("it requires the plugin %s, which is not enabled", r.ID)
		}
	}
}

func enabledOf(found []Found) []string {
	var out []string
	for _, f := range found {
		if f.Enabled {
			out = append(out, f.Key, f.Manifest.Name)
		}
	}
	return slices.Compact(out)
}

// unit is a plugin as the host loads it.
func unit(f Found, o Options, enabled []string) python.Unit {
	manifest, _ := json.Marshal(f.Manifest.raw)
	u := python.Unit{
		Kind: python.Plugin, Key: f.Key, Module: "hermes_plugins." + slug(f.Key), Path: f.Path, Profile: o.Profile, Manifest: manifest,
		Settings: o.Entries[f.Key].Settings, Granted: o.Entries[f.Key].Granted, Plugins: enabled,
	}
	if path, err := filepath.Abs(f.Path); err == nil {
		u.Path = path
	}
	if o.Data != "" {
		u.Data = filepath.Join(o.Data, slug(f.Key))
	}
	return u
}

// slug is a key as a name of Python.
func slug(key string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, key)
}

// absent stands for a plugin that could not be loaded: whether it was a guard, nobody
// can tell, so it is one that fails.
func absent(f Found, o Options, why error) hook.Entry {
	return hook.Entry{
		ID: "plugin " + f.Key, Kind: hook.KindPlugin, Event: assent.PreToolCall, Timeout: o.timeout(),
		Call: func(context.Context, assent.Case) (assent.Reply, error) {
			return assent.Reply{}, fmt.Errorf("the plugin could not be loaded: %w", why)
		},
	}
}
