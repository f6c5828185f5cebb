package assent

// What events carry: the fields of chats, of task boards, and of requests to a model.

const (
	aboutBoard    = "the board's name"
	aboutAssignee = "whose task it is"
	aboutRun      = "names this try at the task"
	aboutPID      = "the worker's process"
	aboutRetry    = "whether it is tried again"
	aboutProfile  = "the profile by its name"
	aboutChatID   = "the chat, by the platform's own id"
	aboutThread   = "the thread within the chat; empty if there is none"
	aboutChatType = "dm, group, forum; empty if it is not known"
	aboutBegin    = "the first 500 characters of it"
)

var (
	ofGatewayStartup = []Field{{"platforms", "the names of the platforms that are connected"}}
	ofChatSession    = []Field{{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"session_key", aboutChatKey}}
	ofChatSessionEnd = []Field{{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"session_key", aboutChatKey}}
	ofCompression    = []Field{
		{"platform", aboutPlatform}, {"old_session_id", "the session before; empty if it goes on in place"},
		{"in_place", "whether the session stays the same one"}, {"compression_count", "how often this was done"},
	}
	ofChatTurn = []Field{
		{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"chat_id", aboutChatID}, {"thread_id", aboutThread}, {"chat_type", aboutChatType},
		{"message", aboutMessage + ": " + aboutBegin},
	}
	ofChatStep = []Field{
		{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"iteration", "which round it is, from 1"},
		{"tool_names", "the tools that were called, by name"}, {"tools", "the same, with what came of them"},
	}
	ofChatTurnEnd = []Field{
		{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"chat_id", aboutChatID}, {"thread_id", aboutThread}, {"chat_type", aboutChatType},
		{"message", aboutMessage + ": " + aboutBegin}, {"response", aboutAnswer + ": " + aboutBegin}, {"model", aboutModel}, {"provider", "whose model it is"},
	}
	ofReaction = []Field{
		{"platform", aboutPlatform}, {"reaction", "the emoji's name"}, {"user_id", aboutUserID}, {"item_user_id", "whose message it is"},
		{"item_type", "what it was put to"}, {"channel_id", aboutChatID}, {"message_ts", "names the message"}, {"team_id", "the workspace"},
		{"event_ts", "when, as the platform says it"}, {"event_name", "reaction:added or reaction:removed"}, {"raw_event", "what the platform sent"},
	}
	ofCommand = []Field{
		{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"command", "the command's own name, whatever alias was typed"}, {"args", "what stands after it"},
		{"raw_command", "the command as it was typed"}, {"raw_args", "what stands after it, as it was typed"},
	}
	ofRoute = []Field{
		{"platform", aboutPlatform}, {"user_id", aboutUserID}, {"chat_id", aboutChatID}, {"thread_id", aboutThread}, {"chat_type", aboutChatType},
		{"session_key", aboutChatKey}, {"message", aboutMessage},
	}
	ofDispatch = []Field{
		{"event", "the message: its text, who sent it and where"}, {"gateway", "the gateway itself; to Python plugins alone"},
		{"session_store", "its sessions; to Python plugins alone"},
	}
	ofPlatformEvent = []Field{{"platform", aboutPlatform}, {"event_type", "what happened"}, {"payload", "the rest, as that kind of event has it"}}
	ofSlashCommand  = []Field{
		{"surface", "cli or gateway"}, {"command", "the command's own name"}, {"alias_used", "the name that was typed"}, {"args_raw", "what stands after it"},
		{"session_key", aboutChatKey}, {"platform", aboutPlatform},
	}
	ofRoom = []Field{
		{"room_id", "the room"}, {"thread_id", aboutThread}, {"member_id", "who"}, {"execution_generation", "which run of the agent it belongs to"},
		{"kind", "what they do"}, {"seq", "its place in the order"}, {"payload", "the rest, as that kind has it"},
	}
)

var (
	ofTask        = []Field{{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}}
	ofTaskDone    = []Field{{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"summary", "what came of it"}}
	ofTaskBlocked = []Field{{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"reason", "why"}}
	ofTaskUpdate  = []Field{{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"changed_fields", "what of it was edited"}}
	ofWorker      = []Field{
		{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"worker_pid", aboutPID},
		{"workspace_path", "where it works"},
	}
	ofWorkerEnd = []Field{
		{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"worker_pid", aboutPID},
		{"exit_kind", "clean_exit, rate_limited, nonzero_exit, signaled or unknown"}, {"exit_code", "its exit status"},
		{"outcome", "what becomes of the task"}, {"retry_status", aboutRetry},
	}
	ofStaleClaim = []Field{
		{"profile_name", aboutProfile}, {"board", aboutBoard}, {"assignee", aboutAssignee}, {"run_id", aboutRun}, {"worker_pid", aboutPID},
		{"heartbeat_stale", "whether the worker had fallen silent"}, {"retry_status", aboutRetry},
	}
	ofTick = []Field{
		{"board", aboutBoard}, {"profile_name", aboutProfile}, {"dry_run", "whether nothing was to be started"},
		{"outcome", "ok, skipped_locked or idle"}, {"result", "what was started"},
	}
)

