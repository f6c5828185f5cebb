"""A plugin's own durable state: one JSON object in one private file."""
import json
import os
import re
import threading
from contextlib import contextmanager
from pathlib import Path

MOST = 10 * 1024 * 1024
KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")


class State:
    quota_bytes = MOST

    def __init__(self, directory):
        self._directory = directory
        self._lock = threading.Lock()

    @property
    def data_dir(self):
        if not self._directory:
            raise RuntimeError("no place for plugins' data is set up")
        return Path(self._directory)

    @property
    def path(self):
        return self.data_dir / "state.json"

    def get(self, key, default=None):
        check(key)
        with self._locked():
            return self._read().get(key, default)

    def set(self, key, value):
        check(key)
        with self._locked():
            self._write(dict(self._read(), **{key: value}))

    def _read(self):
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError as e:
            raise RuntimeError("%s is damaged: %s" % (self.path, e))
        if not isinstance(data, dict):
            raise RuntimeError("%s is damaged: it holds no object" % self.path)
        return data

    def _write(self, data):
        try:
            raw = json.dumps(data, ensure_ascii=False, indent=2).encode("utf-8")
        except (TypeError, ValueError) as e:
            raise ValueError("a plugin's state is JSON: %s" % e)
        if len(raw) > MOST:
            raise ValueError("a plugin's state has at most %d bytes, and this has %d" % (MOST, len(raw)))
        fresh = self.path.with_name("state.json.new")
        with os.fdopen(os.open(str(fresh), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as f:
            f.write(raw)
            f.flush()
            os.fsync(f.fileno())
        os.replace(str(fresh), str(self.path))

    @contextmanager
    def _locked(self):
        """Alone among the threads here, and where files can be locked, among processes."""
        with self._lock:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(str(self.data_dir / ".state.lock"), "a+b") as f:
                try:
                    import fcntl
                except ImportError:
                    yield
                    return
                fcntl.flock(f, fcntl.LOCK_EX)
                yield


def check(key):
    if not isinstance(key, str) or not KEY.fullmatch(key) or ".." in key:
        raise ValueError("a key of a plugin's state has 1 to 128 letters, digits, '_', '-', '.' or ':'")
