"""docduck turns documents into tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["connect", "extract"]

if TYPE_CHECKING:
    from docduck.extraction import extract
    from docduck.warehouse.connecting import connect
else:
    _MODULES = {"connect": "docduck.warehouse.connecting", "extract": "docduck.extraction"}

    def __getattr__(name: str) -> Any:
        """Import a public function on first use, to keep ``import docduck`` light."""
        if name not in _MODULES:
            raise AttributeError(f"module 'docduck' has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)
