package plugin

// What a plugin costs: one that watches, and the calls that are judged beside it.

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assent"
	"assent/hook"
)

const watcher = "COUNT = [0]\ndef note(tool_name, args, result='', **_):\n    COUNT[0] += 1\ndef register(ctx):\n    ctx.register_hook('post_tool_call', note)\n    ctx.register_hook('pre_tool_call', lambda **_: None)\n"

func watched(b *testing.B) *bench {
	b.Helper()
	root := b.TempDir()
	write(b, filepath.Join(root, "w", "plugin.yaml"), "name: w\n")
	write(b, filepath.Join(root, "w", "__init__.py"), watcher)
	w := begin(b, root, "w")
	w.Dispatcher = hook.New(hook.Options{Queue: 1 << 14}, w.set.Entries...)
	return w
}

func BenchmarkWatchedEvents(b *testing.B) {
	w := watched(b)
	e := assent.Case{Event: event(assent.PostToolCall, assent.ToolShell, `{"command":"git status --short"}`, map[string]any{"result": "nothing", "duration_ms": 3})}
	n, from := 0, time.Now()
	for b.Loop() {
		for range 10_000 {
			if _, err := w.Judge(b.Context(), e); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Drain(b.Context(), time.Minute); err != nil {
			b.Fatal(err)
		}
		n += 10_000
	}
	b.ReportMetric(float64(n)/time.Since(from).Seconds(), "events/s")
	for _, s := range w.Stats() {
		if s.Dropped+s.Failed > 0 {
			b.Errorf("%+v", s)
		}
	}
}

func BenchmarkGuardedCall(b *testing.B) {
	w := watched(b)
	e := assent.Case{Event: event(assent.PreToolCall, assent.ToolShell, `{"command":"git status --short"}`, nil)}
	var took []time.Duration
	for b.Loop() {
		from := time.Now()
		if r, err := w.Judge(b.Context(), e); err != nil || r.Parts[0].Fault != "" {
			b.Fatal(r, err)
		}
		took = append(took, time.Since(from))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
}