const (
	aboutProvider = "who serves the model"
	aboutBaseURL  = "the provider's address"
	aboutMode     = "which protocol is spoken"
	aboutBegun    = "when it began, in seconds since 1970"
	aboutEnded    = "when it ended, in seconds since 1970"
	aboutSeconds  = "how long it took, in seconds"
	aboutSent     = "the request, without secrets"
	aboutGot      = "the response, without secrets"
	aboutUsage    = "the tokens it cost"
	aboutFinish   = "why the model stopped"
	aboutServed   = "the model that answered"
	aboutCount    = "how many messages were sent"
	aboutRetries  = "which attempt it is, from 0"
	aboutRound    = "which round of the turn it is"
	aboutAux      = "what the model is asked for"
)

var (
	ofRequest = []Field{
		{"user_message", aboutMessage}, {"conversation_history", aboutHistory}, {"platform", aboutPlatform}, {"model", aboutModel},
		{"provider", aboutProvider}, {"base_url", aboutBaseURL}, {"api_mode", aboutMode}, {"retry_count", aboutRetries},
		{"request_messages", "the messages that are sent"}, {"message_count", aboutCount}, {"tool_count", "how many tools are offered"},
		{"approx_input_tokens", "about how many tokens that is"}, {"request_char_count", "how many characters that is"},
		{"max_tokens", "how long the answer may become"}, {"started_at", aboutBegun}, {"middleware_trace", aboutTrace}, {"request", aboutSent},
	}
	ofResponse = []Field{
		{"model", aboutModel}, {"provider", aboutProvider}, {"base_url", aboutBaseURL}, {"api_mode", aboutMode}, {"api_duration", aboutSeconds},
		{"started_at", aboutBegun}, {"first_chunk_at", "when the answer began, in seconds since 1970"}, {"ended_at", aboutEnded},
		{"finish_reason", aboutFinish}, {"message_count", aboutCount}, {"response_model", aboutServed}, {"response", aboutGot}, {"usage", aboutUsage},
		{"assistant_message", "the message itself"}, {"assistant_content_chars", "how many characters it has"},
		{"assistant_tool_call_count", "how many calls it asks for"}, {"moa_references", "the answers of other models that it was made of"},
	}
	ofRequestError = []Field{
		{"model", aboutModel}, {"provider", aboutProvider}, {"base_url", aboutBaseURL}, {"api_mode", aboutMode}, {"api_duration", aboutSeconds},
		{"started_at", aboutBegun}, {"ended_at", aboutEnded}, {"status_code", "the status of HTTP"}, {"retry_count", aboutRetries},
		{"max_retries", "how many attempts there are at most"}, {"retryable", "whether one more may help"}, {"reason", "the kind of error"},
		{"error", "what went wrong"}, {"request", aboutSent},
	}
	ofClassification = []Field{
		{"provider", aboutProvider}, {"model", aboutModel}, {"status_code", "the status of HTTP"}, {"error_type", "the kind of error, as the provider calls it"},
		{"error_code", "its code, as the provider calls it"}, {"error_message", "what went wrong"}, {"error_body", "what the provider sent"},
		{"error", "the error itself; to Python plugins alone"}, {"approx_tokens", "about how long the request was"},
		{"context_length", "how long it may be"}, {"num_messages", aboutCount},
	}
	ofAuxiliary = []Field{
		{"aux_task", aboutAux}, {"model", aboutModel}, {"provider", aboutProvider}, {"message_count", aboutCount}, {"streaming", "whether it is answered piece by piece"},
		{"request", aboutSent},
	}
	ofAuxiliaryEnd = []Field{
		{"aux_task", aboutAux}, {"model", aboutModel}, {"provider", aboutProvider}, {"message_count", aboutCount}, {"streaming", "whether it is answered piece by piece"},
		{"request", aboutSent}, {"api_duration", aboutSeconds}, {"ended_at", aboutEnded}, {"finish_reason", aboutFinish}, {"response_model", aboutServed},
		{"usage", aboutUsage}, {"response", aboutGot}, {"error", aboutError}, {"error_type", aboutErrType},
	}
	ofStream      = []Field{{"iteration", aboutRound}, {"model", aboutModel}, {"provider", aboutProvider}, {"surface", "where it is shown"}}
	ofStreamDelta = []Field{
		{"iteration", aboutRound}, {"model", aboutModel}, {"provider", aboutProvider}, {"surface", "where it is shown"}, {"delta", "the piece"}, {"kind", "text or reasoning"},
	}
	ofStreamEnd = []Field{
		{"iteration", aboutRound}, {"model", aboutModel}, {"provider", aboutProvider}, {"surface", "where it is shown"}, {"final_text", "the whole of it"},
		{"finished", "whether it is complete"}, {"error", aboutError},
	}
	ofInterim = []Field{
		{"iteration", aboutRound}, {"model", aboutModel}, {"provider", aboutProvider}, {"surface", "where it is shown"}, {"text", "what it says"},
		{"already_streamed", "whether it was shown piece by piece"},
	}
)
