//go:build unix

package e2e

// The user's hooks with the real Claude Code: what they say is what becomes of the
// call, and what the model reads.

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes a program into the agent's home, where "~" is.
func (g *gated) script(name, body string) {
	g.Helper()
	body = strings.ReplaceAll(body, "$HOME/", g.agent.Home+"/")
	if err := os.WriteFile(filepath.Join(g.agent.Home, name), []byte("#!/bin/sh\n"+body), 0o700); err != nil {
		g.Fatal(err)
	}
}

// lines are those of a file in the agent's home.
func (g *gated) lines(name string) []string {
	g.Helper()
	raw, err := os.ReadFile(filepath.Join(g.agent.Home, name))
	if err != nil && !os.IsNotExist(err) {
		g.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")[:strings.Count(string(raw), "\n")]
}

// wrote fails unless a file of the project holds this.
func (g *gated) wrote(name, want string) {
	g.Helper()
	raw, err := os.ReadFile(filepath.Join(g.project, name))
	if string(raw) != want {
		g.Errorf("%s holds %q, want %q (%v); the model was told %q", name, raw, want, err, g.model.Results())
	}
}

// served runs a test with a server, and without one.
func served(t *testing.T, test func(t *testing.T, start func(*gated))) {
	t.Parallel()
	for name, start := range map[string]func(*gated){"server": func(g *gated) { g.serve() }, "alone": func(*gated) {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start)
		})
	}
}

// newHooked is newGated whose configuration names hooks in the agent's home as "~/".
// Without a server that would be the home of whoever runs the tests: nothing in an
// agent's environment says where it is.
func newHooked(t *testing.T, config string) *gated {
	t.Helper()
	g := newGated(t, "")
	config = "listen: \"off\"\nhooks_auto_accept: true\n" + strings.ReplaceAll(config, "~/", g.agent.Home+"/")
	g.write(filepath.Join(g.agent.Home, ".assent", "config.yaml"), config)
	return g
}

// friday blocks deployments, in the words of Hermes Agent's shell hooks.
const friday = `case "$(cat)" in *deploy*) echo '{"decision": "block", "reason": "No deployments on a Friday."}' ;; esac
`

func TestAShellHookDenies(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "hooks:\n  pre_tool_call:\n  - {matcher: terminal, command: ~/friday.sh}\n")
		g.script("friday.sh", friday)
		start(g)
		g.run("please\n!sh echo 1 > deploy\n!sh echo 1 > other\n!say finished")
		if g.has("deploy") || !strings.Contains(g.heard(), "No deployments on a Friday.") {
			t.Errorf("ran: %v; the model was told %q", g.has("deploy"), g.model.Results())
		}
		g.wrote("other", "1\n")
		g.whole()
	})
}

// TestClaudeCodesOwnHooksWork: a PreToolUse hook as people wrote it for Claude Code,
// in the form of its settings.
func TestClaudeCodesOwnHooksWork(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "hooks:\n  PreToolUse:\n  - matcher: Bash|Write\n    hooks:\n    - {type: command, command: ~/pre.sh, timeout: 20}\n")
		g.script("pre.sh", `say() {
  jq -nc --arg d "$1" --arg r "$2" '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: $d, permissionDecisionReason: $r}}'
}
in=$(cat)
case "$(echo "$in" | jq -r '[.hook_event_name, .tool_name, .tool_input.command // .tool_input.file_path] | join(" ")')" in
"PreToolUse Bash "*" yes") say allow fine ;;
"PreToolUse Bash "*" no") say deny "Not while the tests are red." ;;
"PreToolUse Write "*/locked) echo "That file is locked." >&2; exit 2 ;;
esac
`)
		start(g)
		g.run(g.prompt("please\n!sh echo 1 > yes\n!sh echo 1 > no\n!sh echo 1 > asked\n!write %/locked x\n!say finished"), "--permission-mode", "default")
		g.wrote("yes", "1\n")
		if g.has("no") || g.has("asked") || g.has("locked") {
			t.Errorf("ran: no %v, asked %v, locked %v", g.has("no"), g.has("asked"), g.has("locked"))
		}
		for _, why := range []string{"Not while the tests are red.", "That file is locked."} {
			if !strings.Contains(g.heard(), why) {
				t.Errorf("the model does not know %q: %q", why, g.model.Results())
			}
		}
		g.whole()
	})
}

