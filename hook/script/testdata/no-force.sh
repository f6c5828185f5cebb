#!/usr/bin/env bash
# Claude Code's PreToolUse, matcher Bash: no forced pushes.
input=$(cat)
command=$(jq -r '.tool_input.command' <<<"$input")
case $command in
*"push --force"* | *"push -f"*)
	echo "forced pushes need a colleague ($(jq -r .hook_event_name <<<"$input"))" >&2
	exit 2
	;;
esac
