// Package claude speaks with Claude Code: it reads what its hooks are told,
// writes what they may answer, and edits the settings file that wires assent in.
//
// Everything in it is a pure function on bytes. It opens no file, reads no
// environment but the lookup it is given, and never decides anything. It does
// not read or keep CLAUDE_CODE_MESSAGING_TOKEN, which stands in every hook's
// environment.
//
//	event, err := claude.Codec.Decode("PreToolUse", stdin, os.Getenv)
//	if err != nil {
//		answer = claude.Codec.Fail("PreToolUse", "the call could not be read")
//	}
//	settings, err = claude.Wire(settings, "/usr/local/bin/assent")
package claude

// The codec as one value, and the events of Claude Code as one table.

import (
	"time"

	"assent"
)

// Name is the codec's short name, in commands and in Event.Agent.
const Name = "claude"

// Version is the release of Claude Code whose protocol is written down here, and
// that the end-to-end test runs.
const Version = "2.1.332"

// Margin is how far below Claude Code's own limit assent answers.
const Margin = 5 * time.Second

// Codec is Claude Code's.
var Codec = assent.Codec{
	Name:  Name,
	Agent: "Claude Code",
	Rows:  natives(rows),
	Can: assent.Powers{
		Block: true, Ask: true, Resume: true, Grant: true, Rewrite: true, Context: true,
		OnTimeout: "blocks", OnCrash: "blocks", // by onFailure, which Wire writes
	},
	Margin:  Margin,
	Decode:  decode,
	Restore: restore,
	Encode:  encode,
	Look:    look,
}

// row is one event of Claude Code.
type row struct {
	event   string
	name    string   // of the catalogue
	also    []string // further names of the catalogue
	limit   time.Duration
	gates   bool
	races   bool // Claude Code's own prompt is open meanwhile
	wired   bool // Wire adds it
	matched bool // its settings take a matcher
	tool    bool // it carries tool_name and tool_input
	call    bool // it carries tool_use_id
}

const (
	hold   = 600 * time.Second // a person may be asked meanwhile, or the user's hooks run tests
	glance = 30 * time.Second  // an observer writes a line
	last   = 10 * time.Second  // SessionEnd: the user waits for the prompt to come back
)

// rows are all 34 events of this version, those that gate first. What is not
// wired either costs a process for every line of text (MessageDisplay), or would
// change what Claude Code does by answering at all (WorktreeCreate), or tells
// nothing that the others do not.
var rows = []row{
	{event: "PreToolUse", name: assent.PreToolCall, limit: hold, gates: true, wired: true, matched: true, tool: true, call: true},
	{event: "PermissionRequest", name: assent.PreToolCall, limit: hold, gates: true, races: true, wired: true, matched: true, tool: true},
	{event: "PreSkillShellCommand", name: assent.PreToolCall, limit: hold, gates: true, wired: true, matched: true, tool: true, call: true},
	{event: "ConfigChange", name: assent.ConfigChange, limit: hold, gates: true, wired: true, matched: true},

	{event: "UserPromptSubmit", name: assent.PreLLMCall, limit: glance, wired: true},
	{event: "PostToolUse", name: assent.PostToolCall, also: []string{assent.TransformResult}, limit: hold, wired: true, matched: true, tool: true, call: true},
	{event: "PostToolUseFailure", name: assent.PostToolCall, limit: glance, wired: true, matched: true, tool: true, call: true},
	{event: "SessionStart", name: assent.SessionStart, limit: glance, wired: true, matched: true},
	{event: "SessionEnd", name: assent.SessionEnd, limit: last, wired: true, matched: true},
	{event: "Stop", name: assent.TurnEnd, also: []string{assent.PreVerify, assent.PostLLMCall}, limit: hold, wired: true},
	{event: "SubagentStart", name: assent.SubagentStart, limit: glance, wired: true, matched: true},
	{event: "SubagentStop", name: assent.SubagentStop, limit: glance, wired: true, matched: true},
	{event: "Notification", name: assent.Notification, limit: glance, wired: true, matched: true},
	{event: "PreCompact", name: assent.PreCompact, limit: glance, wired: true, matched: true},

	{event: "PermissionDenied", name: assent.UnmappedEvent, limit: glance, tool: true, call: true},
	{event: "PostToolBatch", name: assent.UnmappedEvent, limit: glance},
	{event: "UserPromptExpansion", name: assent.UnmappedEvent, limit: glance},
	{event: "StopFailure", name: assent.UnmappedEvent, limit: glance},
	{event: "PostCompact", name: assent.UnmappedEvent, limit: glance},
	{event: "PreModelSwitch", name: assent.UnmappedEvent, limit: glance},
	{event: "PostModelSwitch", name: assent.UnmappedEvent, limit: glance},
	{event: "Setup", name: assent.UnmappedEvent, limit: glance},
	{event: "TeammateIdle", name: assent.UnmappedEvent, limit: glance},
	{event: "TaskCreated", name: assent.UnmappedEvent, limit: glance},
	{event: "TaskCompleted", name: assent.UnmappedEvent, limit: glance},
	{event: "Elicitation", name: assent.UnmappedEvent, limit: glance},
	{event: "ElicitationResult", name: assent.UnmappedEvent, limit: glance},
	{event: "WorktreeCreate", name: assent.UnmappedEvent, limit: glance},
	{event: "WorktreeRemove", name: assent.UnmappedEvent, limit: glance},
	{event: "InstructionsLoaded", name: assent.UnmappedEvent, limit: glance},
	{event: "CwdChanged", name: assent.UnmappedEvent, limit: glance},
	{event: "FileChanged", name: assent.UnmappedEvent, limit: glance},
	{event: "DirectoryAdded", name: assent.UnmappedEvent, limit: glance},
	{event: "MessageDisplay", name: assent.UnmappedEvent, limit: last},
}

// rowOf returns an event's row. What is not known gates.
func rowOf(event string) (row, bool) {
	for _, r := range rows {
		if r.event == event {
			return r, true
		}
	}
	return row{event: event, name: assent.UnmappedEvent, gates: true}, false
}

func natives(rows []row) []assent.Native {
	out := make([]assent.Native, len(rows))
	for i, r := range rows {
		out[i] = assent.Native{Event: r.event, Name: r.name, Gates: r.gates, Races: r.races, Limit: r.limit, Also: r.also}
	}
	return out
}