// mark puts a command of its own before every command, each time another one, so that
// a second change would show.
const mark = `jq -c '{action: "modify", args: {command: ("echo mark >> marks; " + .tool_input.command + " # " + (now | tostring))}}'
`

func marking(config string) string {
	return config + "hooks:\n  pre_tool_call:\n  - {matcher: terminal, command: ~/mark.sh}\n"
}

func TestAChangedInputRuns(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, marking(""))
		g.script("mark.sh", mark)
		start(g)
		g.run("please\n!sh echo 1 > one\n!say finished")
		g.wrote("one", "1\n")
		g.wrote("marks", "mark\n")
		g.whole()
	})
}

// TestAChangedInputIsApprovedAsItRuns: what waits for a person is what the hook has
// made, and after the yes it is that, whatever the hook would make of it now.
func TestAChangedInputIsApprovedAsItRuns(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, marking(""))
		g.script("mark.sh", mark)
		start(g)
		command, ran := g.danger("build")
		end := g.begin("please\n!sh " + command + "\n!say finished")
		g.answer("approve", g.await("echo mark"), "--once")
		if end(); ran() != 1 || g.pending() != 0 {
			t.Errorf("it ran %d times, %d requests wait", ran(), g.pending())
		}
		g.wrote("marks", "mark\n")
		g.whole()
	})
}

// TestAChangedInputAtTheAgentsOwnPrompt: the prompt shows the changed input, and its
// own gate does not change it once more.
func TestAChangedInputAtTheAgentsOwnPrompt(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, marking("ask: agent\n"))
		g.script("mark.sh", mark)
		start(g)
		command, ran := g.danger("build")
		ctx, cancel := context.WithTimeout(g.Context(), 2*patience)
		defer cancel()
		talk, err := g.agent.Talk(ctx, "please\n!sh "+command+"\n!say finished", "--permission-mode", "default")
		if err != nil {
			t.Fatal(err)
		}
		g.answer("approve", g.await("echo mark"))
		r, err := talk.End()
		if err != nil || ran() != 1 || r.Text != "finished" {
			t.Errorf("%v; it ran %d times; %+v", err, ran(), r)
		}
		g.wrote("marks", "mark\n")
		g.whole()
	})
}

// TestAChangedInputIsNoDenial: one that nobody has an opinion on is put to Claude
// Code's own prompt, and nothing of ours denies it there.
func TestAChangedInputIsNoDenial(t *testing.T) {
	t.Parallel()
	g := newHooked(t, marking(""))
	g.script("mark.sh", mark)
	g.serve()
	r := g.run("please\n!sh echo 1 > one\n!say finished", "--permission-mode", "default")
	if g.has("one") || strings.Contains(g.heard(), "was to be changed") || len(r.Denials) != 1 {
		t.Errorf("%+v; the model was told %q", r, g.model.Results())
	}
	if !strings.Contains(string(r.Denials[0].Raw), "echo mark") {
		t.Errorf("the prompt showed %s", r.Denials[0].Raw)
	}
}

// TestHooksGiveWordsToTheModel: at the start of a session, of a turn and after a call.
func TestHooksGiveWordsToTheModel(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, `hooks:
  on_session_start: [{command: ~/words.sh}]
  pre_llm_call: [{command: ~/words.sh}]
  UserPromptSubmit: [{command: ~/plain.sh}]
`)
		g.script("words.sh", `jq -c '{context: ("told at " + .hook_event_name + ": " + (.extra.user_message // .extra.source // "")[0:7])}'`+"\n")
		g.script("plain.sh", "echo told without JSON\n")
		start(g)
		g.run("please!\n!say finished")
		for _, words := range []string{"told at on_session_start: startup", "told at pre_llm_call: please!", "told without JSON"} {
			if !strings.Contains(g.heard(), words) {
				t.Errorf("the model was not told %q", words)
			}
		}
		g.whole()
	})
}

