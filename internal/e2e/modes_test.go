//go:build unix

package e2e

// Who asks: the agent's own prompt (ask: agent), or nobody until the run is
// resumed (ask: resume); and a change of settings that would open the gate.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAskAgentHeadless: where the agent should ask and has nobody to, it denies.
func TestAskAgentHeadless(t *testing.T) {
	t.Parallel()
	g := newGated(t, "ask: agent\n")
	g.serve()
	command, ran := g.danger("build")
	if r := g.run("please\n!sh " + command + "\n!say finished"); ran() != 0 || len(r.Denials) != 1 {
		t.Errorf("it ran %d times; %+v", ran(), r)
	}
	g.whole()
}

// TestAskAgentRace: while the agent's own prompt is open, a yes to assent closes
// it, and the call runs once.
func TestAskAgentRace(t *testing.T) {
	t.Parallel()
	g := newGated(t, "ask: agent\n")
	g.serve()
	command, ran := g.danger("build")
	ctx, cancel := context.WithTimeout(g.Context(), 2*patience)
	defer cancel()
	talk, err := g.agent.Talk(ctx, "please\n!sh "+command+"\n!say finished", "--permission-mode", "default")
	if err != nil {
		t.Fatal(err)
	}
	g.answer("approve", g.await("git reset --hard build"))
	r, err := talk.End()
	if err != nil || ran() != 1 || r.Text != "finished" {
		t.Errorf("%v; it ran %d times; %+v", err, ran(), r)
	}
	g.whole()
}

// TestAskResume: the run ends, somebody answers, and the resumed run makes the
// same call once.
func TestAskResume(t *testing.T) {
	t.Parallel()
	g := newGated(t, "ask: resume\n")
	g.serve()
	command, ran := g.danger("build")
	r := g.run("please\n!sh " + command + "\n!say finished")
	if r.Stop != "tool_deferred" || ran() != 0 {
		t.Fatalf("it ran %d times; %+v", ran(), r)
	}
	g.answer("approve", g.await("git reset --hard build"))
	again := g.run("", "--resume", r.Session)
	if ran() != 1 || again.Text != "finished" || g.pending() != 0 {
		t.Errorf("it ran %d times; %+v", ran(), again)
	}
	g.whole()
}

// TestAskResumeDenied: a no while the run is away is a no when it is back.
func TestAskResumeDenied(t *testing.T) {
	t.Parallel()
	g := newGated(t, "ask: resume\n")
	g.serve()
	command, ran := g.danger("build")
	r := g.run("please\n!sh " + command + "\n!say finished")
	g.answer("deny", g.await("git reset --hard build"), "-m", "Leave it.")
	if g.run("", "--resume", r.Session); ran() != 0 {
		t.Errorf("it ran %d times", ran())
	}
	g.whole()
}

// TestConfigChange: settings that would switch the hooks off are not taken up by
// the running session.
func TestConfigChange(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"user":    ".claude/settings.json",
		"project": "project/.claude/settings.local.json",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t, "")
			g.serve()
			command, ran := g.danger("build")
			end := g.begin("please\n!sh echo 1 > ready; until [ -e go ]; do sleep 0.1; done\n!sh " + command + "\n!say finished")
			g.until(func() bool { return g.has("ready") })
			g.write(filepath.Join(g.agent.Home, file), `{"disableAllHooks": true}`)
			g.until(func() bool { return strings.Contains(g.must("log", "--json"), `"event":"config_change"`) })
			if err := os.WriteFile(filepath.Join(g.project, "go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			g.answer("deny", g.await("git reset --hard build"))
			if end(); ran() != 0 {
				t.Errorf("it ran %d times", ran())
			}
			g.whole()
		})
	}
}

// TestAProjectCannotMoveTheHome: a project's settings may set the environment of
// hooks. The home that init fixed is asked all the same, and nothing is kept
// where the project pointed.
func TestAProjectCannotMoveTheHome(t *testing.T) {
	t.Parallel()
	g := newGated(t, "approvals:\n  wait: 0\n")
	elsewhere := filepath.Join(g.project, "elsewhere")
	g.write(filepath.Join(elsewhere, "config.yaml"), "default: allow\n")
	g.write(filepath.Join(g.project, ".claude", "settings.local.json"),
		fmt.Sprintf(`{"env": {"ASSENT_HOME": %q, "HOME": %q}}`, elsewhere, elsewhere))
	command, ran := g.danger("build")
	g.run("please\n!sh " + command + "\n!say finished")
	if id := g.await("git reset --hard build"); ran() != 0 || !strings.Contains(g.heard(), id) {
		t.Errorf("it ran %d times; the model was told %q", ran(), g.model.Results())
	}
	if exists(filepath.Join(elsewhere, "assent.db")) {
		t.Error("a project's settings moved assent's home")
	}
	g.whole()
}
