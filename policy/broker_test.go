package policy_test

// The posture where assent itself is the agent: nobody stands behind it who could decide.

import (
	"context"
	"encoding/json"
	"testing"

	"assent"
	"assent/analyze"
	"assent/policy"
)

func TestWhatAssentRunsItselfIsNotLeftToNobody(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		posture assent.Decision
		line    string
		want    assent.Decision
	}{
		{assent.None, "ls", assent.Allow},
		{assent.None, "touch a", assent.Ask},
		{assent.None, "frobnicate", assent.Ask},
		{assent.Ask, "touch a", assent.Ask},
		{assent.Allow, "touch a", assent.Allow}, // the owner said so
		{assent.None, "make check", assent.Ask}, // what the project says, and the agent may have written
		{assent.Ask, "make check", assent.Allow},
		{assent.None, "npm ci", assent.Ask},
	} {
		e := event("")
		e.Input, _ = json.Marshal(map[string]string{"command": x.line})
		for agent, want := range map[string]assent.Decision{assent.AgentBroker: x.want, "claude": x.posture} {
			e.Agent = agent
			r, err := policy.Default(x.posture).Judge(context.Background(), analyze.Case(e, places))
			if err != nil || r.Decision != want && !(agent == "claude" && x.posture == assent.Ask) {
				t.Errorf("%s, %s, %s: %s", agent, x.posture, x.line, r.Decision)
			}
		}
	}
}
