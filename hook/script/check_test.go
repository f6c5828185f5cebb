package script

// The rules of configuration, row by row.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/hook"
)

func TestEveryRuleOfTheSection(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	entry := func(more ...any) []any {
		e := m{"command": "guard"}
		for i := 0; i < len(more); i += 2 {
			e[more[i].(string)] = more[i+1]
		}
		return []any{e}
	}
	for _, c := range []struct {
		name  string
		hooks any
		want  string // hooks
		warn  string // part of the one warning; empty = none
	}{
		{"no mapping", []any{1}, "", ""},
		{"nothing", nil, "", ""},
		{"reserved keys", m{"outbound": m{}, "output_spill": []any{1}}, "", ""},
		{"a plain hook", m{"pre_tool_call": entry()}, "pre_tool_call guard", ""},
		{"an empty event", m{"pre_tool_call": nil}, "", ""},
		{"no list", m{"pre_tool_call": m{}}, "", "hooks.pre_tool_call is no list"},
		{"no mapping in the list", m{"pre_tool_call": []any{"guard"}}, "", "it is no mapping"},
		{"no command", m{"pre_tool_call": []any{m{"matcher": "x"}}}, "", "it has no command"},
		{"a command that is none", m{"pre_tool_call": []any{m{"command": 5}}}, "", "it has no command"},
		{"a blank command", m{"pre_tool_call": []any{m{"command": " "}}}, "", "has no command"},
		{"blanks around it", m{"pre_tool_call": []any{m{"command": " guard  "}}}, "pre_tool_call guard", ""},
		{"an unknown key", m{"pre_tool_call": entry("colour", "red")}, "pre_tool_call guard", "the key colour means nothing"},
		{"a slip", m{"pre_tool_cal": entry()}, "", `did you mean "pre_tool_call"?`},
		{"an unknown event", m{"zzz": entry()}, "", `no event is called "zzz"; there are agent:end, `},
		{"an event of functions", m{"transform_api_error_classification": entry()}, "", "are functions of plugins"},
		{"a gateway event", m{"agent:end": entry(), "agent:*": entry(), "command:new": entry()}, "agent:* guard; agent:end guard; command:new guard", ""},
		{"Claude Code's name", m{"PreToolUse": entry("matcher", "Bash")}, "pre_tool_call guard matcher=Bash dialect=claude", ""},
		{"a matcher", m{"pre_tool_call": entry("matcher", " terminal ")}, "pre_tool_call guard matcher=terminal", ""},
		{"a matcher that is none", m{"pre_tool_call": entry("matcher", 5)}, "pre_tool_call guard", "matcher is no text"},
		{"a matcher and no tool", m{"pre_llm_call": entry("matcher", "x")}, "pre_llm_call guard", "its matcher is dropped"},
		{"a timeout", m{"pre_tool_call": entry("timeout", uint64(5))}, "pre_tool_call guard timeout=5s", ""},
		{"the longest timeout", m{"pre_tool_call": entry("timeout", 300)}, "pre_tool_call guard timeout=5m0s", ""},
		{"a longer timeout", m{"pre_tool_call": entry("timeout", int64(1e18))}, "pre_tool_call guard timeout=5m0s", "is more than 5m0s"},
		{"no time", m{"pre_tool_call": entry("timeout", 0)}, "pre_tool_call guard timeout=1m0s", "it is 1m0s now"},
		{"less than no time", m{"pre_tool_call": entry("timeout", -3)}, "pre_tool_call guard timeout=1m0s", "it is 1m0s now"},
		{"half a second", m{"pre_tool_call": entry("timeout", 0.5)}, "pre_tool_call guard timeout=1m0s", "it is 1m0s now"},
		{"a word for a time", m{"pre_tool_call": entry("timeout", "10")}, "pre_tool_call guard timeout=1m0s", "it is 1m0s now"},
		{"fail_closed", m{"pre_tool_call": entry("fail_closed", true)}, "pre_tool_call guard on_error=deny", ""},
		{"failClosed", m{"pre_tool_call": entry("failClosed", true)}, "pre_tool_call guard on_error=deny", ""},
		{"written out: open", m{"pre_tool_call": entry("fail_closed", false)}, "pre_tool_call guard on_error=ignore", ""},
		{"both spellings", m{"pre_tool_call": entry("fail_closed", false, "failClosed", true)}, "pre_tool_call guard on_error=ignore", ""},
		{"fail_closed is no bool", m{"pre_tool_call": entry("fail_closed", "yes")}, "pre_tool_call guard", "neither true nor false"},
		{"fail_closed of a text", m{"transform_tool_result": entry("fail_closed", true)}, "transform_tool_result guard on_error=deny", ""},
		{"ask of a text", m{"transform_tool_result": entry("on_error", "ask")}, "transform_tool_result guard on_error=ignore", "can stop nothing"},
		{"fail_closed elsewhere", m{"post_tool_call": entry("fail_closed", true)}, "post_tool_call guard on_error=ignore", "can stop nothing"},
		{"on_error", m{"pre_tool_call": entry("on_error", "deny")}, "pre_tool_call guard on_error=deny", ""},
		{"on_error is no word of ours", m{"pre_tool_call": entry("on_error", "panic")}, "pre_tool_call guard", "none of ask, deny and ignore"},
		{"a dialect", m{"pre_tool_call": entry("dialect", "claude")}, "pre_tool_call guard dialect=claude", ""},
		{"a dialect that is none", m{"pre_tool_call": entry("dialect", "klingon")}, "pre_tool_call guard", "none of hermes"},
		{"twice the same", m{"pre_tool_call": append(entry(), append(entry(), entry("matcher", "x")...)...)}, "pre_tool_call guard; pre_tool_call guard matcher=x", ""},
	} {
		list, warnings := Section(c.hooks)
		var got []string
		for _, s := range list {
			got = append(got, text(s))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "; "), c.want)
		}
		if c.warn == "" && len(warnings) > 0 || c.warn != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], c.warn)) {
			t.Errorf("%s: warnings %q, want one with %q", c.name, warnings, c.warn)
		}
	}
}

func text(s Spec) string {
	out := s.Event + " " + s.Command
	for _, f := range []struct {
		name  string
		value any
	}{{"matcher", s.Matcher}, {"timeout", s.Timeout}, {"on_error", s.OnError}, {"dialect", s.Dialect}} {
		if v := fmt.Sprint(f.value); v != "" && v != "0s" {
			out += " " + f.name + "=" + v
		}
	}
	return out
}

func TestAMatcherThatIsNoExpressionIsTakenLiterally(t *testing.T) {
	t.Parallel()
	e, warning := New(Spec{Event: assent.PreToolCall, Command: "guard", Matcher: "mcp[", Timeout: 7 * time.Second, Profile: "p"}, Host{})
	if !strings.Contains(warning, "taken literally") || !e.Match.Matches("mcp[") || e.Match.Matches("mcp") {
		t.Errorf("%q", warning)
	}
	if e.ID != "script guard" || e.Kind != hook.KindScript || e.Timeout != 7*time.Second || e.Profile != "p" {
		t.Errorf("%+v", e)
	}
}
