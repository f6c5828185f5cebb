import re

KEY = re.compile(r"\b(?:key|token)-[A-Za-z0-9]{8,}")


def redact(tool_name: str, result: str, **_):
    clean = KEY.sub("[removed]", result)
    return clean if clean != result else None


def register(ctx):
    ctx.register_hook("transform_tool_result", redact)
