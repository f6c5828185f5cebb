package assent

// The catalogue of lifecycle events: what a row says, and how one is found.

import "strings"

// Hears says what a hook may answer to an event.
type Hears string

// What events hear (design section 5).
const (
	HearsDecision  Hears = "decision"  // Decision, Reason, Rewrite
	HearsDirective Hears = "directive" // words of its own
	HearsContext   Hears = "context"   // Context, joined in order
	HearsText      Hears = "text"      // Text, the first replacement
	HearsNothing   Hears = "nothing"   // observers
)

// EventType is one row of the catalogue. Its sentences are single lines for people.
type EventType struct {
	Name   string
	Hears  Hears
	When   string  // when it fires
	Answer string  // what a hook may say, as JSON; empty where nothing is heard
	Fold   string  // how the answers of several hooks become one; empty where nothing is heard
	Later  string  // the part of assent that will fire it; empty: it fires today
	Fields []Field // of its payload, beside those that every event has (CommonFields)
}

// Field is one field of an event's payload.
type Field struct{ Name, About string }

// Names of events that the code itself speaks of.
const (
	PreToolCall   = "pre_tool_call"
	PostToolCall  = "post_tool_call"
	PreLLMCall    = "pre_llm_call"
	SessionStart  = "on_session_start"
	TurnEnd       = "on_session_end" // fires at the end of every turn
	SessionEnd    = "on_session_finalize"
	SubagentStart = "subagent_start"
	SubagentStop  = "subagent_stop"
	ConfigChange  = "config_change" // an agent's settings are about to change
	Notification  = "notification"  // an agent tells its user something
	PreCompact    = "pre_compact"   // an agent is about to compress its context
	UnmappedEvent = "agent_event"   // an agent's event that has no name of ours

	PostLLMCall      = "post_llm_call"
	PreVerify        = "pre_verify"            // an agent is about to finish
	TransformResult  = "transform_tool_result" // what the model will see of a result
	ApprovalRequest  = "pre_approval_request"
	ApprovalResponse = "post_approval_response"
	HumanRequest     = "on_human_input_request"  // somebody is asked something
	HumanResolved    = "on_human_input_resolved" // and what became of it
)

// EventNamed returns the catalogue's row for an event name. The names that begin as
// a row like "command:*" does are of that row.
func EventNamed(name string) (EventType, bool) {
	for _, t := range Events {
		if family, open := strings.CutSuffix(t.Name, "*"); t.Name == name || open && len(name) > len(family) && strings.HasPrefix(name, family) {
			return t, true
		}
	}
	return EventType{}, false
}

// Gates reports whether events of this name hear a decision: what fails there
// must stop the agent. Names that are not in the catalogue do not gate; a codec
// denies those of its agent's events that it does not know and that gate.
func Gates(name string) bool {
	t, ok := EventNamed(name)
	return ok && t.Hears == HearsDecision
}
