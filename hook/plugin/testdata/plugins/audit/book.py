import json
import threading


class Book:
    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a", buffering=1)
        self.lock = threading.Lock()

    def add(self, **row):
        with self.lock:
            self.file.write(json.dumps(row) + "\n")

    def close(self):
        self.add(closed=True)
        self.file.close()
