package main

// An agent that has assent itself run its approval: what a broker starts leads to the
// agent that asked for it.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// As words it is denied before anything runs.
func TestAdversarial04ByExec(t *testing.T) {
	attack(t, func(a *rogue) {
		key, program := a.key(), filepath.Join(bin, "assent")
		for argv, why := range map[string]string{
			program + " approve 1":                     "only a person may do",
			program + " approve 1 --key " + key:        "belongs to assent",
			"sh -c 'assent approve 1'":                 "only a person may do",
			"env -i " + program + " approve 1":         "only a person may do",
			"setsid " + program + " approve 1":         "only a person may do",
			"cat " + key:                               "belongs to assent",
			"cat " + a.path("assent.key"):              "belongs to assent",
			"cp /dev/null " + a.path("config.yaml"):    "belongs to assent",
			"ln -s " + filepath.Dir(a.home) + " there": "",
		} {
			s := a.does("assent exec --ask -- " + argv)
			if why != "" && (s.code != exitDenied || !strings.Contains(s.out, why)) {
				a.Errorf("%s: %s", argv, s)
			}
		}
		if out := a.must("grants", "--all"); out != "no grants\n" {
			t.Error(out)
		}
	})
}

// script is a program that answers the first request, and says what came of it; a person
// who lets it run has not read it.
func (a *rogue) script() string {
	a.Helper()
	file := filepath.Join(a.dir, "deploy.sh")
	text := "PATH=" + bin + ":$PATH; export HOME=" + a.dir + "\n" + strings.Join([]string{
		"assent approve 1", "assent approve 1 --key $HOME/.assent/me.key", "attacker setsid assent approve 1", "attacker pty assent approve 1 --key $HOME/.assent/me.key",
	}, "; echo \"is $?\"\n") + "; echo \"is $?\"\n"
	a.try(os.WriteFile(file, []byte(text), 0o700))
	return file
}

// From within a program that a person let run, it is refused.
func TestAdversarial04ByAProgramThatExecRuns(t *testing.T) {
	attack(t, func(a *rogue) {
		key := a.key()
		run := "assent exec --ask -- sh " + a.script()
		if s := a.does(run); s.code != exitAsk {
			t.Fatal(s)
		}
		a.must("approve", "2", "--key", key)
		s := a.does(run)
		if strings.Count(s.out, "is 8\n") != 4 || strings.Count(s.out, never) != 4 {
			t.Error(s)
		}
		a.recorded("child of ", "child of ")
		if list := a.pending(); len(list) != 1 || list[0].ID != "req_1" {
			t.Errorf("%+v", list)
		}
		a.stopped()
	})
}

func TestAdversarial04ByMCP(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		key := g.key()
		a := g.rogue()
		s := g.mcp("agent", "assent", "mcp")
		for _, argv := range [][]any{{filepath.Join(bin, "assent"), "approve", "1"}, {"sh", "-c", "assent approve 1"}, {"cat", key}} {
			if text, failed := g.call(s, "exec", map[string]any{"argv": argv}); !failed || !strings.Contains(text, "enied") {
				t.Errorf("%v: %s", argv, text)
			}
		}
		for tool, arguments := range map[string]map[string]any{
			"read_file":  {"path": key},
			"write_file": {"path": g.path("config.yaml"), "content": "approvals: {mode: off}\n"},
		} {
			if text, failed := g.call(s, tool, arguments); !failed || !strings.Contains(text, "belongs to assent") {
				t.Errorf("%s: %s", tool, text)
			}
		}
		argv := map[string]any{"argv": []any{"sh", a.script()}}
		g.call(s, "exec", argv)
		g.must("approve", "2", "--key", key)
		text, _ := g.call(s, "exec", argv)
		if strings.Count(text, "is 8") != 4 || strings.Count(text, never) != 4 {
			t.Error(text)
		}
		a.stopped()
	}, "approvals: {wait: 0}")
}

// Agents start hooks through shells, which end with them: it is the agent that is kept.
func TestAdversarial04ByAHookInAShell(t *testing.T) {
	notUnderAnAgent(t)
	withAndWithoutServer(t, func(g *gate) {
		a := g.idle()
		g.try(os.WriteFile(filepath.Join(a.dir, "call.json"), event(forced, "c1"), 0o600))
		a.does("sh -c 'assent hook plain --event pre_tool_call <call.json; true'")
		a.refused(a.does("attacker pty assent approve 1"), exitForbidden, never)
		a.still()
		a.recorded("answer req_1: child of plain, process ", "/req_1/answer: child of plain, process ")
	}, "approvals: {wait: 0}")
}
