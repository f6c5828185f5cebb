"""Modules of Hermes Agent that plugins and handlers import. Where an installed Hermes
Agent is at hand, its own are found first. Of the rest, those that assent can stand in
for are here; any other says by name that it is not."""
import os
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path

from assent_host.events import NAMES

THEIRS = frozenset((
    "acp_adapter", "agent", "cron", "gateway", "hermes_cli", "hermes_constants", "hermes_logging", "hermes_state",
    "hermes_time", "model_tools", "run_agent", "tools", "toolsets", "tui_gateway",
))


def get_hermes_home():
    return Path(os.environ.get("HERMES_HOME") or Path.home() / ".hermes")


def display_hermes_home():
    home, user = str(get_hermes_home()), str(Path.home())
    return "~" + home[len(user):] if home.startswith(user + os.sep) else home


def stand_ins():
    from assent_host.ctx import PluginContext

    return {
        "hermes_constants": {"get_hermes_home": get_hermes_home, "display_hermes_home": display_hermes_home},
        "hermes_cli": {},
        "hermes_cli.plugins": {"PluginContext": PluginContext, "VALID_HOOKS": NAMES},
    }


class Finder:
    """The last one asked for a module."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if name in self.modules:
            return ModuleSpec(name, self, is_package=any(m.startswith(name + ".") for m in self.modules))
        if name.partition(".")[0] in THEIRS:
            raise ModuleNotFoundError(missing(name), name=name)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__.update(self.modules[module.__name__])
        module.__getattr__ = lambda name: absent(module.__name__, name)


def absent(module, name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(missing(module + "." + name), name=module)


def missing(name):
    return "%s belongs to Hermes Agent itself, and assent has nothing that stands for it: what needs it works only there" % name


def install():
    sys.meta_path.append(Finder(stand_ins()))
