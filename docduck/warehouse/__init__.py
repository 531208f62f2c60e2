"""The catalog projected into DuckDB, one schema per parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docduck.warehouse.publication import Published
from docduck.warehouse.rows import Applied, DocumentRow, EvidenceRow, FieldSpec, Misfit, ParserSchema

if TYPE_CHECKING:
    from docduck.warehouse.query import Answer
    from docduck.warehouse.warehouse import Warehouse

__all__ = [
    "Answer",
    "Applied",
    "DocumentRow",
    "EvidenceRow",
    "FieldSpec",
    "Misfit",
    "ParserSchema",
    "Published",
    "Warehouse",
]


def __getattr__(name: str) -> Any:
    """``Answer`` and ``Warehouse`` when they are asked for: DuckDB and Arrow are large, and few need them."""
    if name == "Warehouse":
        from docduck.warehouse.warehouse import Warehouse

        return Warehouse
    if name == "Answer":
        from docduck.warehouse.query import Answer

        return Answer
    raise AttributeError(name)
