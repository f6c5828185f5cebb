import json
import os
import urllib.request

PATIENCE = 3


async def handle(event_type, context):
    if context.get("iteration", 0) != PATIENCE:
        return
    used = ", ".join(context.get("tool_names", []))
    text = "%d steps so far in %s; the last used %s" % (PATIENCE, context["session_id"], used)
    body = json.dumps({"text": text}).encode()
    request = urllib.request.Request(os.environ["ALERT_URL"], data=body, headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=5).close()
