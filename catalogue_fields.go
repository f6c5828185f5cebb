package assent

// What events carry: the fields of tools, turns, sessions, people and of an agent's
// own settings. All of it is data; a source that does not know a value leaves it out.

// Words that many fields share.
const (
	aboutPlatform = "where the conversation is: cli, or the name of a chat platform"
	aboutModel    = "the model's name"
	aboutUserID   = "the sender, by the platform's own id"
	aboutMessage  = "what the user said"
	aboutAnswer   = "the final answer, as text"
	aboutHistory  = "the conversation so far: a list of messages"
	aboutTool     = "the tool, in the words of whoever is told"
	aboutArgs     = "the tool's input: an object"
	aboutCallID   = "names the call, from before it until after it"
	aboutTrace    = "what changed the call on its way, in order"
	aboutResult   = "what came of it: a string that holds JSON"
	aboutTook     = "how long it took, in milliseconds"
	aboutStatus   = "ok or error"
	aboutErrType  = "the kind of error; there only if there was one"
	aboutError    = "what went wrong; there only if something did"
	aboutChatKey  = "names the conversation on its platform"
)

// CommonFields are in the payload of every event, as far as its source knows them.
// All ids are opaque: they are compared, and nothing is read out of them.
var CommonFields = []Field{
	{"telemetry_schema_version", "by whose schema the fields are named: hermes.observer.v1"},
	{"session_id", "the agent's session; a sub-agent has one of its own"},
	{"parent_session_id", "the session whose agent made this one"},
	{"turn_id", "one round from the user's words to the answer"},
	{"task_id", "what is worked on; the same over several turns"},
	{"api_request_id", "the request to a model that this came of"},
	{"api_call_count", "how many of those the turn has made"},
	{"agent", "which agent: claude, plain …"},
	{"profile", "under which profile of the configuration"},
	{"cwd", "the agent's working directory"},
}

var (
	ofToolCall = []Field{
		{"tool_name", aboutTool}, {"args", aboutArgs}, {"tool_call_id", aboutCallID}, {"middleware_trace", aboutTrace},
	}
	ofToolResult = []Field{
		{"tool_name", aboutTool}, {"args", aboutArgs}, {"tool_call_id", aboutCallID}, {"result", aboutResult},
		{"duration_ms", aboutTook}, {"status", aboutStatus}, {"error_type", aboutErrType}, {"error_message", aboutError},
		{"middleware_trace", aboutTrace},
	}
	ofTransform = []Field{
		{"tool_name", aboutTool}, {"args", aboutArgs}, {"tool_call_id", aboutCallID}, {"result", aboutResult},
		{"duration_ms", aboutTook}, {"status", aboutStatus}, {"error_type", aboutErrType}, {"error_message", aboutError},
	}
	ofTerminal = []Field{
		{"command", "the command line"}, {"output", "what it printed, bounded"},
		{"returncode", "its exit status; null while it runs in the background"}, {"env_type", "where it runs: local, docker …; empty in the background"},
	}
	ofSpeech        = []Field{{"text", "what would be said"}, {"provider", "who would say it"}}
	ofTranscription = []Field{
		{"file_path", "the recording; it cannot be changed"}, {"provider", "who would listen"}, {"model", aboutModel},
		{"prompt", "what the listener is told beforehand"}, {"language", "the language that is expected"}, {"source", "where the recording comes from"},
	}
)

