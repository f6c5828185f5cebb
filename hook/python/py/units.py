"""What is loaded: handlers with handle(), and plugins with register(ctx)."""
import importlib.util
import os
import sys
import threading
import types
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader

from assent_host.bus import Bus
from assent_host.calls import LOOP, Callback
from assent_host.ctx import PluginContext


class Source(SourceFileLoader):
    """Loads what the source says. Compiled files beside it are neither read nor written:
    what was looked at is what runs."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class Units:
    def __init__(self, note):
        self.note = note
        self.lock = threading.Lock()
        self.callbacks = {}
        self.plugins = {}
        self.roots = []
        self.bus = Bus(self.note)
        sys.path_hooks.insert(0, self.finder)

    def finder(self, path):
        """Finds the modules inside of plugins."""
        if not any(path == root or path.startswith(root + os.sep) for root in self.roots):
            raise ImportError
        return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (Source, [".py"]))

    def call(self, name, args, kwargs, call):
        callback = self.callbacks.get(name)
        if callback is None:
            raise LookupError("nothing is registered under this name")
        return callback.call(args, kwargs, call)

    def load(self, unit, call):
        if unit["kind"] == "plugin":
            return self.load_plugin(unit, call)
        module = execute(unit["module"], unit["path"])
        handle = getattr(module, "handle", None)
        if handle is None:
            sys.modules.pop(unit["module"], None)
            raise AttributeError("it has no function called handle")
        self.callbacks[unit["key"]] = Callback(handle)
        return {}

    def load_plugin(self, unit, call):
        parent = sys.modules.setdefault("hermes_plugins", types.ModuleType("hermes_plugins"))
        parent.__path__ = []
        self.roots.append(unit["path"])
        ctx = PluginContext(unit, self)
        try:
            module = execute(unit["module"], os.path.join(unit["path"], "__init__.py"), [unit["path"]])
            register = getattr(module, "register", None)
            if register is None:
                raise AttributeError("it has no function called register")
            made = register(ctx)
            if hasattr(made, "__await__"):
                LOOP.wait(made, call)
        except BaseException:
            forget(unit["module"])
            ctx._dispose()
            raise
        self.plugins[unit["key"]] = ctx
        return ctx._registered()

    def close(self):
        """Runs what plugins left to be done at their end, the last one's first."""
        for ctx in reversed(list(self.plugins.values())):
            ctx._dispose()
        self.plugins.clear()
        return None


def execute(name, path, inside=None):
    """Runs a file as the module of this name, which is there while it runs."""
    spec = importlib.util.spec_from_file_location(name, path, loader=Source(name, path), submodule_search_locations=inside)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def forget(name):
    for key in [k for k in sys.modules if k == name or k.startswith(name + ".")]:
        sys.modules.pop(key, None)
