"""Threads that run calls: never one behind a call that hangs, and calls that were
given up are stopped where Python can be stopped."""
import queue
import threading

KEEP = 8  # threads that wait for work


class Abandoned(BaseException):
    """Raised inside of a call that nobody waits for any more."""


class Pool:
    def __init__(self):
        self.jobs = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.idle = 0

    def run(self, job):
        with self.lock:
            fresh = self.idle == 0
            if not fresh:
                self.idle -= 1
        if fresh:
            threading.Thread(target=self.work, args=(job,), daemon=True).start()
        else:
            self.jobs.put(job)

    def work(self, job):
        while True:
            job()
            job = None
            with self.lock:
                if self.idle >= KEEP:
                    return
                self.idle += 1
            job = self.jobs.get()


class Call:
    """One call: which thread runs it, and whether it was given up."""

    def __init__(self, number):
        self.number = number
        self.lock = threading.Lock()
        self.thread = None
        self.stop = None  # how to stop what it awaits
        self.cancelled = False
        self.thrown = False

    def run(self, operation):
        with self.lock:
            if self.cancelled:
                raise Abandoned("it was given up before it began")
            self.thread = threading.get_ident()
        try:
            return operation()
        finally:
            self.finish()

    def finish(self):
        """After this, nothing is thrown into the thread any more."""
        while True:
            try:
                with self.lock:
                    thread, self.thread = self.thread, None
                    if self.thrown and thread is not None:
                        throw(thread, None)
                return
            except Abandoned:
                continue

    def cancel(self):
        with self.lock:
            self.cancelled = True
            if self.stop is not None:
                self.stop()
            elif self.thread is not None:
                self.thrown = throw(self.thread, Abandoned)


def throw(thread, what):
    """Raises an exception in another thread, at its next step in Python. None takes back
    what has not been raised yet. False where that is not possible."""
    try:
        import ctypes
    except ImportError:
        return False
    thing = None if what is None else ctypes.py_object(what)
    return ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), thing) > 0
