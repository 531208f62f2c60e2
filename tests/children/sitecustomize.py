"""Sets constants of modules in a process that a test starts; Python imports this module by itself."""

import json
import os
from importlib.machinery import SourceFileLoader
from types import ModuleType

_VALUES = json.loads(os.environ.get("TEST_CONSTANTS", "{}"))
_execute = SourceFileLoader.exec_module


def _exec_module(loader: SourceFileLoader, module: ModuleType) -> None:
    _execute(loader, module)
    vars(module).update(_VALUES.get(module.__name__, {}))


if _VALUES:
    setattr(SourceFileLoader, "exec_module", _exec_module)  # noqa: B010
