#!/usr/bin/env bash
# transform_tool_result: no key reaches the model.
jq -c '{text: (.extra.result | gsub("key-[0-9]+"; "key-…"))}'
