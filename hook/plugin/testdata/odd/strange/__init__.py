from hermes_cli.plugins import VALID_HOOKS, PluginContext


def register(ctx: PluginContext):
    assert "pre_tool_call" in VALID_HOOKS
    ctx.register_hook("pre_tool_cal", lambda **_: {"action": "block", "message": "never"})
    with ctx.register_middleware("tool_request", lambda **_: None):
        pass
    ctx.llm.complete("a poem").dispose()
    ctx.set_config("retries.most", 3)
    assert ctx.get_config("retries.most") == 3
    if ctx.has_capability("tools.override") or ctx.platform_actions:
        raise RuntimeError("there is no such thing")
    gone = ctx.register_hook("post_tool_call", lambda **_: None)
    gone.dispose()
    ctx.register_hook("post_tool_call", lambda **_: ctx.inject_message("later"))
