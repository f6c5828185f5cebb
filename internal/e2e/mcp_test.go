//go:build unix

package e2e

// The MCP server, as the real Claude Code starts and calls it.

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// newServedMCP is a gated agent that has assent's MCP server too, and the arguments that
// tell it so.
func newServedMCP(t *testing.T) (g *gated, args []string) {
	t.Helper()
	g = newGated(t, "approvals: {wait: 0}\n")
	raw, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"assent": map[string]any{"type": "stdio", "command": g.gate.Program, "args": []string{"mcp"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(g.agent.Home, "mcp.json")
	g.write(path, string(raw))
	return g, []string{"--mcp-config", path, "--strict-mcp-config"}
}

// appends is a call of exec that adds a line to a file, and how often it did.
func (g *gated) appends(name string) (call string, ran func() int) {
	g.Helper()
	_, ran = g.danger(name)
	raw, err := json.Marshal(map[string]any{"argv": []string{"/bin/sh", "-c", "echo x >> " + name + ".ran"}})
	if err != nil {
		g.Fatal(err)
	}
	return "!tool mcp__assent__exec " + string(raw), ran
}

// pause is a call that waits for a file, and says that it is reached.
func pause(stage string) string {
	return "!sh echo 1 > at-" + stage + "; until [ -e go-" + stage + " ]; do sleep 0.1; done"
}

func (g *gated) reached(stage string) {
	g.Helper()
	g.until(func() bool { return g.has("at-" + stage) })
}

func (g *gated) goes(stage string) {
	g.Helper()
	g.write(filepath.Join(g.project, "go-"+stage), "")
}

// TestClaudeCodeActsThroughGrants: without one it is told the request, after a yes it
// runs once, and the tool that asks runs nothing.
func TestClaudeCodeActsThroughGrants(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g, args := newServedMCP(t)
		start(g)
		call, ran := g.appends("made")
		ask := `!tool mcp__assent__ask_for {"tool":"exec","input":` + strings.TrimPrefix(call, "!tool mcp__assent__exec ") + `,"why":"it has to be made"}`
		end := g.begin(strings.Join([]string{"please", call, pause("one"), call, call, ask, "!say finished"}, "\n"), args...)

		g.reached("one")
		if ran() != 0 {
			t.Fatal("it ran without a grant")
		}
		id := g.await("made.ran")
		g.answer("approve", id)
		g.goes("one")
		if r := end(); r.Text != "finished" || ran() != 1 {
			t.Errorf("after one yes it ran %d times; %+v", ran(), r)
		}
		heard := g.heard()
		if !strings.Contains(heard, "assent approve "+id) || !strings.Contains(heard, `\"exit\":0`) && !strings.Contains(heard, `"exit":0`) {
			t.Errorf("the model was told %s", heard)
		}
		if n := g.pending(); n != 1 {
			t.Errorf("%d requests wait: the second call and asking for it are one", n)
		}
		g.whole()
	})
}

// TestASubAgentsCallIsItsOwn: it shares the connection with its parent, and not what
// that holds.
func TestASubAgentsCallIsItsOwn(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g, args := newServedMCP(t)
		start(g)
		call, ran := g.appends("made")
		inner := strings.Join([]string{call, pause("two"), call, call, "!say done"}, "\n")
		task, err := json.Marshal(map[string]any{"description": "help", "prompt": inner, "subagent_type": "general-purpose", "run_in_background": false})
		if err != nil {
			t.Fatal(err)
		}
		end := g.begin(strings.Join([]string{"please", call, pause("one"), call, "!tool Agent " + string(task), call, "!say finished"}, "\n"), args...)

		g.reached("one")
		first := g.await("made.ran")
		g.answer("approve", first, "--session")
		g.goes("one")
		g.reached("two")
		child := g.await("made.ran")
		if child == first || ran() != 1 {
			t.Fatalf("%s after %s; it ran %d times", child, first, ran())
		}
		g.must("grants", "forward", "1", "--to", child, "--key", g.gate.Key)
		g.goes("two")
		if r := end(); r.Text != "finished" || ran() != 3 {
			t.Errorf("the parent's twice and the child's once were granted, and it ran %d times; %+v", ran(), r)
		}
		g.whole()
	})
}
