"""What goes back: results as JSON whatever they are, and failures in one sentence."""
import json
import math
import threading
import traceback

DEEPEST = 32


class TooLarge(Exception):
    pass


def text(value):
    try:
        return str(value)
    except BaseException:
        return "<%s that cannot be shown>" % type(value).__name__


def encode(value, limit):
    """A value as JSON. What JSON has no form for becomes text."""
    try:
        raw = json.dumps(value, default=text, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        raw = json.dumps(plain(value, DEEPEST), separators=(",", ":"))
    if len(raw) > limit:
        raise TooLarge("its result has %d bytes, and %d are the most" % (len(raw), limit))
    return raw.encode()


def plain(value, depth):
    """A value in the types of JSON alone, cut off where it is too deep."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else text(value)
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {text(k): plain(v, depth - 1) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, depth - 1) for v in value]
    return text(value)


class Failure:
    """An exception as it is told: type and the first 200 characters. The whole is
    printed, once for each that looks different."""

    seen = set()
    lock = threading.Lock()

    def __init__(self, error):
        self.error = error
        self.type = type(error).__name__
        self.text = text(error)[:200]

    def told(self, message):
        where = self.where()
        subject = message.get("callback") or message.get("unit", {}).get("key", "")
        with self.lock:
            key = (subject, self.type, self.text)
            fresh = key not in self.seen and len(self.seen) < 1000
            self.seen.add(key) if fresh else None
        if fresh and isinstance(self.error, Exception) and not isinstance(self.error, TooLarge):
            print("%s failed:" % subject)
            traceback.print_exception(type(self.error), self.error, self.error.__traceback__)
        return {"type": self.type, "text": self.text, "where": where}

    def where(self):
        """The last line of the user's own that it came through: "handler.py:12"."""
        found = ""
        for frame in traceback.extract_tb(self.error.__traceback__):
            if not frame.filename.startswith("<"):
                found = "%s:%d" % (frame.filename.replace("\\", "/").rsplit("/", 1)[-1], frame.lineno)
        return found