// TestAHookKeepsTheAgentGoing once: it is told that it was sent back before.
func TestAHookKeepsTheAgentGoing(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, `hooks:
  pre_verify: [{command: ~/verify.sh}]
  post_llm_call: [{command: ~/ended.sh}]
  on_session_end: [{command: ~/ended.sh}]
`)
		g.script("verify.sh", `jq -c 'if .extra.attempt == 0 then {action: "continue", message: "Run the tests first."} else {} end'`+"\n")
		g.script("ended.sh", `jq -r '.hook_event_name + " " + .extra.assistant_response' >> $HOME/ended`+"\n")
		start(g)
		if r := g.run("please\n!say finished"); r.Text != "finished" || !strings.Contains(g.heard(), "Run the tests first.") {
			t.Errorf("%+v", r)
		}
		g.until(func() bool { return len(g.lines("ended")) == 2 })
		for _, l := range g.lines("ended") {
			if !strings.HasSuffix(l, " finished") {
				t.Errorf("told %q", l)
			}
		}
		g.whole()
	})
}

// TestHooksThatWatchAreTold of what came of calls, of both kinds.
func TestHooksThatWatchAreTold(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, "hooks:\n  post_tool_call: [{command: ~/log.sh}]\n")
		g.script("log.sh", `jq -c '[.tool_name, .tool_input.command, .extra.status, .extra.tool_call_id, (.extra.result | fromjson | .stdout // .error)]' >> $HOME/told-of`+"\n")
		start(g)
		g.run("please\n!sh echo one\n!sh echo two; exit 3\n!say finished")
		g.until(func() bool { return len(g.lines("told-of")) == 2 })
		told := strings.Join(g.lines("told-of"), "\n")
		for _, want := range []string{`["terminal","echo one","ok","toolu_call_mock_0_0","one"]`, `["terminal","echo two; exit 3","error","toolu_call_mock_1_0","Exit code 3\ntwo"]`} {
			if !strings.Contains(told, want) {
				t.Errorf("told\n%s\nwant %s", told, want)
			}
		}
		g.whole()
	})
}

// TestSubAgentsReachTheHooks: what a sub-agent does is guarded as what its parent
// does, and the hooks are told of both its ends.
func TestSubAgentsReachTheHooks(t *testing.T) {
	t.Parallel()
	g := newHooked(t, `hooks:
  PreToolUse: [{matcher: Read, command: ~/index.sh}]
  pre_tool_call: [{matcher: terminal, command: ~/background.sh}]
  subagent_start: [{command: ~/log.sh}]
  subagent_stop: [{command: ~/log.sh}]
`)
	g.script("index.sh", "echo 'BLOCKED: use the index' >&2; exit 2\n")
	g.script("background.sh", `jq -c 'if .tool_input.run_in_background then {decision: "deny", reason: "Nothing runs in the background."} else {} end'`+"\n")
	g.script("log.sh", `jq -r '.hook_event_name + " " + .extra.child_role + " " + (.extra.child_subagent_id | tostring)' >> $HOME/told-of`+"\n")
	g.write(filepath.Join(g.project, "file.ts"), "secret text\n")
	g.serve()
	inner := fmt.Sprintf(`!read %s/file.ts\n!tool Bash {\"command\":\"echo 1 > background\",\"run_in_background\":true}\n!sh echo 1 > front\n!say done`, g.project)
	g.run(`please
!tool Agent {"description":"look","prompt":"` + inner + `","subagent_type":"general-purpose"}
!say finished`)
	if g.has("background") || strings.Contains(g.heard(), "secret text") {
		t.Errorf("ran: %v; the model was told %q", g.has("background"), g.model.Results())
	}
	g.wrote("front", "1\n")
	for _, why := range []string{"BLOCKED: use the index", "Nothing runs in the background."} {
		if !strings.Contains(g.heard(), why) {
			t.Errorf("the model does not know %q", why)
		}
	}
	g.until(func() bool { return len(g.lines("told-of")) == 2 })
	if told := g.lines("told-of"); !strings.HasPrefix(told[0], "subagent_start general-purpose ") || !strings.HasPrefix(told[1], "subagent_stop general-purpose ") {
		t.Errorf("told %q", told)
	}
	g.whole()
}

