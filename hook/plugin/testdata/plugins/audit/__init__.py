"""An audit log: one line of JSON for every call of a tool."""
import time

from .book import Book


def register(ctx):
    book = Book(ctx.state.data_dir / "audit.jsonl")

    def after_call(tool_name, args, result=None, status="ok", session_id="", duration_ms=0, **_):
        book.add(at=time.time(), tool=tool_name, input=args, status=status, session=session_id, ms=duration_ms)

    def after_child(child_session_id="", child_status="", **_):
        book.add(at=time.time(), child=child_session_id, status=child_status)

    ctx.register_hook("post_tool_call", after_call)
    ctx.register_hook("subagent_stop", after_child)
    ctx.on_unload(book.close)
