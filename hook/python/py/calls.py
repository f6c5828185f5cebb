"""Callbacks: called with the keywords that they declare; coroutines are awaited."""
import threading
import types

EVERYTHING = None  # a callback with **kwargs


def declared(function):
    """The keywords that a function takes, and those that it must be given."""
    bare, skip = function, 0
    if isinstance(function, types.MethodType):
        bare, skip = function.__func__, 1
    if not isinstance(bare, types.FunctionType) or hasattr(bare, "__wrapped__"):
        return declared_by_signature(function)
    code, only = bare.__code__, bare.__kwdefaults__ or {}
    plain = code.co_varnames[max(skip, code.co_posonlyargcount):code.co_argcount]
    keyword = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    needed = plain[:max(0, len(plain) - len(bare.__defaults__ or ()))] + tuple(n for n in keyword if n not in only)
    return EVERYTHING if code.co_flags & 0x08 else frozenset(plain + keyword), needed


def declared_by_signature(function):
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return EVERYTHING, ()
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    needed = tuple(p.name for p in named if p.default is p.empty)
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        return EVERYTHING, needed
    return frozenset(p.name for p in named), needed


class Callback:
    """A function of the user's, and how it wants to be called. The fields are what its
    event may carry: those that it needs, and that are not known, are None."""

    def __init__(self, function, fields=()):
        if not callable(function):
            raise TypeError("a callback must be callable, not %s" % type(function).__name__)
        self.function = function
        self.names, needed = declared(function)
        self.filled = tuple(n for n in needed if n in fields)
        self.live = True

    def call(self, args, kwargs, call=None):
        if not self.live:
            return None
        kwargs = kwargs or {}
        if self.names is not EVERYTHING and kwargs:
            kwargs = {k: v for k, v in kwargs.items() if k in self.names}
        for name in self.filled:
            kwargs.setdefault(name, None)
        value = self.function(*(args or ()), **kwargs)
        return LOOP.wait(value, call) if hasattr(value, "__await__") else value


class Loop:
    """One event loop for all coroutines. One that blocks it gets it for itself: the
    others go on in a new one."""

    def __init__(self):
        self.lock = threading.Lock()
        self.loop = None

    def running(self):
        import asyncio

        with self.lock:
            if self.loop is None:
                self.loop = asyncio.new_event_loop()
                threading.Thread(target=self.turn, args=(self.loop,), daemon=True).start()
            return self.loop

    @staticmethod
    def turn(loop):
        import asyncio

        asyncio.set_event_loop(loop)
        loop.run_forever()

    def wait(self, awaitable, call=None):
        """What a coroutine returns, or raises."""
        task = Task(awaitable)
        while True:
            loop = self.running()
            task.begin_in(loop, call)
            if task.begun.wait(1.0) or not task.withdraw():
                break
            with self.lock:
                if self.loop is loop:
                    self.loop = None
        task.done.wait()
        if call is not None:
            with call.lock:
                call.stop = None
        return task.task.result()


class Task:
    """A coroutine that is to begin in one loop, and in one only."""

    def __init__(self, awaitable):
        self.awaitable = awaitable
        self.lock = threading.Lock()
        self.place = None
        self.task = None
        self.begun = threading.Event()
        self.done = threading.Event()

    def begin_in(self, loop, call):
        with self.lock:
            self.place = loop
        if call is not None:
            with call.lock:
                call.stop = lambda: loop.call_soon_threadsafe(self.cancel)
        loop.call_soon_threadsafe(self.begin, loop)

    def begin(self, loop):
        with self.lock:
            if self.place is not loop or self.task is not None:
                return
            self.task = loop.create_task(self.whole())
        self.task.add_done_callback(lambda _: self.done.set())
        self.begun.set()

    async def whole(self):
        try:
            return await self.awaitable
        except (SystemExit, KeyboardInterrupt) as e:  # which would end the loop
            raise RuntimeError("%s: %s" % (type(e).__name__, e)) from e

    def cancel(self):
        if self.task is not None:
            self.task.cancel()

    def withdraw(self):
        """Takes it out of a loop that does not begin it. False: it has begun."""
        with self.lock:
            if self.task is not None:
                return False
            self.place = None
            return True


LOOP = Loop()
