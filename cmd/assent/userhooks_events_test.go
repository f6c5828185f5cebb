//go:build unix

package main

// Every event of the catalogue that fires today, fired by what really fires it, and
// what hooks are then told.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent"
)

// fired is what fires an event: what Claude Code tells its hook, as the codec's own
// cases have it, or assent itself, in the course of a request. A failed call has also
// its errors, and a request that was withdrawn says so.
type fired struct {
	by    string   // a case of harness/claude/testdata/decode; empty: assent itself
	lacks []string // fields that the one who fires it does not know
}

var firedBy = map[string]fired{
	assent.PreToolCall:      {by: "bash", lacks: []string{"middleware_trace"}},
	assent.PostToolCall:     {by: "post", lacks: []string{"error_type", "error_message", "middleware_trace"}},
	assent.TransformResult:  {by: "post", lacks: []string{"error_type", "error_message"}},
	assent.PreLLMCall:       {by: "prompt", lacks: []string{"conversation_history", "is_first_turn", "model", "sender_id"}},
	assent.PostLLMCall:      {by: "stop", lacks: []string{"user_message", "conversation_history", "model"}},
	assent.PreVerify:        {by: "stop", lacks: []string{"changed_paths", "coding", "model"}},
	assent.SessionStart:     {by: "session-start", lacks: []string{"model"}},
	assent.TurnEnd:          {by: "stop", lacks: []string{"turn_exit_reason", "model", "reason"}},
	assent.SessionEnd:       {by: "session-end", lacks: []string{"old_session_id", "new_session_id"}},
	assent.SubagentStart:    {by: "subagent-start", lacks: []string{"parent_subagent_id", "child_goal"}},
	assent.SubagentStop:     {by: "subagent-said", lacks: []string{"tool_call_history", "duration_ms"}},
	assent.ConfigChange:     {by: "config"},
	assent.Notification:     {by: "notification", lacks: []string{"title"}},
	assent.PreCompact:       {by: "pre-compact"},
	assent.UnmappedEvent:    {by: "batch"},
	assent.ApprovalRequest:  {},
	assent.ApprovalResponse: {lacks: []string{"cancelled", "notify"}},
	assent.HumanRequest:     {lacks: []string{"platform"}},
	assent.HumanResolved:    {lacks: []string{"platform"}},
}

func TestEveryEventOfTodayReachesAHookFromItsSource(t *testing.T) {
	both(t, func(t *testing.T, serve func(*gate)) {
		notUnderAnAgent(t)
		var file strings.Builder
		file.WriteString("hooks:\n")
		var names []string
		for _, e := range assent.Events {
			if e.Later == "" {
				names = append(names, e.Name)
				fmt.Fprintf(&file, "  %s: [{command: ~/log.sh %s}]\n", e.Name, e.Name)
			}
		}
		g := newHooked(t, file.String())
		g.script("log.sh", `jq -c . > "$HOME/.$1.$$"; cat "$HOME/.$1.$$" >> "$HOME/told-$1"`+"\n")
		key := g.key()
		serve(g)
		for _, name := range names {
			row, there := firedBy[name]
			if !there {
				t.Errorf("%s: nothing fires it in this test, and the catalogue does not say that it comes later", name)
			} else if row.by != "" && len(g.lines("fired-"+row.by)) == 0 {
				g.fire(row.by)
			}
		}
		g.must("approve", "1", "--key", key) // a call of the cases is asked about
		for _, name := range names {
			g.until(name+" is told", func() bool { return len(g.lines("told-"+name)) > 0 })
			g.holds(name, g.lines("told-" + name)[0], firedBy[name].lacks)
		}
	})
}

// fire tells assent what Claude Code does, once.
func (g *gate) fire(name string) {
	g.Helper()
	ar, err := txtar.ParseFile("../../harness/claude/testdata/decode/" + name + ".txtar")
	g.try(err)
	part := map[string]string{}
	for _, f := range ar.Files {
		part[f.Name] = string(f.Data)
	}
	s := g.begin(strings.NewReader(part["stdin"]), "agent", "assent", "hook", "claude", "--event", strings.TrimSpace(part["native"]))()
	if s.code != 0 || strings.Count(s.out, "\n") != 1 {
		g.Errorf("%s: %s", name, s)
	}
	g.script("fired-"+name, "fired\n")
}

// holds checks a payload against the event's row of the catalogue.
func (g *gate) holds(name, line string, lacks []string) {
	g.Helper()
	var told struct {
		Name    string          `json:"hook_event_name"`
		Tool    *string         `json:"tool_name"`
		Input   json.RawMessage `json:"tool_input"`
		Session string          `json:"session_id"`
		Dir     string          `json:"cwd"`
		Extra   map[string]any  `json:"extra"`
	}
	g.try(json.Unmarshal([]byte(line), &told))
	if told.Name != name || told.Session == "" || told.Dir == "" || told.Extra["agent"] != "claude" || told.Extra["telemetry_schema_version"] == nil {
		g.Errorf("%s: told %s", name, line)
	}
	row, _ := assent.EventNamed(name)
	for _, f := range row.Fields {
		_, there := told.Extra[f.Name]
		there = there || f.Name == "tool_name" && told.Tool != nil || f.Name == "args" && string(told.Input) != "null"
		if there == slices.Contains(lacks, f.Name) {
			g.Errorf("%s: %s is there: %v, of %s", name, f.Name, there, line)
		}
	}
}
