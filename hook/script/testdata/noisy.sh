#!/usr/bin/env bash
# pre_tool_call: a guard behind a shell profile that greets.
echo "Shell ready"
jq -c 'if .tool_input.command == "make deploy" then {decision: "block", reason: "no deploys on a Friday"} else {} end'
