#!/usr/bin/env bash
# post_tool_call, matcher write_file|patch: strip the blanks at the ends of lines.
path=$(jq -r '.tool_input.path // empty')
[[ $path == *.txt && -f $path ]] && sed -i.bak 's/[[:blank:]]*$//' "$path" && rm -f "$path.bak"
exit 0
