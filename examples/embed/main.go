// Command embed is the smallest agent of one's own that asks before it acts: a
// loop over actions, and the engine in the same process. Its person says yes to
// the first question and no to all others.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"assent"
	"assent/analyze"
	"assent/engine"
	"assent/policy"
	"assent/store/mem"
)

func main() {
	gate := engine.New(engine.Options{
		Store:   mem.New(),
		Analyse: func(e assent.Event) assent.Case { return analyze.Case(e, assent.Places{Home: "/home/ada"}) },
		Floor:   policy.Floor,
		BuiltIn: policy.BuiltIn,
		Default: policy.Default(assent.Allow), // what nobody finds risky runs
		Roster:  owner{},
	})
	for i, command := range []string{"git status", "rm -rf build", "rm -rf build"} {
		v, err := act(context.Background(), gate, fmt.Sprint("call ", i), command)
		if err != nil {
			log.Fatal(err) // any error means that nothing may run
		}
		fmt.Printf("%s: %s\n", command, v.Decision) // allow: here the agent would do it
	}
}

// act asks the engine about one action, and where it must, the person. When the
// answer is there, the same event again takes one use of what was granted.
func act(ctx context.Context, gate *engine.Engine, call, command string) (assent.Verdict, error) {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return assent.Verdict{}, err
	}
	event := assent.Event{
		ID: call, Call: call, Name: assent.PreToolCall, At: time.Now(), Agent: "embed", Session: "today",
		Principal: "ada", Dir: "/home/ada/shop", Tool: assent.ToolShell, Input: input,
	}
	v, err := gate.Handle(ctx, event)
	if err != nil || v.Decision != assent.Ask {
		return v, err
	}
	if err := answer(ctx, gate, v.Request); err != nil {
		return v, err
	}
	return gate.Handle(ctx, event)
}

// answer is the person: elsewhere it would be gate.Wait, and somebody at another
// terminal.
func answer(ctx context.Context, gate *engine.Engine, id string) error {
	r, err := gate.Request(ctx, id)
	if err != nil {
		return err
	}
	a := assent.Answer{Request: id, Version: r.Version, Digest: r.Digest, Decision: assent.Deny, At: time.Now()}
	if id == "req_1" {
		a.Decision, a.Width = assent.Allow, assent.Once
	}
	_, err = gate.Answer(ctx, a)
	return err
}

// owner is a roster of one: whoever runs this program. A real one looks at the
// proof.
type owner struct{}

func (owner) Identify(context.Context, assent.Proof, []byte) (assent.Identity, error) {
	return assent.Identity{Surface: "process", ID: "ada"}, nil
}
