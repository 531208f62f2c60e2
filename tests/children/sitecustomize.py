"""Sets constants of modules in a process that a test starts; Python imports this module by itself.

``TEST_RUN_START_SECONDS`` prolongs the start of processes that are spawned: of runs, by a code server.
"""

import json
import os
import sys
import time
from importlib.machinery import SourceFileLoader
from types import ModuleType

_VALUES = json.loads(os.environ.get("TEST_CONSTANTS", "{}"))
_execute = SourceFileLoader.exec_module


def _exec_module(loader: SourceFileLoader, module: ModuleType) -> None:
    _execute(loader, module)
    vars(module).update(_VALUES.get(module.__name__, {}))


if _VALUES:
    setattr(SourceFileLoader, "exec_module", _exec_module)  # noqa: B010

if "spawn_main" in " ".join(sys.orig_argv):
    time.sleep(float(os.environ.get("TEST_RUN_START_SECONDS", 0)))
