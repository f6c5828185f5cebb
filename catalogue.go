package assent

// The catalogue of lifecycle events: their names, and what each hears.

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

// EventType is one row of the catalogue.
type EventType struct {
	Name   string
	Hears  Hears
	When   string  // when it fires, in one line
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
)

// Events is the catalogue, in the order of an agent's life. Names are those of
// Hermes Agent where it has one; the last block is our own.
var Events = []EventType{
	{Name: "gateway:startup", Hears: HearsNothing},
	{Name: "session:start", Hears: HearsNothing},
	{Name: "session:end", Hears: HearsNothing},
	{Name: "session:reset", Hears: HearsNothing},
	{Name: "session:compress", Hears: HearsNothing},
	{Name: "agent:start", Hears: HearsNothing},
	{Name: "agent:step", Hears: HearsNothing},
	{Name: "agent:end", Hears: HearsNothing},
	{Name: "reaction:added", Hears: HearsNothing},
	{Name: "reaction:removed", Hears: HearsNothing},
	{Name: "command:*", Hears: HearsDirective},
	{Name: "message:pre_route", Hears: HearsDirective},

	{Name: PreToolCall, Hears: HearsDecision},
	{Name: PostToolCall, Hears: HearsNothing},
	{Name: "pre_tts_synthesis", Hears: HearsDirective},
	{Name: "pre_transcription", Hears: HearsDirective},
	{Name: "transform_tool_result", Hears: HearsText},
	{Name: "transform_terminal_output", Hears: HearsText},
	{Name: PreLLMCall, Hears: HearsContext},
	{Name: "post_llm_call", Hears: HearsNothing},
	{Name: "transform_llm_output", Hears: HearsText},
	{Name: "pre_verify", Hears: HearsDirective},
	{Name: "pre_api_request", Hears: HearsNothing},
	{Name: "post_api_request", Hears: HearsNothing},
	{Name: "api_request_error", Hears: HearsNothing},
	{Name: "transform_api_error_classification", Hears: HearsDirective},
	{Name: "pre_auxiliary_call", Hears: HearsNothing},
	{Name: "post_auxiliary_call", Hears: HearsNothing},
	{Name: "on_stream_start", Hears: HearsNothing},
	{Name: "on_stream_delta", Hears: HearsNothing},
	{Name: "on_stream_end", Hears: HearsNothing},
	{Name: "on_interim_message", Hears: HearsNothing},
	{Name: SessionStart, Hears: HearsContext},
	{Name: TurnEnd, Hears: HearsNothing},
	{Name: SessionEnd, Hears: HearsNothing},
	{Name: "on_session_reset", Hears: HearsNothing},
	{Name: "agent_loop_stopped", Hears: HearsNothing},
	{Name: "on_skill_lifecycle", Hears: HearsNothing},
	{Name: SubagentStart, Hears: HearsNothing},
	{Name: SubagentStop, Hears: HearsNothing},
	{Name: "pre_gateway_dispatch", Hears: HearsDirective},
	{Name: "gateway_platform_event", Hears: HearsNothing},
	{Name: "pre_command", Hears: HearsNothing},
	{Name: "pre_approval_request", Hears: HearsNothing},
	{Name: "post_approval_response", Hears: HearsNothing},
	{Name: "on_human_input_request", Hears: HearsNothing},
	{Name: "on_human_input_resolved", Hears: HearsNothing},
	{Name: "on_room_member_activity", Hears: HearsNothing},
	{Name: "kanban_task_claimed", Hears: HearsNothing},
	{Name: "kanban_task_completed", Hears: HearsNothing},
	{Name: "kanban_task_blocked", Hears: HearsNothing},
	{Name: "on_kanban_worker_spawned", Hears: HearsNothing},
	{Name: "on_kanban_worker_exited", Hears: HearsNothing},
	{Name: "on_kanban_stale_claim", Hears: HearsNothing},
	{Name: "on_kanban_task_updated", Hears: HearsNothing},
	{Name: "on_kanban_dispatch_tick", Hears: HearsNothing},

	{Name: ConfigChange, Hears: HearsDecision},
	{Name: Notification, Hears: HearsNothing},
	{Name: PreCompact, Hears: HearsNothing},
	{Name: UnmappedEvent, Hears: HearsNothing},
}

// EventNamed returns the catalogue's row for an event name.
func EventNamed(name string) (EventType, bool) {
	for _, t := range Events {
		if t.Name == name {
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
