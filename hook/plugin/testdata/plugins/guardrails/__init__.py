def register(ctx):
    forbidden = ctx.get_config("forbidden", [])

    def check(tool_name, args, **_):
        command = args.get("command", "")
        for word in forbidden:
            if word in command:
                return {"action": "block", "message": "%r is forbidden here" % word}
        if tool_name == "terminal" and command.startswith("deploy"):
            return {"action": "approve", "message": "deployments need a person", "rule_key": "deploy"}
        if tool_name == "write_file" and args.get("path", "").startswith("~"):
            return {"action": "modify", "args": {"path": args["path"].replace("~", "/home/me", 1)}}

    ctx.register_hook("pre_tool_call", check)
