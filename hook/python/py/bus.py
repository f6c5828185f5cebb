"""Events among plugins: emit never waits, and two that answer each other come to an end."""
import copy
import queue
import threading

DEEPEST = 8
MOST_PENDING = 64


class Bus:
    def __init__(self, note):
        self.note = note
        self.lock = threading.Lock()
        self.listeners = {}
        self.queue = queue.SimpleQueue()
        self.pending = 0
        self.worker = None
        self.depth = threading.local()

    def subscribe(self, event, owner, callback):
        """Returns how to take it back."""
        if not isinstance(event, str) or not event:
            raise ValueError("an event has a name")
        entry = (owner, callback)
        with self.lock:
            self.listeners.setdefault(event, []).append(entry)

        def release():
            callback.live = False
            with self.lock:
                self.listeners[event].remove(entry)

        return release

    def emit(self, owner, event, payload=None):
        """Tells the subscribers of "<owner>:<event>", and returns how many they are."""
        if not isinstance(event, str) or not event or ":" in event:
            raise ValueError("emit takes the bare name of an event: the plugin's own name is put before it")
        name, depth = "%s:%s" % (owner, event), getattr(self.depth, "now", 0)
        with self.lock:
            told = list(self.listeners.get(name, ()))
            if not told:
                return 0
            full = self.pending >= MOST_PENDING
            if not full and depth < DEEPEST:
                self.pending += 1
                self.start()
        if depth >= DEEPEST or full:
            self.note(owner, "%s was dropped: %s" % (name, "too many events wait" if full else "events answer events without end"))
            return 0
        self.queue.put((name, told, dict(payload or {}), depth + 1))
        return len(told)

    def start(self):
        if self.worker is None:
            self.worker = threading.Thread(target=self.work, daemon=True)
            self.worker.start()

    def work(self):
        while True:
            name, told, payload, self.depth.now = self.queue.get()
            for owner, callback in told:
                try:
                    callback.call((), copy.deepcopy(payload))
                except BaseException as e:
                    self.note(owner, "it failed at %s: %s: %s" % (name, type(e).__name__, str(e)[:200]))
            with self.lock:
                self.pending -= 1
