package main

// Synthetic events: whole for every row of the catalogue, and what a payload file
// makes of one.

import (
	"encoding/json"
	"strings"
	"testing"

	"assent"
	"assent/hook"
)

func TestEveryEventHasASample(t *testing.T) {
	t.Parallel()
	for _, row := range assent.Events {
		name, err := eventMeant(row.Name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sample(name, "/srv/shop", "")
		if err != nil {
			t.Fatal(err)
		}
		told := hook.Kwargs(e)
		for _, f := range row.Fields {
			if !json.Valid(told[f.Name]) {
				t.Errorf("%s: the sample has no %s", row.Name, f.Name)
			}
		}
		if (e.Tool != "") != (told["args"] != nil && strings.Contains(row.Name, "tool")) {
			t.Errorf("%s: %q, %s", row.Name, e.Tool, told["args"])
		}
	}
}

func TestAnEventIsMeantByAnyOfItsNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"pre_tool_call": "pre_tool_call", "PreToolUse": "pre_tool_call", "Stop": "pre_verify", "PermissionRequest": "pre_tool_call",
		"command:*": "command:new", "command:reset": "command:reset", "agent:*": "", "PreTool": "", "": "", "command:": "",
	} {
		if got, err := eventMeant(name); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestAToolIsMeantByAnyOfItsNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "shell", "Bash": "shell", "terminal": "shell", "bash": "shell", "run_shell_command": "shell", "write_file": "write", "Read": "read",
		"MultiEdit": "edit", "WebFetch": "fetch", "Task": "agent", "mcp__github__merge": "mcp/github/merge", "mcp/github/merge": "mcp/github/merge",
		"TodoWrite": "todowrite",
	} {
		if got := oursOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestAPayloadFileTakesThePlaceOfWhatItNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ payload, tool, input, session, extra string }{
		{`{}`, "shell", `{"command":"git push --force origin main"}`, "try", ""},
		{`{"args":{"command":"ls"}}`, "shell", `{"command":"ls"}`, "try", ""},
		{`{"tool_name":"Write","tool_input":{"file_path":"/x","content":"y"},"session_id":"s9"}`, "write", `{"content":"y","path":"/x"}`, "s9", ""},
		{`{"tool_name":"write_file"}`, "write", `{"content":"hello\n","path":"/srv/README.md"}`, "try", ""},
		{`{"extra":{"colour":"red"},"hook_event_name":"other"}`, "shell", `{"command":"git push --force origin main"}`, "try", `"red"`},
		{`{"colour":"red"}`, "shell", `{"command":"git push --force origin main"}`, "try", `"red"`},
	} {
		e, err := sample(assent.PreToolCall, "/srv", "")
		if err == nil {
			err = merge(&e, []byte(c.payload))
		}
		if err != nil || e.Tool != c.tool || string(e.Input) != c.input || e.Session != c.session || string(e.Extra["colour"]) != c.extra {
			t.Errorf("%s: %s %s %s %s, %v", c.payload, e.Tool, e.Input, e.Session, e.Extra["colour"], err)
		}
	}
	for _, payload := range []string{``, `[]`, `null`, `"x"`, `{`, `{"tool_name":7}`, `{"session_id":{}}`, `{"args":"ls"}`, `{"tool_input":[1]}`} {
		e, err := sample(assent.PreToolCall, "/srv", "")
		if err == nil {
			err = merge(&e, []byte(payload))
		}
		if coded(err).code != exitUsage {
			t.Errorf("%s: %v", payload, err)
		}
	}
}