// TestHooksOfAProfile are asked for its agents alone; those of the file for all.
func TestHooksOfAProfile(t *testing.T) {
	t.Parallel()
	g := newHooked(t, `hooks:
  pre_tool_call: [{matcher: terminal, command: ~/friday.sh}]
profiles:
  coder:
    match: {agent: claude}
    hooks:
      pre_tool_call: [{matcher: terminal, command: ~/coder.sh}]
  chat:
    match: {platform: telegram}
    hooks:
      pre_tool_call: [{matcher: terminal, command: ~/chat.sh}]
`)
	g.script("friday.sh", friday)
	g.script("coder.sh", `case "$(cat)" in *release*'"profile":"coder"'*) echo '{"decision": "block", "reason": "Coders do not release."}' ;; esac`+"\n")
	g.script("chat.sh", `echo '{"decision": "block", "reason": "Nobody runs anything."}'`+"\n")
	g.serve()
	g.run("please\n!sh echo 1 > deploy\n!sh echo 1 > release\n!sh echo 1 > other\n!say finished")
	if g.has("deploy") || g.has("release") || !strings.Contains(g.heard(), "Coders do not release.") {
		t.Errorf("ran: deploy %v, release %v; the model was told %q", g.has("deploy"), g.has("release"), g.model.Results())
	}
	g.wrote("other", "1\n")
}

// TestClaudeCodesOwnHooksOnResults: what a PostToolUse hook says of a call that has been
// made reaches the model, and stands in place of a result where it gives one.
func TestClaudeCodesOwnHooksOnResults(t *testing.T) {
	served(t, func(t *testing.T, start func(*gated)) {
		g := newHooked(t, `hooks:
  PostToolUse:
  - {matcher: Write, command: ~/lint.sh}
  - {matcher: Bash, command: ~/mask.sh}
  - {matcher: Read, command: ~/words.sh}
`)
		g.script("lint.sh", "echo 'line 1: tabs, please' >&2; exit 2\n")
		g.script("mask.sh", `jq -c '{hookSpecificOutput: {hookEventName: "PostToolUse", updatedToolOutput: (.tool_response | .stdout |= sub("key=1"; "key=*"))}}'`+"\n")
		g.script("words.sh", `echo '{"decision": "block", "reason": "That file is old."}'`+"\n")
		start(g)
		g.run(g.prompt("please\n!write %/new hello\n!sh echo k'ey=1'\n!read %/new\n!say finished"))
		for _, want := range []string{"already written; not undone: line 1: tabs, please", "key=*", "already run; not undone: That file is old."} {
			if !strings.Contains(g.heard(), want) {
				t.Errorf("the model was not told %q: %q", want, g.model.Results())
			}
		}
		if strings.Contains(strings.Join(g.model.Results(), "\n"), "key=1") {
			t.Errorf("the model saw %q", g.model.Results())
		}
		g.whole()
	})
}

// redact replaces what a call returned, as text.
const redact = `jq -c '{text: "nothing to see"}'` + "\n"

// TestAHookReplacesResults: the model reads what the hook put in the place of what came
// of a call, of whatever form that is, and nothing of the original.
func TestAHookReplacesResults(t *testing.T) {
	t.Parallel()
	for name, prompt := range map[string]string{
		"shell":     "!sh echo k'ey=1'",
		"file":      "!read %/secret.txt",
		"picture":   "!read %/secret.png",
		"notebook":  "!read %/secret.ipynb",
		"sub-agent": `!tool Agent {"description":"look","prompt":"!say key=1","subagent_type":"general-purpose","run_in_background":false}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newHooked(t, "hooks:\n  transform_tool_result: [{command: ~/redact.sh}]\n")
			g.script("redact.sh", redact)
			g.write(filepath.Join(g.project, "secret.txt"), "key=1\n")
			g.write(filepath.Join(g.project, "secret.ipynb"), `{"cells":[{"cell_type":"code","id":"a","source":"key=1","metadata":{},"outputs":[],"execution_count":1}],"metadata":{"language_info":{"name":"python"}},"nbformat":4,"nbformat_minor":5}`)
			g.picture(filepath.Join(g.project, "secret.png"))
			g.serve()
			g.run(g.prompt("please\n" + prompt + "\n!say finished"))
			seen := strings.Join(g.model.Results(), "\n")
			if !strings.Contains(seen, "nothing to see") || strings.Contains(seen, "key=1") || strings.Contains(g.heard(), "iVBORw0KGgo") {
				t.Errorf("the model was told %q", seen)
			}
			g.whole()
		})
	}
}

// picture writes a small one.
func (g *gated) picture(path string) {
	g.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(png.Encode(f, image.NewGray(image.Rect(0, 0, 8, 8))), f.Close())
	}
	if err != nil {
		g.Fatal(err)
	}
}
