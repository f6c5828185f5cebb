//go:build unix

package e2e

// The codec alone against the real Claude Code: what it writes is what the agent
// carries out, and what the agent sends is what it reads.

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/internal/mockllm"
)

// says wires this test program as the hook, with these verdicts.
func (b *bench) says(said map[string]assent.Verdict) string {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	link := filepath.Join(b.agent.Home, "assent")
	if err := os.Symlink(self, link); err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(said)
	if err != nil {
		b.Fatal(err)
	}
	b.agent.Env = append(b.agent.Env, saidEnv+"="+string(raw))
	return b.wire(link)
}

// told returns what the hook was told of one event. What the codec could not
// read fails the test.
func (b *bench) told(native string) []string {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(b.agent.Home, "told", native+"-*.json"))
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		if !json.Valid(raw) {
			b.Errorf("%s could not be read: %s", native, raw)
		}
		out = append(out, string(raw))
	}
	return out
}

const twoFiles = "please\n!sh echo 1 > one\n!write %/two hello\n!say finished"

func (b *bench) prompt(text string) string { return strings.ReplaceAll(text, "%", b.project) }

func TestCodecPreToolUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say   assent.Verdict
		args  []string
		runs  bool
		model string // what the model is told
	}{
		"none":       {say: assent.Verdict{}, runs: true},
		"none asked": {say: assent.Verdict{}, args: []string{"--permission-mode", "default"}},
		"allow":      {say: assent.Verdict{Decision: assent.Allow}, args: []string{"--permission-mode", "default"}, runs: true},
		"deny":       {say: assent.Verdict{Decision: assent.Deny, Tell: "It is Friday."}, model: "It is Friday."},
		"hold":       {say: assent.Verdict{Decision: assent.Ask, Ask: assent.AskHold, Tell: "Request req_1."}, model: "Request req_1."},
		"ask":        {say: assent.Verdict{Decision: assent.Ask, Ask: assent.AskAgent, Tell: "Look twice."}},
		"words":      {say: assent.Verdict{Context: "The build is broken."}, runs: true, model: "The build is broken."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			b.says(map[string]assent.Verdict{"PreToolUse": c.say})
			b.run(b.prompt(twoFiles), c.args...)
			if b.has("one") != c.runs || b.has("two") != c.runs {
				t.Errorf("ran: %v %v", b.has("one"), b.has("two"))
			}
			if !strings.Contains(b.heard(), c.model) {
				t.Errorf("the model does not know %q", c.model)
			}
			for _, native := range []string{"PreToolUse", "UserPromptSubmit", "SessionStart", "Stop", "SessionEnd"} {
				if len(b.told(native)) == 0 {
					t.Errorf("the hook was not told of %s", native)
				}
			}
			made := map[bool]int{true: 2}[c.runs]
			if pre, post := len(b.told("PreToolUse")), len(b.told("PostToolUse")); pre != 2 || post != made {
				t.Errorf("asked about %d calls, told of %d", pre, post)
			}
		})
	}
}

// heard is everything that the model was sent.
func (b *bench) heard() string {
	var s strings.Builder
	for _, x := range b.model.Exchanges() {
		s.Write(x.Body)
	}
	return s.String()
}

func TestCodecRewrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"PreToolUse": {
		Decision: assent.Allow, Rewrite: json.RawMessage(`{"command":"echo 2 > rewritten"}`),
	}})
	b.run("please\n!sh echo 1 > one\n!say finished")
	if b.has("one") || !b.has("rewritten") {
		t.Error("it is not the rewritten command that ran")
	}
}

// TestCodecRewriteUndecided: an input that was changed, and of which nobody has an
// opinion, is what Claude Code's own permissions judge, and what runs if they let it.
func TestCodecRewriteUndecided(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		runs bool
	}{
		"let through": {runs: true},
		"asked about": {args: []string{"--permission-mode", "default"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			b.says(map[string]assent.Verdict{"PreToolUse": {Rewrite: json.RawMessage(`{"command":"echo 2 > rewritten"}`)}})
			r := b.run("please\n!sh echo 1 > one\n!say finished", c.args...)
			if b.has("one") || b.has("rewritten") != c.runs {
				t.Errorf("ran: %v %v; %+v", b.has("one"), b.has("rewritten"), r)
			}
			if asked := b.told("PermissionRequest"); !c.runs && (len(asked) != 1 || !strings.Contains(asked[0], "> rewritten")) {
				t.Errorf("its own prompt would show %q", asked)
			}
		})
	}
}

