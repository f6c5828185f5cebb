"""The ctx that a plugin's register(ctx) is given. What assent does not have is there
as well, does nothing, and is reported by its name."""
import sys
import types

from assent_host.calls import LOOP, Callback
from assent_host.events import FIELDS
from assent_host.state import State


class Handle:
    """What a registrar returns. dispose() takes the registration back."""

    def __init__(self, release=None):
        self._release = release

    def dispose(self):
        release, self._release = self._release, None
        if release is not None:
            release()

    close = cancel = unregister = dispose

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.dispose()

    def __await__(self):
        return iter(())

    def __bool__(self):
        return True


class Absent:
    """Something of Hermes Agent's that is not here: any part of it may be called."""

    def __init__(self, name, note):
        self._name, self._note = name, note

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self._name + "." + name, self._note)

    def __call__(self, *args, **kwargs):
        self._note("it calls ctx.%s, which assent does not have: nothing was done" % self._name)
        return Handle()

    def __bool__(self):
        return False


class PluginContext:
    def __init__(self, unit, units):
        self.plugin_id = unit["key"]
        self.profile_name = unit.get("profile") or "default"
        self.manifest = types.SimpleNamespace(**dict({"name": self.plugin_id, "key": self.plugin_id}, **(unit.get("manifest") or {})))
        self.state = State(unit.get("data") or "")
        self._unit, self._units = unit, units
        self._settings = unit.get("settings") or {}
        self._granted = frozenset(unit.get("granted") or ())
        self._enabled = frozenset(unit.get("plugins") or ())
        self._handles, self._notes, self._counts = [], [], {}
        self._hooks, self._commands, self._tools = [], [], []
        self._loading = True

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Absent(name, self._note)

    def register_hook(self, hook_name, callback):
        return self._add(self._hooks, "hook", hook_name, callback, {"event": hook_name, "name": getattr(callback, "__qualname__", type(callback).__name__)})

    def register_command(self, name, handler, description="", args_hint="", argument_mode=None, **_):
        return self._add(self._commands, "command", name, handler, {"name": name.lstrip("/"), "description": description, "args_hint": args_hint})

    def register_tool(self, name, toolset="", schema=None, handler=None, check_fn=None, requires_env=None,
                      is_async=False, description="", emoji="", override=False, **_):
        about = {"name": name, "toolset": toolset, "schema": schema or {}, "description": description}
        return self._add(self._tools, "tool", name, handler, about)

    def subscribe(self, event, callback):
        return self._keep(self._units.bus.subscribe(event, self.plugin_id, Callback(callback)))

    def emit(self, event, payload=None):
        return self._units.bus.emit(self.plugin_id, event, payload)

    def get_config(self, key, default=None):
        value = self._settings
        for part in parts(key):
            if not isinstance(value, dict) or part not in value:
                return default
            value = value[part]
        return value

    def set_config(self, key, value):
        at, names = self._settings, parts(key)
        for part in names[:-1]:
            at = at.setdefault(part, {})
        at[names[-1]] = value
        self._note("it sets %s with ctx.set_config: that holds until the host is started again; write it to plugins.entries.%s.settings" % (key, self.plugin_id))

    def has_plugin(self, plugin_id):
        return plugin_id in self._enabled

    def has_capability(self, capability):
        return capability in self._granted

    def on_unload(self, callback):
        if not callable(callback):
            raise TypeError("on_unload takes something that can be called")
        return self._keep(callback)

    def spawn_task(self, coro, name=None):
        if not hasattr(coro, "__await__"):
            raise TypeError("spawn_task takes a coroutine")
        import asyncio

        try:
            loop = asyncio.get_running_loop()
            task = loop.create_task(coro)
            self._keep(lambda: loop.call_soon_threadsafe(task.cancel))
        except RuntimeError:
            task = asyncio.run_coroutine_threadsafe(coro, LOOP.running())
            self._keep(task.cancel)
        task.add_done_callback(lambda t: self._ended(name or "a task", t))
        return task

    def _ended(self, name, task):
        if not task.cancelled() and task.exception() is not None:
            self._note("%s ended with %s: %s" % (name, type(task.exception()).__name__, str(task.exception())[:200]))

    def _add(self, kept, kind, name, function, about):
        if not isinstance(name, str) or not name:
            raise ValueError("a %s needs a name" % kind)
        callback = Callback(function, FIELDS.get(name, ()) if kind == "hook" else ())
        if not self._loading:
            self._note("it registers the %s %s after register(ctx) has returned: nothing will call it" % (kind, name))
            return Handle()
        count = self._counts[kind, name] = self._counts.get((kind, name), 0) + 1
        key = "%s %s %s %d" % (self.plugin_id, kind, name, count)
        self._units.callbacks[key] = callback
        row = dict(about, callback=key)
        kept.append(row)

        def release():
            callback.live = False
            if self._loading and row in kept:
                kept.remove(row)

        return self._keep(release)

    def _keep(self, release):
        handle = Handle(release)
        self._handles.append(handle)
        return handle

    def _note(self, text):
        if self._loading:
            if text not in self._notes:
                self._notes.append(text)
        else:
            self._units.note(self.plugin_id, text)

    def _registered(self):
        self._loading = False
        return {"hooks": self._hooks, "commands": self._commands, "tools": self._tools, "notes": self._notes}

    def _dispose(self):
        """Takes back everything, the last first. What fails stops nothing."""
        for handle in reversed(self._handles):
            try:
                handle.dispose()
            except BaseException as e:
                print("%s: at its end: %s: %s" % (self.plugin_id, type(e).__name__, e), file=sys.stderr)


def parts(key):
    """A setting's key in its parts: "retry.policy"."""
    if not isinstance(key, str) or not key or "/" in key or "\\" in key or not all(key.split(".")):
        raise ValueError("a setting's key is like 'endpoint' or 'retry.policy', not %r" % (key,))
    return key.split(".")
