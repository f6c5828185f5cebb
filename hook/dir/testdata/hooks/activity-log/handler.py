import json
import os
from datetime import datetime
from pathlib import Path

LOG = Path(os.environ["HOOKS_OUT"]) / "activity.jsonl"


async def handle(event_type: str, context: dict):
    line = {"time": datetime.now().isoformat(timespec="seconds"), "event": event_type, **context}
    with open(LOG, "a") as log:
        log.write(json.dumps(line) + "\n")
