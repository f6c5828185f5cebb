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
	Name  string
	Hears Hears
}

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
)

// Events is the catalogue, in the order of an agent's life. Names are those of
// Hermes Agent where it has one; the last block is our own.
var Events = []EventType{
	{"gateway:startup", HearsNothing},
	{"session:start", HearsNothing},
	{"session:end", HearsNothing},
	{"session:reset", HearsNothing},
	{"session:compress", HearsNothing},
	{"agent:start", HearsNothing},
	{"agent:step", HearsNothing},
	{"agent:end", HearsNothing},
	{"reaction:added", HearsNothing},
	{"reaction:removed", HearsNothing},
	{"command:*", HearsDirective},
	{"message:pre_route", HearsDirective},

	{PreToolCall, HearsDecision},
	{PostToolCall, HearsNothing},
	{"pre_tts_synthesis", HearsDirective},
	{"pre_transcription", HearsDirective},
	{"transform_tool_result", HearsText},
	{"transform_terminal_output", HearsText},
	{PreLLMCall, HearsContext},
	{"post_llm_call", HearsNothing},
	{"transform_llm_output", HearsText},
	{"pre_verify", HearsDirective},
	{"pre_api_request", HearsNothing},
	{"post_api_request", HearsNothing},
	{"api_request_error", HearsNothing},
	{"transform_api_error_classification", HearsDirective},
	{"pre_auxiliary_call", HearsNothing},
	{"post_auxiliary_call", HearsNothing},
	{"on_stream_start", HearsNothing},
	{"on_stream_delta", HearsNothing},
	{"on_stream_end", HearsNothing},
	{"on_interim_message", HearsNothing},
	{SessionStart, HearsNothing},
	{TurnEnd, HearsNothing},
	{SessionEnd, HearsNothing},
	{"on_session_reset", HearsNothing},
	{"agent_loop_stopped", HearsNothing},
	{"on_skill_lifecycle", HearsNothing},
	{SubagentStart, HearsNothing},
	{SubagentStop, HearsNothing},
	{"pre_gateway_dispatch", HearsDirective},
	{"gateway_platform_event", HearsNothing},
	{"pre_command", HearsNothing},
	{"pre_approval_request", HearsNothing},
	{"post_approval_response", HearsNothing},
	{"on_human_input_request", HearsNothing},
	{"on_human_input_resolved", HearsNothing},
	{"on_room_member_activity", HearsNothing},
	{"kanban_task_claimed", HearsNothing},
	{"kanban_task_completed", HearsNothing},
	{"kanban_task_blocked", HearsNothing},
	{"on_kanban_worker_spawned", HearsNothing},
	{"on_kanban_worker_exited", HearsNothing},
	{"on_kanban_stale_claim", HearsNothing},
	{"on_kanban_task_updated", HearsNothing},
	{"on_kanban_dispatch_tick", HearsNothing},

	{ConfigChange, HearsDecision},
	{Notification, HearsNothing},
	{PreCompact, HearsNothing},
	{UnmappedEvent, HearsNothing},
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
