package python

// What a call costs.

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

func kwargs(b *testing.B) Args {
	b.Helper()
	out := map[string]json.RawMessage{}
	for name, v := range map[string]any{
		"tool_name": "terminal", "args": map[string]any{"command": "git status --short"}, "task_id": "", "session_id": "s-1", "tool_call_id": "c-1",
		"turn_id": "t-1", "api_request_id": "", "duration_ms": 12, "status": "ok", "result": "nothing to commit", "telemetry_schema_version": "hermes.observer.v1",
	} {
		raw, err := json.Marshal(v)
		if err != nil {
			b.Fatal(err)
		}
		out[name] = raw
	}
	return Args{Kwargs: out}
}

const observes = "def handle(tool_name, args, **more):\n    return {'action': 'block', 'message': tool_name}\n"

func BenchmarkWarmCall(b *testing.B) {
	h, _ := begin(b, Bounds{}, map[string]string{"observes": observes})
	a := kwargs(b)
	took := make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		from := time.Now()
		if _, err := h.Call(b.Context(), "observes", a); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(from))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
}

func BenchmarkObservedEvents(b *testing.B) {
	h, _ := begin(b, Bounds{}, map[string]string{"observes": observes})
	batch := slices.Repeat([]Args{kwargs(b)}, 256)
	from, n := time.Now(), 0
	for b.Loop() {
		if err := h.Many(b.Context(), "observes", batch); err != nil {
			b.Fatal(err)
		}
		n += len(batch)
	}
	b.ReportMetric(float64(n)/time.Since(from).Seconds(), "events/s")
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		h := New(Options{Command: interpreter(b)})
		if _, err := h.Load(b.Context(), unit(b, "greets", greets)); err != nil {
			b.Fatal(err)
		}
		if err := h.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
