package dir

// Handlers: one hook at work, in the Python host or as a process.

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"assent"
	"assent/hook"
	"assent/hook/python"
	"assent/hook/script"
)

// handler is one hook at work. It is loaded when its first event comes.
type handler struct {
	Found
	id    string
	host  *python.Host
	shell script.Host
	turn  *turns

	mu     sync.Mutex
	loaded bool
}

// call calls the handler with one event.
func (w *handler) call(ctx context.Context, c assent.Case) (assent.Reply, error) {
	if !w.python() {
		t := script.Try(ctx, script.Spec{Event: c.Name, Command: w.Handler, Args: w.command()}, w.shell, c)
		return t.Reply, t.Err
	}
	if err := w.load(ctx); err != nil {
		return assent.Reply{}, err
	}
	raw, err := w.host.Call(ctx, w.id, args(c))
	if err != nil {
		return assent.Reply{}, err
	}
	return python.Reply(c, raw)
}

// many tells a handler in Python of several events.
func (w *handler) many(as func(assent.Case) (assent.Case, bool)) func(context.Context, []assent.Case) error {
	return func(ctx context.Context, cs []assent.Case) error {
		var calls []python.Args
		for _, c := range cs {
			if c, ok := as(c); ok {
				calls = append(calls, args(c))
			}
		}
		if len(calls) == 0 {
			return nil
		}
		if err := w.load(ctx); err != nil {
			return err
		}
		return w.host.Many(ctx, w.id, calls)
	}
}

// command is how a handler in another language is run: by itself if it can be, else by
// the interpreter that its name asks for.
func (w *handler) command() []string {
	info, err := os.Stat(w.Handler)
	itself := err == nil && info.Mode()&0o111 != 0
	switch filepath.Ext(w.Handler) {
	case ".sh":
		if !itself {
			return []string{"sh", w.Handler}
		}
	case ".js":
		return []string{"node", w.Handler}
	}
	return []string{w.Handler}
}

func args(c assent.Case) python.Args { return python.Args{Args: []any{c.Name, told(c.Event)}} }

// try loads the handler in the time that a call would have.
func (w *handler) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, hook.DefaultTimeout)
	defer cancel()
	return w.load(ctx)
}

// load loads the handler if it is not. What failed is tried again with the next event.
func (w *handler) load(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loaded {
		return nil
	}
	_, err := w.host.Load(ctx, python.Unit{Kind: python.Handler, Key: w.id, Module: "hermes_hook_" + w.Name, Path: w.Handler})
	w.loaded = err == nil
	return err
}

// told is the context that a handler is given of an event.
func told(e assent.Event) map[string]json.RawMessage {
	if !strings.Contains(e.Name, ":") {
		return filled(e.Name, hook.Kwargs(e))
	}
	out := map[string]json.RawMessage{}
	maps.Copy(out, e.Extra)
	if e.Session != "" {
		out["session_id"] = quoted(e.Session)
	}
	return filled(e.Name, out)
}

// filled has all the keys that an event's context has; what is not known is empty.
func filled(event string, context map[string]json.RawMessage) map[string]json.RawMessage {
	t, _ := assent.EventNamed(event)
	for _, f := range t.Fields {
		if _, there := context[f.Name]; !there {
			context[f.Name] = json.RawMessage(cmp.Or(empty[f.Name], `""`))
		}
	}
	return context
}

// empty are the fields whose emptiness is no string's.
var empty = map[string]string{
	"platforms": "[]", "tools": "[]", "tool_names": "[]", "iteration": "0", "in_place": "false", "compression_count": "0", "raw_event": "{}",
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text)
	return raw
}
