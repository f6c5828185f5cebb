def register(ctx):
    ctx.register_hook("pre_tool_call", lambda **_: None)
    import a_package_that_nobody_has