// TestCodecRewriteAsked: where Claude Code's own prompt asks, it shows the changed
// input, and that is what runs after a yes.
func TestCodecRewriteAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{
		"PreToolUse":        {Decision: assent.Ask, Ask: assent.AskAgent, Tell: "Look.", Rewrite: json.RawMessage(`{"command":"echo 2 > rewritten"}`)},
		"PermissionRequest": {Decision: assent.Allow},
	})
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	talk, err := b.agent.Talk(ctx, "please\n!sh echo 1 > one\n!say finished", "--permission-mode", "default")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := talk.End(); err != nil || b.has("one") || !b.has("rewritten") {
		t.Errorf("ran: %v %v; %+v, %v", b.has("one"), b.has("rewritten"), r, err)
	}
}

func TestCodecRewritePath(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	rewrite, _ := json.Marshal(map[string]string{"path": filepath.Join(b.project, "other"), "content": "x"})
	b.says(map[string]assent.Verdict{"PreToolUse": {Decision: assent.Allow, Rewrite: rewrite}})
	b.run(b.prompt("please\n!write %/one hello\n!say finished"))
	if b.has("one") || !b.has("other") {
		t.Error("it is not the rewritten file that was written")
	}
}

func TestCodecDefer(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"PreToolUse": {Decision: assent.Ask, Ask: assent.AskResume, Tell: "Later."}})
	r := b.run("please\n!sh echo 1 > one\n!say finished")
	if r.Stop != "tool_deferred" || r.Deferred == nil || b.has("one") {
		t.Fatalf("%+v", r)
	}
	b.agent.Env = []string{saidEnv + `={"PreToolUse":{"decision":"allow"}}`}
	again := b.run("", "--resume", r.Session)
	if !b.has("one") || again.Session != r.Session {
		t.Errorf("the resumed run did not make the call: %+v", again)
	}
	calls := b.told("PreToolUse")
	if len(calls) != 2 || callOf(t, calls[0]) != callOf(t, calls[1]) {
		t.Errorf("the resumed call has another name: %q", calls)
	}
}

func callOf(t *testing.T, raw string) string {
	t.Helper()
	var in struct {
		Call string `json:"tool_use_id"`
	}
	if err := json.Unmarshal([]byte(raw), &in); err != nil || in.Call == "" {
		t.Fatalf("%v: %s", err, raw)
	}
	return in.Call
}

// TestCodecDeferIgnored pins down a hole of Claude Code's, not a promise of ours:
// of two calls in one whole (not streamed) reply it defers neither, and runs both.
// When this test fails, the hole is closed, and ask: resume is as strict as the
// other modes.
func TestCodecDeferIgnored(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{Whole: true})
	b.says(map[string]assent.Verdict{"PreToolUse": {Decision: assent.Ask, Ask: assent.AskResume, Tell: "Later."}})
	b.run("please\n!sh echo 1 > one\n+sh echo 2 > two\n!say finished")
	if !b.has("one") || !b.has("two") {
		t.Error("two calls in a whole reply were deferred or denied")
	}
}

func TestCodecPermissionRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say  assent.Verdict
		runs bool
	}{
		"none":  {say: assent.Verdict{}},
		"allow": {say: assent.Verdict{Decision: assent.Allow}, runs: true},
		"deny":  {say: assent.Verdict{Decision: assent.Deny, Tell: "It is Friday."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			b.says(map[string]assent.Verdict{"PermissionRequest": c.say})
			b.run("please\n!sh echo 1 > one\n!say finished", "--permission-mode", "default")
			if b.has("one") != c.runs {
				t.Errorf("ran: %v", b.has("one"))
			}
			if len(b.told("PermissionRequest")) != 1 {
				t.Errorf("the hook was told %q", b.told("PermissionRequest"))
			}
			if c.say.Tell != "" && !strings.Contains(b.heard(), c.say.Tell) {
				t.Error("the model does not know why")
			}
		})
	}
}

