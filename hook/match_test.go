package hook_test

// Matchers: whose words for a tool mean which.

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"assent"
	"assent/hook"
)

func TestMatchersKnowEveryAgentsNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		matcher, tool string
		want          bool
	}{
		{"", "shell", true},
		{"*", "anything", true},
		{"Bash", "shell", true},
		{"terminal", "shell", true},
		{"run_shell_command", "shell", true},
		{"shell", "shell", true},
		{"Bash|Write", "write", true},
		{"write_file|patch", "edit", true},
		{"Bas", "shell", false}, // the whole name
		{"Bash.*", "read", false},
		{"bash(", "bash(", true}, // no expression: taken literally
		{"mcp__Claude_in_Chrome", "mcp/Claude_in_Chrome/navigate", true},
		{"mcp__linear__create_issue", "mcp/plugin_linear_linear/create_issue", true},
		{"slack_send_message", "mcp/10b9c39d-5363-4e73-a9b3-cd87e722aa34/slack_send_message", true},
		{"mcp__github__.*", "mcp/github/delete_repo", true},
		{"mcp__github__.*", "mcp/gitlab/delete_repo", false},
		{"mcp_github_delete_repo", "mcp/github/delete_repo", true},
		{"Bash", "", false},
		{"terminal|shell", "Bash", true},
		{"terminal|shell", "bash", true},
		{"terminal|shell", "Shell", true},
		{"terminal|shell", "run_shell_command", true},
		{"terminal", "exec", true},
		{"write_file", "Write", true},
		{"Bash", "powershell", true}, // Claude Code's, as its codec calls it
		{"NotebookEdit", "edit", true},
		{"terminal", "mcp/x/bash", false},
		{"mcp__slack__send", "mcp/claude_ai_slack/send", true},
	} {
		m, _ := hook.Compile(c.matcher)
		if got := m.Matches(c.tool); got != c.want {
			t.Errorf("%q matches %q: %v", c.matcher, c.tool, got)
		}
	}
	if m, err := hook.Compile("a("); err == nil || !m.Matches("a(") {
		t.Error("what is no expression is not said to be none")
	}
}

// A server some of whose tools have a guard is asked about where none matches.
func TestAToolBesideTheGuardedOnesIsAskedAbout(t *testing.T) {
	t.Parallel()
	m, _ := hook.Compile("mcp__homeassistant__Hass.*")
	e := entry("guard", says(assent.Reply{}, nil))
	e.Match = m
	d := hook.New(hook.Options{}, e)
	for tool, want := range map[string]assent.Decision{
		"mcp/homeassistant/HassTurnOn":    assent.None,
		"mcp/homeassistant/armar_alarme":  assent.Ask,
		"mcp/homeassistants/armar_alarme": assent.None,
		"shell":                           assent.None,
	} {
		c := gated()
		c.Tool = tool
		r, _ := d.Judge(t.Context(), c)
		if v := assent.Fold(assent.Tiers{Said: []assent.Reply{r}}); v.Decision != want {
			t.Errorf("%s: %s", tool, v.Decision)
		}
	}
}

func TestTheServersOfAMatcherAreFoundWhereverTheyStand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		matcher, tool string
		want          assent.Decision
	}{
		{"(mcp__github__push|mcp__github__x)", "mcp/github/other", assent.Ask},
		{"Bash|mcp__github__push", "mcp/github/other", assent.Ask},
		{"mcp__(github|gitlab)__push", "mcp/gitlab/other", assent.Ask},
		{"mcp__(github__push|jira__x)", "mcp/github/other", assent.Ask},
		{"mcp__git.*__push", "mcp/github/other", assent.Ask},
		{"mcp__GitHub__push", "mcp/github/other", assent.Ask},
		{"mcp__github__push", "mcp/plugin_dev_github/other", assent.Ask},
		{"mcp__github__push", "mcp/claude_ai_GitHub/other", assent.Ask},
		{"mcp__plugin_dev_github__push", "mcp/github/other", assent.Ask},
		{"mcp/github/push", "mcp/github/other", assent.Ask},
		{"mcp__github__push", "mcp/gitlab/other", assent.None},
		{"mcp__.*__write.*", "mcp/github/other", assent.None}, // it is for every server
		{"mcp__github", "mcp/gitlab/other", assent.None},
	} {
		e := entry("guard", says(assent.Reply{}, nil))
		e.Match, _ = hook.Compile(c.matcher)
		call := gated()
		call.Tool = c.tool
		r, _ := hook.New(hook.Options{}, e).Judge(t.Context(), call)
		if v := assent.Fold(assent.Tiers{Said: []assent.Reply{r}}); v.Decision != c.want {
			t.Errorf("%s, %s: %s", c.matcher, c.tool, v.Decision)
		}
	}
}

