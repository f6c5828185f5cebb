package hook_test

// How a Go program adds hooks of its own.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"assent"
	"assent/analyze"
	"assent/engine"
	"assent/hook"
	"assent/policy"
	"assent/store/mem"
)

// A function is a hook: it is asked about one event, and its word is one of several.
func ExampleFunc() {
	noFriday := hook.Func(assent.PreToolCall, "no-friday", func(_ context.Context, c assent.Case) (assent.Reply, error) {
		if strings.Contains(string(c.Input), "make deploy") && c.At.Weekday() == time.Friday {
			return assent.Reply{Decision: assent.Deny, Reason: "not on a Friday"}, nil
		}
		return assent.Reply{}, nil
	})
	e := engine.New(engine.Options{
		Store: mem.New(), Floor: policy.Floor, BuiltIn: policy.BuiltIn,
		Analyse: func(ev assent.Event) assent.Case { return analyze.Case(ev, assent.Places{}) },
		Users:   hook.New(hook.Options{}, noFriday),
	})
	friday := assent.Event{
		ID: "1", Name: assent.PreToolCall, Agent: "mine", Session: "s", Principal: "me", Dir: "/srv", Tool: assent.ToolShell,
		Input: json.RawMessage(`{"command":"make deploy"}`), At: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC),
	}
	v, err := e.Handle(context.Background(), friday)
	fmt.Println(v.Decision, v.Tell, err)
	// Output: deny not on a Friday <nil>
}
