"""Changes a process that a test starts; Python imports this module by itself.

``TEST_CONSTANTS`` sets constants of modules. ``TEST_RUN_START_SECONDS`` prolongs the start of processes that
are spawned: of runs, by a code server. ``TEST_DELAY_SECONDS`` delays timers and background work.
"""

import json
import os
import sys
import time
from importlib import import_module
from importlib.machinery import SourceFileLoader
from types import ModuleType

_VALUES = json.loads(os.environ.get("TEST_CONSTANTS", "{}"))
_DELAY = float(os.environ.get("TEST_DELAY_SECONDS", 0))
_execute = SourceFileLoader.exec_module


def _exec_module(loader: SourceFileLoader, module: ModuleType) -> None:
    _execute(loader, module)
    vars(module).update(_VALUES.get(module.__name__, {}))
    if _DELAY and module.__name__ == "starlette.background":
        import_module("delays").delay_tasks(module, _DELAY)


if _VALUES or _DELAY:
    setattr(SourceFileLoader, "exec_module", _exec_module)  # noqa: B010

if _DELAY:
    import_module("delays").delay_timers(_DELAY)

if "spawn_main" in " ".join(sys.orig_argv):
    time.sleep(float(os.environ.get("TEST_RUN_START_SECONDS", 0)))
