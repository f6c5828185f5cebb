package config

// What guards an agent is not the agent's to change.

import (
	"encoding/json"
	"slices"
	"testing"

	"assent"
)

func TestChangingAGuardIsAProtectedFact(t *testing.T) {
	t.Parallel()
	f, err := Parse("c.yaml", []byte("approvals: {mode: custom, hook: ~/bin/judge.py --strict}\nhooks:\n  pre_tool_call:\n    - command: bash ~/bin/guard.sh\nprofiles:\n  p:\n    match: {agent: x}\n    hooks:\n      pre_tool_call:\n        - command: /opt/own/push.sh\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := Options(f, assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"})
	for command, want := range map[string]bool{
		"cp /tmp/x ~/bin/judge.py": true, "sed -i d ~/bin/guard.sh": true, "echo 'exit 0' > /opt/own/push.sh": true, "rm /opt/own/push.sh": true,
		"cat ~/bin/judge.py": false, "echo x > ~/bin/other.sh": false,
	} {
		in, _ := json.Marshal(map[string]string{"command": command})
		c := o.Analyse(assent.Event{Name: assent.PreToolCall, Tool: assent.ToolShell, Dir: "/home/ada/shop", Input: in})
		if got := slices.ContainsFunc(c.Findings, func(f assent.Finding) bool { return f.Code == "agent.config" }); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
