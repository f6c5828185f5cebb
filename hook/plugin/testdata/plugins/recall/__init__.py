import asyncio

NOTES = {"deploy": "Deployments go out on Tuesdays.", "tea": "The user drinks tea, never coffee."}


async def look_up(text):
    await asyncio.sleep(0)
    return [note for word, note in NOTES.items() if word in text.lower()]


async def recall(session_id, user_message, is_first_turn=False, **kwargs):
    found = await look_up(user_message)
    if not found:
        return None
    return {"context": "From memory:\n" + "\n".join("- " + note for note in found)}


def greet(user_message, platform, sender_id):
    if sender_id is None and platform == "cli" and user_message.startswith("hello"):
        return "The user is at a terminal."


def register(ctx):
    ctx.register_hook("pre_llm_call", recall)
    ctx.register_hook("pre_llm_call", greet)
