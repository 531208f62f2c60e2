"""docduck turns documents into tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["extract"]

if TYPE_CHECKING:
    from docduck.extraction import extract
else:

    def __getattr__(name: str) -> Any:
        """Import ``extract`` on first use, to keep ``import docduck`` light."""
        if name == "extract":
            from docduck.extraction import extract

            return extract
        raise AttributeError(f"module 'docduck' has no attribute {name!r}")
