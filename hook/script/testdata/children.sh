#!/usr/bin/env bash
# subagent_stop: keep a line for each agent that has ended.
jq -c '{session: .session_id, status: .extra.child_status}' >>"$HERMES_HOME/children.jsonl"
