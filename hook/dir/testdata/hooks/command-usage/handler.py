import json
import os
from datetime import datetime, timezone
from pathlib import Path

BOOK = Path(os.environ["HOOKS_OUT"]) / "commands.jsonl"


def handle(event_type: str, context: dict):
    row = {
        "at": datetime.now(timezone.utc).isoformat(),
        "command": context.get("command"),
        "args": context.get("args"),
        "who": context.get("user_id"),
        "where": context.get("platform"),
    }
    with BOOK.open("a") as book:
        book.write(json.dumps(row) + "\n")
    if context.get("command") == "wipe":
        return {"decision": "Deny ", "message": "wiping is for administrators"}
    return {"decision": "allow"}
