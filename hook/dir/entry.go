package dir

// Entries: which events a hook is told of, and as what.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assent"
	"assent/hook"
	"assent/hook/python"
	"assent/hook/script"
)

// Entries makes the entries of all hooks that have a handler: for each event that a
// hook lists, in its order, and for what agents of today fire in that event's place.
// Names in full come before "family:*".
//
// Handlers in Python run in the host. All others are run as scripts of config.yaml are,
// and need no consent beside that of their place.
func Entries(h *python.Host, s script.Host, found []Found) []hook.Entry {
	t := &turns{of: map[string]*turn{}}
	var exact, families []hook.Entry
	for i, f := range found {
		if f.Handler == "" {
			if f.mayGuard() {
				exact = append(exact, absent(f))
			}
			continue
		}
		if slices.ContainsFunc(f.Events, func(e string) bool { return gating(e) && e != assent.PreToolCall }) {
			exact = append(exact, absent(f)) // it meant to guard, in words of another product or with a slip
		}
		w := &handler{Found: f, id: name(found[:i], f), host: h, shell: s, turn: t}
		for _, event := range f.Events {
			if strings.HasSuffix(event, ":*") {
				families = append(families, w.entries(event)...)
			} else {
				exact = append(exact, w.entries(event)...)
			}
		}
	}
	all := slices.Concat(exact, families)
	if slices.ContainsFunc(all, remembers) {
		all = append([]hook.Entry{t.entry()}, all...)
	}
	return all
}

// mayGuard reports whether a directory that is left out may have held a guard: it says
// so, or what it says cannot be read.
func (f Found) mayGuard() bool {
	if slices.ContainsFunc(f.Events, gating) {
		return true
	}
	if _, err := os.Stat(f.Path); err != nil {
		return true // a link that leads nowhere
	}
	raw, err := os.ReadFile(filepath.Join(f.Path, manifest))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || bytes.Contains(raw, []byte(assent.PreToolCall)) {
		return true
	}
	there := func(name string) bool { _, err := os.Lstat(filepath.Join(f.Path, name)); return err == nil }
	return len(f.Events) == 0 && slices.ContainsFunc(handlers, there) // and nothing says what for
}

// gating reports whether an event is one to guard calls with, or was meant as such.
func gating(event string) bool {
	ours, claude := hook.EventOf(event)
	return event == assent.PreToolCall || claude && ours == assent.PreToolCall || assent.Nearest(event, gateway()) == "" && assent.Nearest(event, []string{assent.PreToolCall}) != ""
}

// absent stands for a guard that is left out: it fails.
func absent(f Found) hook.Entry {
	return hook.Entry{
		ID: "dir " + f.Name, Kind: hook.KindDir, Event: assent.PreToolCall,
		Call: func(context.Context, assent.Case) (assent.Reply, error) {
			return assent.Reply{}, errors.New(strings.Join(f.Problems, "; "))
		},
	}
}

// remembers reports whether an entry is told of what was earlier in its turn.
func remembers(e hook.Entry) bool { return e.Event == assent.PostToolCall || e.Event == assent.TurnEnd }

// name is an id that no hook before has.
func name(before []Found, f Found) string {
	same := 0
	for _, b := range before {
		if b.Handler != "" && b.Name == f.Name {
			same++
		}
	}
	if same > 0 {
		return fmt.Sprintf("dir %s#%d", f.Name, same+1)
	}
	return "dir " + f.Name
}

// Check loads every handler, for the doctor, and adds what is wrong to the problems.
func Check(ctx context.Context, h *python.Host, found []Found) []Found {
	out := slices.Clone(found)
	for i := range out {
		if out[i].Handler == "" || !out[i].python() {
			continue
		}
		w := &handler{Found: out[i], id: name(out[:i], out[i]), host: h}
		if err := w.try(ctx); err != nil {
			out[i].Problems = append(slices.Clone(out[i].Problems), err.Error())
		}
	}
	return out
}

// entries are those of one event: under its own name, and under the names of what is
// fired today in its place.
func (w *handler) entries(event string) []hook.Entry {
	out := []hook.Entry{w.entry(event, event, nil)}
	for _, s := range standIns {
		if s.event == event || strings.HasSuffix(event, ":*") && strings.HasPrefix(s.event, strings.TrimSuffix(event, "*")) {
			out = append(out, w.entry(s.fired, s.event, s.context))
		}
	}
	return out
}

// entry calls the handler when one event is fired, as if it were another.
func (w *handler) entry(fired, event string, context_ translation) hook.Entry {
	e := hook.Entry{ID: w.id, Kind: hook.KindDir, Event: fired, Watch: context_ != nil || !python.Heard(event)}
	as := func(c assent.Case) (assent.Case, bool) {
		switch {
		case context_ == nil:
			return c, true
		case chat(c.Event):
			return c, false // the gateway fires it under its own name
		}
		out := assent.Case{Event: c.Event}
		out.Name, out.Tool, out.Input, out.Call = event, "", nil, ""
		out.Extra = filled(event, context_(w, c.Event))
		return out, true
	}
	e.Call = func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		c, ok := as(c)
		if !ok {
			return assent.Reply{}, nil
		}
		r, err := w.call(ctx, c)
		if e.Watch {
			r = assent.Reply{Fault: r.Fault}
		}
		return r, err
	}
	if e.Watch && w.python() {
		e.Many = w.many(as)
	}
	return e
}
