#!/bin/sh
# An approval hook in one jq filter, for an agent that runs a home: it may ask its own
# controller what it knows, and may not read secrets. People see to all the rest.
#
#   approvals: {mode: custom, hook: "sh /path/to/guard.sh"}
#
# \A and \z hold the whole command: ^ and $ would be content with one line of it.
exec jq -c '
  if any(.findings[]; .code == "secret.read") then
    {decision: "deny", reason: "this agent reads no secrets"}
  elif .tool == "terminal" and (.command | test("\\Acurl (-s )?http://10\\.0\\.0\\.5(:[0-9]+)?/[A-Za-z0-9/_-]*\\z")) then
    {decision: "approve", reason: "asks the home controller"}
  else
    {decision: "escalate", reason: "nothing that this hook knows"}
  end'
