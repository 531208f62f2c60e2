"""The warehouse: documents as DuckDB tables, one schema per parser.

Begin with ``warehouse``; ``layout`` has the columns, ``publication`` the analysts' copy, ``lake`` the same in
a bucket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docduck.warehouse.publication import Published
from docduck.warehouse.rows import (
    DocumentRow,
    EvidenceRow,
    FieldColumns,
    Misfit,
    ParserChanges,
    ParserSchema,
    WriteResult,
)

if TYPE_CHECKING:
    from docduck.warehouse.published_copy import QueryResult
    from docduck.warehouse.warehouse import Warehouse
    from docduck.warehouse.warehouse_file import WarehouseFile

__all__ = [
    "DocumentRow",
    "EvidenceRow",
    "FieldColumns",
    "Misfit",
    "ParserChanges",
    "ParserSchema",
    "Published",
    "QueryResult",
    "Warehouse",
    "WarehouseFile",
    "WriteResult",
]


def __getattr__(name: str) -> Any:
    """Import the warehouse on first use: DuckDB and Arrow are large."""
    if name == "Warehouse":
        from docduck.warehouse.warehouse import Warehouse

        return Warehouse
    if name == "WarehouseFile":
        from docduck.warehouse.warehouse_file import WarehouseFile

        return WarehouseFile
    if name == "QueryResult":
        from docduck.warehouse.published_copy import QueryResult

        return QueryResult
    raise AttributeError(name)
