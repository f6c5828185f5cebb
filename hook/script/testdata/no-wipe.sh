#!/usr/bin/env bash
# pre_tool_call, matcher terminal: nobody deletes a whole tree from the top.
set -euo pipefail
command=$(jq -r '.tool_input.command // ""')
if [[ $command =~ rm[[:space:]]+-[a-zA-Z]*r[a-zA-Z]*[[:space:]]+/ ]]; then
	jq -nc --arg c "$command" '{action: "block", message: ("not from the top of the disk: " + $c)}'
else
	echo '{}'
fi
