package engine_test

// What a decision costs, without the durable write: real analysis and judgement,
// the store in memory.

import (
	"context"
	"fmt"
	"testing"
	"time"

	"assent"
	"assent/analyze"
	"assent/engine"
	"assent/policy"
	"assent/store/mem"
)

func BenchmarkHandle(b *testing.B) {
	for _, command := range []string{"git status --short", `cd web && npm test 2>&1 | tail -20`, "rm -rf ../other"} {
		b.Run(command, func(b *testing.B) {
			e := engine.New(engine.Options{
				Store: mem.New(), Floor: policy.Floor, BuiltIn: policy.BuiltIn, Boot: "boot", Now: time.Now,
				Analyse: func(ev assent.Event) assent.Case {
					return analyze.Case(ev, assent.Places{Home: "/home/u", Assent: "/home/u/.assent"})
				},
			})
			ev := assent.Event{
				Name: assent.PreToolCall, Agent: "bench", Session: "s", Principal: "uid:1", Dir: "/home/u/p", Tool: assent.ToolShell,
				Input: fmt.Appendf(nil, `{"command":%q}`, command), Call: "c", ID: "e",
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Handle(context.Background(), ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
