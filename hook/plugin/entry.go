package plugin

// Entries: a callback is called with the event's keywords, and what it returns becomes
// a Reply.

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"assent"
	"assent/hook"
	"assent/hook/python"
)

func (o Options) timeout() time.Duration { return cmp.Or(o.Timeout, DefaultTimeout) }

// entry is one callback as a hook.
func entry(h *python.Host, o Options, key string, r python.Registered) hook.Entry {
	e := hook.Entry{ID: "plugin " + key, Kind: hook.KindPlugin, Event: r.Event, Timeout: o.timeout()}
	e.Call = func(ctx context.Context, c assent.Case) (assent.Reply, error) {
		raw, err := h.Call(ctx, r.Callback, args(c))
		if err != nil {
			return assent.Reply{}, err
		}
		return python.Reply(c, raw)
	}
	if !python.Heard(r.Event) {
		e.Many = func(ctx context.Context, cs []assent.Case) error {
			calls := make([]python.Args, len(cs))
			for i, c := range cs {
				calls[i] = args(c)
			}
			return h.Many(ctx, r.Callback, calls)
		}
	}
	return e
}

// args are an event's keywords. What callbacks take for granted is always there.
func args(c assent.Case) python.Args {
	kw := hook.Kwargs(c.Event)
	for name, usual := range map[string]string{"platform": `"cli"`, "model": `""`} {
		if _, there := kw[name]; !there && has(c.Name, name) {
			kw[name] = json.RawMessage(usual)
		}
	}
	return python.Args{Kwargs: kw}
}

// has reports whether an event has a field.
func has(event, field string) bool {
	t, _ := assent.EventNamed(event)
	return slices.ContainsFunc(t.Fields, func(f assent.Field) bool { return f.Name == field })
}
