import logging
import os
import subprocess
import threading
from pathlib import Path

from hermes_constants import get_hermes_home

log = logging.getLogger("hooks.boot")


def carry_out(text):
    command = os.environ.get("BOOT_AGENT", "hermes").split()
    done = subprocess.run(command, input=text, text=True, capture_output=True, timeout=300)
    (Path(os.environ["HOOKS_OUT"]) / "boot.txt").write_text(done.stdout)
    log.info("BOOT.md was carried out: exit status %d", done.returncode)


def handle(event_type, context):
    list_of_things = get_hermes_home() / "BOOT.md"
    if not list_of_things.exists():
        return
    text = list_of_things.read_text().strip()
    if text:
        threading.Thread(target=carry_out, args=(text,), daemon=True).start()
