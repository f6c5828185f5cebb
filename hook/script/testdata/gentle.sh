#!/usr/bin/env bash
# pre_tool_call: try it first.
jq -c 'if (.tool_input.command | startswith("terraform apply")) then {action: "modify", args: {command: "terraform plan"}}
	elif (.tool_input.command | startswith("terraform")) then {action: "approve", message: "somebody should look"}
	else {} end'
