#!/usr/bin/env bash
# pre_llm_call: tell the model which branch is checked out.
dir=$(jq -r '.cwd')
branch=$(cat "$dir/BRANCH" 2>/dev/null) || exit 0
jq -nc --arg b "$branch" '{context: ("The branch is " + $b + ".")}'
