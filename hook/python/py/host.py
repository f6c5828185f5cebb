"""The host: one line of JSON in, one out; calls run in threads beside each other."""
import json
import os
import signal
import sys
import threading

from assent_host import pool, shims, units
from assent_host.results import Failure, encode


class Host:
    def __init__(self, limit):
        self.limit = limit
        self.lines, self.out = private_streams()
        self.writing = threading.Lock()
        self.calls = {}
        self.pool = pool.Pool()
        self.units = units.Units(self.note)

    def send(self, raw):
        with self.writing:
            while raw:
                raw = raw[os.write(self.out, raw):]

    def answer(self, number, raw):
        self.send(b'{"id":%d,%s}\n' % (number, raw))

    def note(self, unit, text):
        """Tells something about a unit that nobody has asked for."""
        self.send(json.dumps({"unit": unit, "note": text}).encode() + b"\n")

    def serve(self):
        for line in self.lines:
            message = json.loads(line)
            if message["op"] == "cancel":
                call = self.calls.get(message["call"])
                if call is not None:
                    call.cancel()
                self.answer(message["id"], b'"value":null')
                continue
            call = pool.Call(message["id"])
            self.calls[call.number] = call
            self.pool.run(lambda call=call, message=message: self.work(call, message))

    def work(self, call, message):
        try:
            raw = b'"value":' + encode(call.run(self.operation(message, call)), self.limit)
        except BaseException as e:  # also SystemExit: a handler ends itself, never the host
            raw = b'"error":' + json.dumps(Failure(e).told(message)).encode()
        self.calls.pop(call.number, None)
        self.answer(call.number, raw)
        if message["op"] == "close":
            leave()

    def operation(self, message, call):
        """The function that does what a message asks for."""
        name = message["op"]
        if name == "call":
            return lambda: self.units.call(message["callback"], message.get("args"), message.get("kwargs"), call)
        if name == "many":
            return lambda: self.many(message, call)
        if name == "load":
            return lambda: self.units.load(message["unit"], call)
        return self.units.close

    def many(self, message, call):
        """Calls a callback several times, in order. The first failure is told at the end."""
        failed, first = 0, None
        for one in message["calls"]:
            if call.cancelled:
                break
            try:
                self.units.call(message["callback"], one.get("args"), one.get("kwargs"), call)
            except pool.Abandoned:
                raise
            except BaseException as e:
                failed += 1
                first = first or e
        if first is not None:
            raise first
        return {"failed": failed}


def private_streams():
    """Takes standard input and output away from everybody else: what is printed, in
    Python or in C, goes to the log."""
    lines = os.fdopen(os.dup(0), "rb", 1 << 16)
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    return lines, out


def user_packages():
    """Adds what the user has installed for themselves, behind everything else."""
    import site

    path = site.getusersitepackages()
    if os.path.isdir(path):
        sys.path.append(path)


def leave():
    """Ends, and takes along whatever was started in the same process group."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def main(limit):
    sys.argv = [""]
    host = Host(limit)
    user_packages()
    shims.install()
    import logging

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    host.send(json.dumps({"hello": "%d.%d.%d" % sys.version_info[:3]}).encode() + b"\n")
    try:
        host.serve()
    finally:
        leave()
