package main

// assent hooks events: the list, one event, and a name that is none.

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assent"
)

// events runs the command.
func events(t *testing.T, asJSON bool, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	a := &app{out: &out, json: asJSON}
	c := a.hooksEventsCmd()
	c.SetArgs(args)
	c.SilenceUsage, c.SilenceErrors = true, true
	err := c.Execute()
	return out.String(), err
}

func TestHooksEventsListsTheCatalogue(t *testing.T) {
	t.Parallel()
	text, err := events(t, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range assent.Events {
		if strings.Count(text, "  "+e.Name+" ") != 1 {
			t.Errorf("%s stands there %d times", e.Name, strings.Count(text, "  "+e.Name+" "))
		}
	}
	raw, err := events(t, true)
	var rows []eventRow
	if err := json.Unmarshal([]byte(raw), &rows); err != nil || len(rows) != len(assent.Events) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestHooksEventsPrintsOneWhole(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"pre_verify":    {"pre_verify  hears: directive\n", `answer: {"action": "continue", "message": TEXT}`, "of several: the first", "from: Claude Code: Stop\n", "  final_response ", "  session_id "},
		"command:new":   {"command:*  hears: directive\n", "from: later: the chat gateway\n"},
		"pre_tool_call": {"  args ", "  shell hooks read args as tool_input; what has no place of its own there is in extra\n"},
		"PostToolUse":   {"post_tool_call  hears: nothing\n", "transform_tool_result  hears: text\n"},
	} {
		text, err := events(t, false, name)
		for _, w := range words {
			if err != nil || !strings.Contains(text, w) {
				t.Errorf("%s lacks %q: %v\n%s", name, w, err, text)
			}
		}
	}
	raw, err := events(t, true, "post_tool_call")
	var row eventRow
	if err != nil || json.Unmarshal([]byte(raw), &row) != nil || len(row.From) != 2 || len(row.Fields) == 0 || len(row.Common) != len(assent.CommonFields) {
		t.Errorf("%v: %s", err, raw)
	}
}

func TestHooksEventsKnowsWhatWasMeant(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"pre_toolcall": `did you mean "pre_tool_call"?`, "deploy": `there is no event "deploy"`} {
		text, err := events(t, false, name)
		var code bytes.Buffer
		if text != "" || err == nil || !strings.Contains(err.Error(), want) || finish(&code, err) != exitNotFound {
			t.Errorf("%s: %v, %q", name, err, text)
		}
	}
}
