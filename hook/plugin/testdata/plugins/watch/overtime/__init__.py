def register(ctx):
    kept = []

    async def note(session, seconds):
        kept.append(session)
        ctx.state.set("timed", kept)

    ctx.subscribe("timing:session_timed", note)
    ctx.state.set("with", {"timing": ctx.has_plugin("timing"), "calendar": ctx.has_plugin("calendar"), "id": ctx.plugin_id, "profile": ctx.profile_name})
