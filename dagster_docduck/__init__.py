"""docduck in Dagster: its own code location, and what other Dagster projects use.

docduck's own definitions are in ``orchestration.definitions``. Other projects use ``DocduckIOManager``, by
which assets take docduck's tables, and ``DocduckComponent``, which runs docduck inside of a project.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["AFTER_NEW_ROWS", "DocduckComponent", "DocduckIOManager"]

if TYPE_CHECKING:
    from dagster_docduck.automation import AFTER_NEW_ROWS
    from dagster_docduck.component.component import DocduckComponent
    from dagster_docduck.resources.io_manager import DocduckIOManager
else:
    _MODULES = {
        "AFTER_NEW_ROWS": "automation",
        "DocduckComponent": "component.component",
        "DocduckIOManager": "resources.io_manager",
    }

    def __getattr__(name: str) -> object:
        """Import a public name when it is used: most of docduck's own processes use none of them."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