func TestCallbacksAreToldByNameWhatWeKnow(t *testing.T) {
	t.Parallel()
	forged := json.RawMessage(`"forged"`)
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Session: "s", Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Extra: map[string]json.RawMessage{
		"args": forged, "tool_name": forged, "session_id": forged, "agent": forged, "turn_id": forged, "parent_session_id": forged, "tool_input": forged, "kept": json.RawMessage("1"),
	}}
	raw, err := json.Marshal(hook.Kwargs(e))
	want := `{"agent":"plain","api_request_id":"","args":{"command":"ls"},"kept":1,"session_id":"s","task_id":"","telemetry_schema_version":"hermes.observer.v1","tool_call_id":"","tool_name":"terminal","turn_id":""}`
	if err != nil || string(raw) != want {
		t.Errorf("%v\n got %s\nwant %s", err, raw, want)
	}
}

func TestPayloadsSpeakTheHooksLanguage(t *testing.T) {
	t.Parallel()
	e := assent.Event{Name: assent.PreToolCall, Tool: "write", Session: "s", Dir: "/w", Call: "c1", Input: json.RawMessage(`{"content":"x","path":"/a"}`)}
	for d, want := range map[hook.Dialect]string{
		hook.Hermes: `{"hook_event_name":"pre_tool_call","tool_name":"write_file","tool_input":{"content":"x","path":"/a"},"session_id":"s","cwd":"/w","profile":"default","extra":{"telemetry_schema_version":"hermes.observer.v1","tool_call_id":"c1"}}`,
		hook.Claude: `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"x","file_path":"/a"},"session_id":"s","cwd":"/w","profile":"default","extra":{"telemetry_schema_version":"hermes.observer.v1","tool_call_id":"c1"}}`,
	} {
		got, err := json.Marshal(hook.PayloadOf(e, d))
		if err != nil || string(got) != want {
			t.Errorf("%s:\n%s\n%s", d, got, want)
		}
		if back := d.Back("write", d.Input("write", e.Input)); string(back) != string(e.Input) {
			t.Errorf("%s: %s", d, back)
		}
	}
	none := hook.PayloadOf(assent.Event{Name: assent.TurnEnd, ParentSession: "p"}, hook.Hermes)
	if raw, _ := json.Marshal(none); none.Tool != nil || none.Session != "p" || json.Valid(raw) == false {
		t.Errorf("%+v", none)
	}
}

// Every event's fold, as its row of the catalogue states it.
func TestDirectivesAndTextsAreFoldedAsTheCatalogueSays(t *testing.T) {
	t.Parallel()
	say := func(directive, text string) hook.Entry {
		r := assent.Reply{Directive: json.RawMessage(directive)}
		if directive == "" {
			r = assent.Reply{Text: &text}
		}
		return hook.Entry{ID: directive + text, Call: func(context.Context, assent.Case) (assent.Reply, error) { return r, nil }}
	}
	for _, c := range []struct {
		event string
		said  []hook.Entry
		want  string
	}{
		{"command:deploy", []hook.Entry{say(`{"decision":"allow"}`, ""), say(`{"decision":"deny"}`, ""), say(`{"decision":"handled"}`, "")}, `{"decision":"deny"}`},
		{"pre_verify", []hook.Entry{say(`{"action":"continue","message":" "}`, ""), say(`{"action":"continue","message":"go on"}`, "")}, `{"action":"continue","message":"go on"}`},
		{"pre_gateway_dispatch", []hook.Entry{say(`{"action":"rewrite"}`, ""), say(`{"action":"skip"}`, "")}, `{"action":"rewrite"}`},
		{"pre_tts_synthesis", []hook.Entry{say(`{"text":"a"}`, ""), say(`{"action":"block"}`, "")}, `{"action":"block"}`},
		{"pre_transcription", []hook.Entry{say(`{"language":"de","prompt":"a"}`, ""), say(`{"prompt":""}`, "")}, `{"language":"de","prompt":""}`},
		{"transform_tool_result", []hook.Entry{say("", ""), say("", "b")}, ""},
		{"transform_llm_output", []hook.Entry{say("", ""), say("", "b")}, "b"},
	} {
		for i := range c.said {
			c.said[i].Event = c.event
		}
		r, _ := hook.New(hook.Options{}, c.said...).Judge(t.Context(), assent.Case{Event: assent.Event{Name: c.event}})
		got := string(r.Directive)
		if r.Text != nil {
			got = *r.Text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.event, got, c.want)
		}
	}
}

// A text whose hook fails stays as it is, or is withheld where the hook fails closed.
func TestATextIsWithheldWhereItsHookFailsClosed(t *testing.T) {
	t.Parallel()
	for on, want := range map[hook.OnError]string{"": "none", hook.FailIgnore: "none", hook.FailDeny: "[withheld: redact failed closed: broken]"} {
		e := hook.Entry{ID: "redact", Event: assent.TransformResult, OnError: on, Call: func(context.Context, assent.Case) (assent.Reply, error) {
			return assent.Reply{}, errors.New("broken")
		}}
		r, _ := hook.New(hook.Options{}, e).Judge(t.Context(), assent.Case{Event: assent.Event{Name: e.Event}})
		got := "none"
		if r.Text != nil {
			got = *r.Text
		}
		if got != want {
			t.Errorf("%q: %s", on, got)
		}
	}
}
