import json
from collections import Counter

COUNTS = Counter()


class Meter:
    def __init__(self, ctx):
        self.ctx = ctx

    def tool(self, tool_name, duration_ms):
        COUNTS["calls." + tool_name] += 1
        self.ctx.state.set("counts", dict(COUNTS))

    async def model(self, *, model, usage=None):
        COUNTS["tokens." + model] += (usage or {}).get("total_tokens", 0)


def register(ctx):
    COUNTS.update(ctx.state.get("counts", {}))
    meter = Meter(ctx)
    ctx.register_hook("post_tool_call", meter.tool)
    ctx.register_hook("post_api_request", meter.model)
    ctx.register_command("/metrics", lambda raw_args: json.dumps(COUNTS, sort_keys=True), description="Shows the counts")
    ctx.register_tool(
        name="read_metrics", toolset="metrics", description="The counts so far",
        schema={"name": "read_metrics", "parameters": {"type": "object", "properties": {}}},
        handler=lambda args, **_: json.dumps(COUNTS),
    )
