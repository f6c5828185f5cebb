import time

BEGUN = {}


def register(ctx):
    def begin(session_id, model, platform):
        BEGUN[session_id] = time.monotonic()

    def finish(session_id, **_):
        begun = BEGUN.pop(session_id, None)
        if begun is not None:
            ctx.emit("session_timed", {"session": session_id, "seconds": time.monotonic() - begun})

    ctx.register_hook("on_session_start", begin)
    ctx.register_hook("on_session_finalize", finish)
