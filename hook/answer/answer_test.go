package answer

// Every shape of an answer and every exit status, row by row.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"assent"
	"assent/hook"
)

// say is the reply and the error in one line of words.
func say(r assent.Reply, err error) string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if r.Decision != assent.None {
		add("%s: %s", r.Decision, r.Reason)
	}
	if len(r.Rewrite) > 0 {
		add("rewrite %s", r.Rewrite)
	}
	if r.Context != "" {
		add("context %s", r.Context)
	}
	if r.Text != nil {
		add("text %q", *r.Text)
	}
	if len(r.Directive) > 0 {
		add("directive %s", r.Directive)
	}
	if r.Fault != "" {
		add("fault %s", r.Fault)
	}
	if err != nil {
		add("error %s", err)
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, " | ")
}

const both = "*" // either dialect says the same

var rows = []struct {
	event, dialect, tool string
	out                  Output
	want                 string
}{
	// Hermes Agent's shapes of a block, and where its words stand.
	{assent.PreToolCall, both, "shell", said(`{"action":"block","message":"no","reason":"why"}`), "deny: no"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block","reason":"why"}`), "deny: why"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"block","message":"no","reason":"why"}`), "deny: why"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"block","message":"no"}`), "deny: no"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block","message":"a","decision":"block","reason":"d"}`), "deny: a"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block"}`), "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block","message":"  "}`), "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block","message":7}`), "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"deny","reason":"prod"}`), "deny: prod"},
	{assent.ConfigChange, both, "", said(`{"decision":"block","reason":"mine"}`), "deny: mine"},

	// An escalation, and what approves nothing.
	{assent.PreToolCall, both, "shell", said(`{"action":"approve","message":"look at it","rule_key":"k"}`), "ask: look at it"},
	{assent.PreToolCall, both, "shell", said(`{"action":"approve"}`), "ask: "},
	{assent.PreToolCall, both, "shell", said(`{"decision":"ask","reason":"hm"}`), "ask: hm"},
	{assent.PreToolCall, "hermes", "shell", said(`{"decision":"approve","reason":"fine"}`), "nothing"},
	{assent.PreToolCall, "hermes", "shell", said(`{"decision":"allow"}`), "nothing"},
	{assent.PreToolCall, "hermes", "shell", said(`{"action":"allow"}`), "nothing"},
	{assent.PreToolCall, "claude", "shell", said(`{"decision":"approve","reason":"fine"}`), "allow: fine"},
	{assent.PreToolCall, "claude", "shell", said(`{"decision":"allow"}`), "allow: "},
	{assent.PreToolCall, "assent", "shell", said(`{"decision":"allow","reason":"fine"}`), "allow: fine"},
	{assent.PreToolCall, "assent", "shell", said(`{"decision":"approve"}`), "nothing"},

	// New inputs, in our names and with no key that was not named.
	{assent.PreToolCall, both, "shell", said(`{"action":"modify","args":{"command":"ls"}}`), `rewrite {"command":"ls"}`},
	{assent.PreToolCall, both, "shell", said(`{"decision":"modify","tool_input":{"timeout":5}}`), `rewrite {"timeout":5}`},
	{assent.PreToolCall, both, "shell", said(`{"updatedInput":{"command":"rm -rf ./build"}}`), `rewrite {"command":"rm -rf ./build"}`},
	{assent.PreToolCall, "claude", "write", said(`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"/b"}}}`), `allow:  | rewrite {"path":"/b"}`},
	{assent.PreToolCall, "hermes", "write", said(`{"action":"modify","args":{"path":"/b"}}`), `rewrite {"path":"/b"}`},
	{assent.PreToolCall, both, "shell", said(`{"action":"modify","args":{}}`), "nothing"},
	{assent.PreToolCall, both, "shell", said(`{"action":"modify","args":"ls"}`), "error the answer's args is no object"},
	{assent.PreToolCall, both, "shell", said(`{"action":"modify"}`), "error the answer modifies the input, and gives none"},
	{assent.PreToolCall, both, "shell", said(`{"action":"block","message":"no","updatedInput":{"command":"ls"}}`), "deny: no"},

	// Claude Code's shapes.
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"ro"}}`), "allow: ro"},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`), "ask: sure?"},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`), "deny: no"},
	{assent.PreToolCall, both, "shell", said(`{"permissionDecision":"deny"}`), "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"additionalContext":"mind the gap"}}`), "context mind the gap"},
	{assent.PreToolCall, both, "shell", said(`{"continue":false,"stopReason":"enough"}`), "deny: enough"},
	{assent.PreToolCall, both, "shell", said(`{"continue":false}`), "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", said(`{"continue":true,"suppressOutput":true}`), "nothing"},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not now"}}}`), "deny: not now"},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"command":"ls"}}}}`), `allow:  | rewrite {"command":"ls"}`},
	{assent.PreToolCall, "claude", "shell", said(`{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`), "deny: no"},

	// What means nothing on an event that decides.
	{assent.PreToolCall, both, "shell", said(``), "nothing"},
	{assent.PreToolCall, both, "shell", said(" \n "), "nothing"},
	{assent.PreToolCall, both, "shell", said(`{}`), "nothing"},
	{assent.PreToolCall, both, "shell", said(`null`), "nothing"},
	{assent.PreToolCall, both, "shell", said(`{"note":"hi"}`), "error nothing in the answer means anything to pre_tool_call"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"blok"}`), `error the answer says decision "blok", which means nothing`},
	{assent.PreToolCall, both, "shell", said(`{"decision":true}`), `error the answer says decision true, which means nothing`},
	{assent.PreToolCall, both, "shell", said(`{"hookSpecificOutput":{"permissionDecision":"approve"}}`), `error the answer says permissionDecision "approve", which means nothing`},
	{assent.PreToolCall, "hermes", "shell", said("all good\n"), "error the answer is no JSON object: all good"},
	{assent.PreToolCall, "claude", "shell", said("all good\n"), "fault the answer is no JSON object: all good"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"allow"`), `error the answer is no JSON object: {"decision":"allow"`},
	{assent.PreToolCall, "hermes", "shell", said(`[1]`), "error the answer is no JSON object: [1]"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"block","decision":"allow"}`), `error the answer: JSON, byte 39: the key "decision" stands twice`},
	{assent.PreToolCall, both, "shell", said("{\"decision\":\"\xff\"}"), "error the answer is not UTF-8"},
	{assent.PreToolCall, both, "shell", Output{Stdout: []byte(`{}`), Truncated: true}, "error the answer is too long"},

	// Words before the answer.
	{assent.PreToolCall, both, "shell", said("\xEF\xBB\xBF" + `{"action":"block","message":"no"}`), "deny: no"},
	{assent.PreToolCall, both, "shell", said("Welcome!\n" + `{"decision":"block","reason":"no"}` + "\n"), "deny: no | fault line 1 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"block","reason":"no"}` + "\nbye\n"), "deny: no | fault line 2 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said("hi\n\n{\n  \"decision\": \"block\",\n  \"reason\": \"no\"\n}\n"), "deny: no | fault line 1 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said(`{"level":"info","msg":"loaded"}` + "\n" + `{"decision":"block","reason":"no"}`), "deny: no | fault line 1 holds JSON that is no answer"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"allow"}` + "\n" + `{"decision":"block"}`), "deny: blocked by a hook | error 2 JSON answers, where one was expected"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"allow"}{"decision":"block"}`), "deny: blocked by a hook | error 2 JSON answers, where one was expected"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"allow"}{"decision":"ask"}`), "error 2 JSON answers, where one was expected"},

	// An answer over several lines, as jq prints it, and what follows it.
	{assent.PreToolCall, both, "shell", said(pretty + "{}\n"), "deny: no | fault line 5 holds JSON that is no answer"},
	{assent.PreToolCall, both, "shell", said("{}\n" + pretty), "deny: no | fault line 1 holds JSON that is no answer"},
	{assent.PreToolCall, both, "shell", said(pretty + "done\n"), "deny: no | fault line 5 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said(pretty + `{"suppressOutput":true}`), "deny: no | error 2 JSON answers, where one was expected"},
	{assent.PreToolCall, both, "shell", said(pretty + "{oops\n"), "deny: no | error line 5 begins like an answer, and cannot be read"},
	{assent.PreToolCall, both, "shell", said("{oops\n" + pretty), "deny: no | error line 1 begins like an answer, and cannot be read"},
	{assent.PreToolCall, both, "shell", said(`{"decision":"allow"} done`), "error line 1 begins like an answer, and cannot be read"},
	{assent.PreToolCall, both, "shell", said("50 %\r" + `{"decision":"block","reason":"no"}` + "\r\n"), "deny: no | fault line 1 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said("hi\n" + `{"behavior":"deny","message":"no"}`), "deny: no | fault line 1 is not JSON (shell profile output?)"},
	{assent.PreToolCall, both, "shell", said("hi\n{\"decision\": 'block'}"), "error the answer is no JSON object: hi\n{\"decision\": 'block'}"},
	{assent.PreToolCall, both, "shell", said(strings.Repeat("hi\n", 30_000) + `{"decision":"block"}`), "error there is too much beside the answer"},
	{assent.PreToolCall, both, "shell", said("{}\n{}\n"), "fault line 1 holds JSON that is no answer"},
	{assent.PostToolCall, both, "shell", said(pretty + `{"decision":"approve"}`), "context already run; not undone: no | fault 2 JSON answers, where one was expected"},
	{assent.PreLLMCall, both, "", said(`{"context":"x"}` + "\n{oops\n"), "context x | fault line 2 begins like an answer, and cannot be read"},
	{assent.PreToolCall, "hermes", "shell", said(`x {"decision":"block"}`), `error the answer is no JSON object: x {"decision":"block"}`},

	// Exit statuses on an event that decides.
	{assent.PreToolCall, both, "shell", Output{Exit: 2, Stderr: []byte("lint failed: 3 errors\n")}, "deny: lint failed: 3 errors"},
	{assent.PreToolCall, both, "shell", Output{Exit: 2}, "deny: blocked by a hook"},
	{assent.PreToolCall, both, "shell", Output{Exit: 2, Stdout: []byte(`{"action":"block","message":"out"}`), Stderr: []byte("err")}, "deny: out"},
	{assent.PreToolCall, both, "shell", Output{Exit: 2, Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"allow"}}`), Stderr: []byte("err")}, "deny: err"},
	{assent.PreToolCall, both, "agent", Output{Exit: 2, Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"ask the index"}}`), Stderr: []byte("blocked")}, "deny: blocked | context ask the index"},
	{assent.PreToolCall, both, "shell", Output{Exit: 2, Stdout: []byte(`{"decision":`), Stderr: []byte("err")}, `deny: err | fault the answer is no JSON object: {"decision":`},
	{assent.PreToolCall, both, "shell", Output{Exit: 2, Truncated: true}, "deny: blocked by a hook | fault the answer is too long"},
	{assent.PreToolCall, both, "shell", Output{Exit: 1, Stderr: []byte("offline")}, "error the hook failed: exit status 1: offline"},
	{assent.PreToolCall, both, "shell", Output{Exit: 1, Stdout: []byte(`{"action":"block","message":"no"}`)}, "deny: no | fault the hook failed: exit status 1"},
	{assent.PreToolCall, both, "shell", Output{Exit: 1, Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"allow"}}`)}, "error the hook failed: exit status 1"},
	{assent.PreToolCall, both, "shell", Output{Exit: 1, Stdout: []byte(`{"action":"modify","args":{"command":"ls"}}`)}, "error the hook failed: exit status 1"},
	{assent.PreToolCall, both, "shell", Output{Exit: -1, Signal: "killed", Stdout: []byte(`{"decision":"allow"}`)}, "error the hook failed: ended by a signal: killed"},

	// Context.
	{assent.PreLLMCall, both, "", said(`{"context":"the branch is main"}`), "context the branch is main"},
	{assent.PreLLMCall, both, "", said(`{"context":"  "}`), "nothing"},
	{assent.PreLLMCall, both, "", said(`"the branch is main"`), "context the branch is main"},
	{assent.PreLLMCall, both, "", said(`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}`), "context x"},
	{assent.PreLLMCall, both, "", said(`{"decision":"block"}`), "fault nothing in the answer means anything to pre_llm_call"},
	{assent.SessionStart, "claude", "", said("<context>\nbranch: main\n</context>\n"), "context <context>\nbranch: main\n</context>"},
	{assent.SessionStart, "hermes", "", said("branch: main\n"), "fault the answer is no JSON object: branch: main"},
	{assent.PreLLMCall, both, "", Output{Exit: 2, Stdout: []byte(`{"context":"x"}`), Stderr: []byte("no")}, "context x | fault exit status 2 blocks nothing here: no"},
	{assent.PreLLMCall, both, "", Output{Exit: 1, Stdout: []byte(`{"context":"x"}`)}, "context x | fault the hook failed: exit status 1"},
	{assent.PreLLMCall, both, "", Output{Exit: 1}, "error the hook failed: exit status 1"},

	// Texts.
	{assent.TransformResult, both, "read", said(`{"text":"new"}`), `text "new"`},
	{assent.TransformResult, both, "read", said(`{"text":""}`), `text ""`},
	{"transform_llm_output", both, "", said(`"new"`), `text "new"`},
	{"transform_llm_output", both, "", said(`{"response":"new"}`), "fault nothing in the answer means anything to transform_llm_output"},
	{"transform_terminal_output", both, "", said(`new`), "fault the answer is no JSON object: new"},
	{"transform_terminal_output", both, "", Output{Exit: 9}, "error the hook failed: exit status 9"},

	// Directives.
	{assent.PreVerify, both, "", said(`{"action":"continue","message":"run the tests"}`), `directive {"action":"continue","message":"run the tests"}`},
	{assent.PreVerify, both, "", said(`{"decision":"block","reason":"run the tests"}`), `directive {"action":"continue","message":"run the tests"}`},
	{assent.PreVerify, both, "", said(`{"action":"block","message":""}`), "nothing"},
	{assent.PreVerify, "claude", "", Output{Exit: 2, Stderr: []byte("tests fail")}, `directive {"action":"continue","message":"tests fail"}`},
	{assent.PreVerify, "claude", "", Output{Exit: 2}, "error exit status 2 without a word on standard error"},
	{assent.PreVerify, "hermes", "", Output{Exit: 2, Stderr: []byte("tests fail")}, "fault exit status 2 blocks nothing here: tests fail"},
	{assent.PreVerify, both, "", said("Shell ready\n{}\n"), "fault line 1 is not JSON (shell profile output?)"},
	{assent.PreVerify, "hermes", "", Output{Exit: 1, Stdout: []byte(`{"action":"continue","message":"go"}`)}, `directive {"action":"continue","message":"go"} | fault the hook failed: exit status 1`},
	{"pre_gateway_dispatch", both, "", said(`{"action":"skip","reason":"spam"}`), `directive {"action":"skip","reason":"spam"}`},
	{"pre_gateway_dispatch", both, "", said(`{"action":"rewrite","text":"hi"}`), `directive {"action":"rewrite","text":"hi"}`},
	{"pre_gateway_dispatch", both, "", said(`{"action":"allow"}`), `directive {"action":"allow"}`},
	{"pre_gateway_dispatch", both, "", said(`{"action":"rewrite"}`), `error the answer says action "rewrite", which means nothing here`},
	{"pre_gateway_dispatch", both, "", said(`{"text":"hi"}`), "fault nothing in the answer means anything to pre_gateway_dispatch"},
	{"command:new", both, "", said(`{"decision":" Deny ","message":"not here"}`), `directive {"decision":"deny","message":"not here"}`},
	{"command:new", both, "", said(`{"decision":"handled"}`), `directive {"decision":"handled"}`},
	{"command:new", both, "", said(`{"decision":"rewrite","command_name":"/help","raw_args":"me"}`), `directive {"command_name":"help","decision":"rewrite","raw_args":"me"}`},
	{"command:*", both, "", said(`{"decision":"rewrite","command_name":" "}`), `error the answer says decision "rewrite", which means nothing here`},
	{"command:new", both, "", said(`{"decision":1}`), `error the answer says decision 1, which means nothing here`},
	{"message:pre_route", both, "", said(`{"decision":"switch_session","session_id":"s2"}`), `directive {"decision":"switch_session","session_id":"s2"}`},
	{"message:pre_route", both, "", said(`{"decision":"switch_session"}`), `error the answer says decision "switch_session", which means nothing here`},
	{"pre_transcription", both, "", said(`{"prompt":"","language":"de"}`), `directive {"language":"de","prompt":""}`},
	{"pre_tts_synthesis", both, "", said(`{"action":"block","message":"hush"}`), `directive {"action":"block","message":"hush"}`},
	{"pre_tts_synthesis", both, "", said(`{"text":"soft"}`), `directive {"text":"soft"}`},
	{"pre_tts_synthesis", both, "", said(`{"text":5}`), `error the answer says text 5, which means nothing here`},
	{"pre_tts_synthesis", both, "", said(`loud`), "error the answer is no JSON object: loud"},
	{"transform_api_error_classification", both, "", said(`{"reason":"timeout"}`), "error transform_api_error_classification takes no answer of a process"},

	// Those that only watch.
	{assent.TurnEnd, both, "", said("Shell ready on arm64\n{}\n"), "fault line 1 is not JSON (shell profile output?)"},
	{assent.TurnEnd, both, "", said("logged"), "fault the answer is no JSON object: logged"},
	{assent.TurnEnd, both, "", said(`{"action":"block"}`), "nothing"},
	{assent.TurnEnd, both, "", said(""), "nothing"},
	{assent.TurnEnd, both, "", said(`{"a":1,"a":2}`), `fault the answer: JSON, byte 13: the key "a" stands twice`},
	{assent.TurnEnd, both, "", Output{Exit: 2, Stderr: []byte("no")}, "fault exit status 2 blocks nothing here: no"},
	{assent.TurnEnd, both, "", Output{Exit: 1, Stderr: []byte("no")}, "error the hook failed: exit status 1: no"},
	{"no_such_event", both, "", said(`{"decision":"block"}`), "nothing"},

	// What has been done is not undone by an objection.
	{assent.PostToolCall, both, "write", Output{Exit: 2, Stderr: []byte("forbidden path")}, "context already written; not undone: forbidden path"},
	{assent.PostToolCall, both, "shell", Output{Exit: 2, Stderr: []byte("no")}, "context already run; not undone: no"},
	{assent.PostToolCall, both, "shell", said(`{"decision":"block","reason":"format it"}`), "context already run; not undone: format it"},
	{assent.PostToolCall, both, "shell", said(`{"hookSpecificOutput":{"additionalContext":"x"}}`), "context x"},
	{assent.TransformResult, both, "edit", Output{Exit: 2, Stderr: []byte("no")}, "context already written; not undone: no"},
	{assent.TransformResult, both, "shell", said(`{"decision":"block","reason":"format it"}`), "context already run; not undone: format it"},
	{assent.TransformResult, both, "shell", said(`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}`), "context x"},
	{assent.TransformResult, both, "shell", said(`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"x"}}}`), `text "{\"stdout\":\"x\"}"`},
	{assent.TransformResult, both, "mcp/a/b", said(`{"hookSpecificOutput":{"updatedMCPToolOutput":"x"},"additionalContext":"y"}`), `context y | text "x"`},
	{assent.TransformResult, both, "shell", said(`{"decision":"approve"}`), "nothing"},
	{assent.TransformResult, both, "shell", said(`{"text":"new","context":"read again"}`), `context read again | text "new"`},
}

const pretty = "{\n  \"decision\": \"block\",\n  \"reason\": \"no\"\n}\n"

func said(stdout string) Output { return Output{Stdout: []byte(stdout)} }

func TestEveryAnswerMeansWhatItsRowSays(t *testing.T) {
	t.Parallel()
	for _, row := range rows {
		dialects := []hook.Dialect{hook.Dialect(row.dialect)}
		if row.dialect == both {
			dialects = []hook.Dialect{hook.Hermes, hook.Claude, hook.Ours}
		}
		for _, d := range dialects {
			if got := say(Read(row.event, d, row.tool, row.out)); got != row.want {
				t.Errorf("%s, %s, %q exit %d:\n got %s\nwant %s", row.event, d, row.out.Stdout, row.out.Exit, got, row.want)
			}
		}
	}
}

func TestAReasonIsCutAt400Characters(t *testing.T) {
	t.Parallel()
	r, err := Read(assent.PreToolCall, hook.Hermes, "shell", Output{Exit: 2, Stderr: []byte(strings.Repeat("ä", 3000) + "\xff")})
	if err != nil || r.Reason != strings.Repeat("ä", 400) {
		t.Errorf("%d bytes, %v", len(r.Reason), err)
	}
}

func TestTheSearchForAnAnswerHasABound(t *testing.T) {
	t.Parallel()
	for _, noise := range []string{
		strings.Repeat("{\"a\":\n", 10_000), strings.Repeat("{", 60_000), strings.Repeat("x\n", 100_000),
	} {
		out := said(noise + `{"hookSpecificOutput":{"permissionDecision":"allow"}}`)
		if r, err := Read(assent.PreToolCall, hook.Hermes, "shell", out); err == nil || r.Decision != assent.None {
			t.Errorf("%.20q…: %s", noise, say(r, err))
		}
	}
}

// FuzzRead holds that nothing panics, and that an Allow has been said in so many
// words, by a process that ended well.
func FuzzRead(f *testing.F) {
	for _, row := range rows {
		f.Add(row.event, row.dialect == "claude", row.out.Exit, row.out.Stdout, row.out.Stderr)
	}
	f.Fuzz(func(t *testing.T, event string, claude bool, exit int, stdout, stderr []byte) {
		d := hook.Hermes
		if claude {
			d = hook.Claude
		}
		out := Output{Stdout: stdout, Stderr: stderr, Exit: exit}
		r, err := Read(event, d, "shell", out)
		if err != nil && r.Decision != assent.None && r.Decision != assent.Deny {
			t.Errorf("an error beside %s", r.Decision)
		}
		if r.Decision == assent.Deny && r.Reason == "" {
			t.Error("a denial without a reason")
		}
		op, err2 := Approval(out)
		if err2 != nil && op != (Opinion{}) {
			t.Errorf("an error beside an opinion: %+v", op)
		}
		for _, yes := range []assent.Decision{r.Decision, op.Decision} {
			if yes == assent.Allow && (exit != 0 || !bytes.Contains(stdout, []byte("allow")) && !bytes.Contains(stdout, []byte("approve")) && !bytes.Contains(stdout, []byte(`\u`))) {
				t.Errorf("allowed by %q, exit %d", stdout, exit)
			}
		}
	})
}