var (
	ofTurn = []Field{
		{"user_message", aboutMessage + "; a list of parts where it is more than text"}, {"conversation_history", aboutHistory},
		{"is_first_turn", "whether nothing was said before"}, {"model", aboutModel}, {"platform", aboutPlatform}, {"sender_id", aboutUserID},
	}
	ofTurnAnswer = []Field{
		{"user_message", aboutMessage}, {"assistant_response", aboutAnswer}, {"conversation_history", aboutHistory}, {"model", aboutModel},
		{"platform", aboutPlatform},
	}
	ofOutput = []Field{{"response_text", aboutAnswer}, {"model", aboutModel}, {"platform", aboutPlatform}}
	ofVerify = []Field{
		{"final_response", aboutAnswer}, {"changed_paths", "the files that were edited"}, {"coding", "whether code was edited"},
		{"attempt", "how often the agent was sent back in this turn; of Claude Code only whether it was: 0 or 1"}, {"model", aboutModel}, {"platform", aboutPlatform},
	}
	ofTurnEnd = []Field{
		{"completed", "whether it came to an answer"}, {"failed", "whether an error ended it"}, {"interrupted", "whether somebody ended it"},
		{"turn_exit_reason", "why it ended, in a word"}, {"assistant_response", aboutAnswer + "; of agents that tell it"}, {"model", aboutModel},
		{"platform", aboutPlatform}, {"reason", "why, where the whole program ended"},
	}
	ofSessionStart = []Field{
		{"model", aboutModel}, {"platform", aboutPlatform}, {"source", "how it began: startup, resume, clear, compact; of agents that tell it"},
	}
	ofSessionEnd = []Field{
		{"platform", aboutPlatform}, {"reason", "why it is over"}, {"old_session_id", "the same session, where a new one follows"},
		{"new_session_id", "the session that follows"},
	}
	ofSessionReset = []Field{
		{"platform", aboutPlatform}, {"reason", "why"}, {"old_session_id", "the session that was put aside"}, {"new_session_id", "the session that follows"},
	}
	ofStopped = []Field{
		{"session_key", aboutChatKey}, {"platform", aboutPlatform}, {"reason", "who or what stopped it"},
		{"invalidation_reason", "why what it was doing counts no more"},
	}
	ofSkill = []Field{
		{"action", "what became of the skill"}, {"skill_name", "its name"}, {"provenance", "where it comes from"}, {"use_count", "how often it was used"},
		{"reused", "whether it had been used before"}, {"reuse_after_patch", "whether that was after a change"},
	}
	ofSubagentStart = []Field{
		{"parent_turn_id", "the turn in which it was made"}, {"parent_subagent_id", "the sub-agent that made it, if one did"},
		{"child_session_id", "its own session"}, {"child_subagent_id", "its own id"}, {"child_role", "what kind of agent it is"},
		{"child_goal", "what it is to do"},
	}
	ofSubagentStop = []Field{
		{"parent_turn_id", "the turn in which it was made"}, {"child_session_id", "its own session"}, {"child_role", "what kind of agent it was"},
		{"child_summary", "what it reports"}, {"child_status", "completed, failed, interrupted or error"},
		{"tool_call_history", "the calls that it made"}, {"duration_ms", aboutTook},
	}
)

const (
	aboutRequest = "what would run, in one line; empty for what is no command"
	aboutWhy     = "why somebody is asked"
	aboutCode    = "the first fact that made it so, by its code"
	aboutCodes   = "all of those"
	aboutSurface = "where the request is shown or was answered"
	aboutKind    = "what is asked for: approval, clarify, password …"
	aboutPrompt  = "what is asked, without secrets"
)

var (
	ofApproval = []Field{
		{"command", aboutRequest}, {"description", aboutWhy}, {"pattern_key", aboutCode}, {"pattern_keys", aboutCodes},
		{"session_key", aboutChatKey}, {"surface", aboutSurface}, {"tool_call_id", aboutCallID}, {"coalesced", "whether one more call joins a request that was open"},
		{"request_id", "names the request"}, {"request_digest", "the digest of what would run"},
	}
	ofApprovalEnd = []Field{
		{"command", aboutRequest}, {"description", aboutWhy}, {"pattern_key", aboutCode}, {"pattern_keys", aboutCodes},
		{"session_key", aboutChatKey}, {"surface", aboutSurface}, {"tool_call_id", aboutCallID}, {"request_id", "names the request"}, {"request_digest", "the digest of what would run"},
		{"choice", "once, session, always, deny, timeout, cancelled, notify_failed, smart_approve, smart_deny, hook_approve or hook_deny"},
		{"outcome", "what became of the request: approved, denied, expired or withdrawn"}, {"decided_by", "who answered"},
		{"reason", "what they wrote"}, {"notify", "true where an approver decided, and the reason is to be told where the request came from"}, {"cancelled", "why it was withdrawn; there only if it was"},
	}
	ofHuman = []Field{
		{"kind", aboutKind}, {"request_id", "the same before and after"}, {"session_key", aboutChatKey}, {"platform", aboutPlatform}, {"prompt", aboutPrompt},
	}
	ofHumanEnd = []Field{
		{"kind", aboutKind}, {"request_id", "the same before and after"}, {"session_key", aboutChatKey}, {"platform", aboutPlatform}, {"prompt", aboutPrompt},
		{"outcome", "how the wait ended, in a word; never what was typed"},
	}
	ofConfigChange = []Field{
		{"source", "which settings: user_settings, project_settings …"}, {"path", "the file that has changed"}, {"unwired", "whether the new settings no longer ask assent"},
	}
	ofNotification = []Field{{"message", "what the user is told"}, {"title", "its title"}, {"notification_type", "why, in the agent's own word"}}
	ofCompact      = []Field{{"trigger", "manual or auto"}, {"custom_instructions", "what the user asked to be kept"}}
	ofUnmapped     = []Field{{"native", "the event's name, in the agent's own words"}}
)
