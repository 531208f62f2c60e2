"""The warehouse: documents as DuckDB tables, one schema per parser. Begin with ``warehouse``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docduck.warehouse.publication import Published
from docduck.warehouse.rows import DocumentRow, EvidenceRow, FieldColumns, Misfit, ParserSchema, WriteResult

if TYPE_CHECKING:
    from docduck.warehouse.query import QueryResult
    from docduck.warehouse.warehouse import Warehouse

__all__ = [
    "DocumentRow",
    "EvidenceRow",
    "FieldColumns",
    "Misfit",
    "ParserSchema",
    "Published",
    "QueryResult",
    "Warehouse",
    "WriteResult",
]


def __getattr__(name: str) -> Any:
    """Import ``QueryResult`` and ``Warehouse`` on first use: DuckDB and Arrow are large."""
    if name == "Warehouse":
        from docduck.warehouse.warehouse import Warehouse

        return Warehouse
    if name == "QueryResult":
        from docduck.warehouse.query import QueryResult

        return QueryResult
    raise AttributeError(name)
