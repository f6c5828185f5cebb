//go:build unix

package e2e

// Handing on, with the real Claude Code and its sub-agent.

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestASubAgentHasWhatIsHandedToIt: it starts with nothing although its parent holds a
// session grant for the very call; once handed on, the call runs once; and what the
// parent's grant loses, it loses.
func TestASubAgentHasWhatIsHandedToIt(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "approvals: {wait: 1}\n")
		start(g)
		command, ran := g.danger("build")
		until := func(stage string) string {
			return "!sh echo 1 > at-" + stage + "; until [ -e go-" + stage + " ]; do sleep 0.1; done"
		}
		goes := func(stage string) { g.write(filepath.Join(g.project, "go-"+stage), "") }
		inner := strings.Join([]string{"!sh " + command, until("two"), "!sh " + command, "!sh " + command, until("three"), "!sh " + command, "!say done"}, "\n")
		task, err := json.Marshal(map[string]any{"description": "help", "prompt": inner, "subagent_type": "general-purpose", "run_in_background": false})
		if err != nil {
			t.Fatal(err)
		}
		end := g.begin(strings.Join([]string{"please", "!sh " + command, until("one"), "!sh " + command, "!tool Agent " + string(task), "!say finished"}, "\n"))

		first := g.await(command)
		g.answer("approve", first, "--session") // the call waits, or has given up
		goes("one")
		child := g.await(command)
		by := ran()
		if child == first || by == 0 {
			t.Fatalf("%s after %s; it ran %d times", child, first, by)
		}
		g.until(func() bool { return g.has("at-two") })
		if ran() != by {
			t.Error("the sub-agent's ran by the parent's grant")
		}

		said := g.must("grants", "forward", "1", "--to", child, "--key", g.gate.Key)
		if !strings.HasPrefix(said, "gr_2: one use of gr_1 for the session ") || !strings.Contains(said, "/") {
			t.Errorf("forward: %s", said)
		}
		goes("two")
		g.until(func() bool { return g.has("at-three") })
		if ran() != by+1 {
			t.Errorf("of two calls of the sub-agent %d ran", ran()-by)
		}

		g.must("grants", "forward", "1", "--to", child, "--uses", "2", "--key", g.gate.Key)
		g.must("revoke", "1", "--key", g.gate.Key)
		if live := g.must("grants", "--json"); strings.TrimSpace(live) != "[]" {
			t.Errorf("live: %s", live)
		}
		goes("three")
		if r := end(); r.Text != "finished" || ran() != by+1 {
			t.Errorf("after the parent's was revoked %d ran; %+v", ran()-by-1, r)
		}
		g.whole()
	})
}