func TestCodecSkillCommand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say  assent.Verdict
		runs bool
	}{
		"none":  {say: assent.Verdict{}, runs: true},
		"allow": {say: assent.Verdict{Decision: assent.Allow}, runs: true},
		"deny":  {say: assent.Verdict{Decision: assent.Deny, Tell: "No."}},
		"ask":   {say: assent.Verdict{Decision: assent.Ask, Ask: assent.AskAgent}},
		"other": {say: assent.Verdict{Decision: assent.Allow, Rewrite: json.RawMessage(`{"command":"true"}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			b.says(map[string]assent.Verdict{"PreSkillShellCommand": c.say})
			b.write(filepath.Join(b.project, ".claude", "commands", "mark.md"), "Say !`echo 1 > one`\n")
			b.run("/mark")
			if b.has("one") != c.runs {
				t.Errorf("ran: %v", b.has("one"))
			}
			if len(b.told("PreSkillShellCommand")) != 1 {
				t.Errorf("the hook was told %q", b.told("PreSkillShellCommand"))
			}
		})
	}
}

// TestCodecConfigChange: a change of settings that is refused is not taken up by
// the running session.
func TestCodecConfigChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		say   assent.Verdict
		gated int
	}{
		"none": {say: assent.Verdict{}, gated: 1},
		"deny": {say: assent.Verdict{Decision: assent.Deny, Tell: "That would open the gate."}, gated: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			settings := b.says(map[string]assent.Verdict{"ConfigChange": c.say})
			b.run("please\n!sh echo '{\"disableAllHooks\":true}' > " + settings + "; sleep 3\n!sh echo 1 > one\n!say finished")
			if got := len(b.told("PreToolUse")); got != c.gated {
				t.Errorf("%d of 2 calls were asked about", got)
			}
			if len(b.told("ConfigChange")) == 0 {
				t.Error("the hook was not told of the change")
			}
		})
	}
}

func TestCodecPromptContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"UserPromptSubmit": {Decision: assent.Deny, Context: "Today is a holiday."}})
	if r := b.run("please\n!say finished"); r.Text != "finished" || !strings.Contains(b.heard(), "Today is a holiday.") {
		t.Errorf("%+v", r)
	}
}

// TestCodecResult: the model reads what stands in place of a result, and the words
// beside it; nothing of the result itself.
func TestCodecResult(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ make, prompt string }{
		"shell": {"", "please\n!sh echo k'ey=1234'\n!say finished"},
		"read":  {"secret", "please\n!read %/secret\n!say finished"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, mockllm.Options{})
			if c.make != "" {
				b.write(filepath.Join(b.project, c.make), "key=1234\n")
			}
			text := "It is hidden."
			b.says(map[string]assent.Verdict{"PostToolUse": {Text: &text, Context: "Ask for it."}})
			b.run(b.prompt(c.prompt))
			if h := b.heard(); strings.Contains(h, "key=1234") || !strings.Contains(h, text) || !strings.Contains(h, "Ask for it.") {
				t.Errorf("the model was told %q", b.model.Results())
			}
			if told := b.told("PostToolUse"); len(told) != 1 || !strings.Contains(told[0], "key=1234") {
				t.Errorf("the hook was told %q", told)
			}
		})
	}
}

func TestCodecFailureContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"PostToolUseFailure": {Context: "The disk is full."}})
	b.run("please\n!sh exit 3\n!say finished")
	if !strings.Contains(b.heard(), "The disk is full.") {
		t.Errorf("the model was told %q", b.model.Results())
	}
}

func TestCodecSessionContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"SessionStart": {Context: "The branch is frozen."}})
	if b.run("please\n!say finished"); !strings.Contains(b.heard(), "The branch is frozen.") {
		t.Error("the model does not know")
	}
}

// TestCodecGoOn: an agent that is about to finish is sent back with what is to do.
func TestCodecGoOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, mockllm.Options{})
	b.says(map[string]assent.Verdict{"Stop": {Directive: json.RawMessage(`{"action":"continue","message":"Run the tests first."}`)}})
	b.run("please\n!say finished")
	if stops := b.told("Stop"); len(stops) != 2 || !strings.Contains(b.heard(), "Run the tests first.") {
		t.Errorf("it stopped %d times: %q", len(stops), stops)
	}
}
