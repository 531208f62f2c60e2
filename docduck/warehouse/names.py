"""Names of tables and columns in the warehouse: made from names of fields, checked and quoted."""

from __future__ import annotations

import re
from collections.abc import Collection

from docduck.errors import InputError
from docduck.ids import snake_case, unique

DOCUMENTS = "documents"
EVIDENCE = "_evidence"
META_SCHEMA = "_docduck"

DOCUMENT_COLUMNS = frozenset(
    {"document_id", "name", "external_id", "status", "source", "folder", "page_count"}
    | {"created_at", "processed_at", "approved_at", "confidence", "duplicate_of"}
)
TABLE_COLUMNS = frozenset({"document_id", "row_number"})
TABLES = frozenset({DOCUMENTS, EVIDENCE})
RESERVED_SCHEMAS = frozenset(
    {"main", "temp", "system", "information_schema", "pg_catalog", "analytics", "warehouse", META_SCHEMA}
)
"""Names that DuckDB reserves, or that would be ambiguous with the files' own names."""

_LONGEST = 63
_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]*")


def assign_column(name: str, taken: Collection[str]) -> str:
    """Return the column of ``documents`` for a scalar field, different from ``taken`` and reserved names.

    It is assigned when a field is created or renamed; ``taken`` are the columns of the parser's other scalar
    fields. Clashing names get ``_2``, ``_3`` and so on.
    """
    return _unique(snake_case(name), {*taken, *DOCUMENT_COLUMNS})


def assign_table(name: str, taken: Collection[str]) -> str:
    """Return the table for a table field; ``taken`` are the parser's other tables."""
    return _unique(snake_case(name, "table"), {*taken, *TABLES})


def assign_table_column(name: str, taken: Collection[str]) -> str:
    """Return the column for a column of a table field; ``taken`` are the table's other columns."""
    return _unique(snake_case(name, "column"), {*taken, *TABLE_COLUMNS})


def check_schema(name: str) -> str:
    """Return ``name`` if it is a valid schema name; raise InputError otherwise."""
    if name in RESERVED_SCHEMAS or not _SLUG.fullmatch(name) or len(name) > _LONGEST:
        raise InputError(
            f"'{name}' can't be the name of a warehouse schema: use up to {_LONGEST} lower-case letters,"
            f" digits, - and _, and none of {', '.join(sorted(RESERVED_SCHEMAS))}"
        )
    return name


def check_column(name: str, reserved: Collection[str], place: str) -> str:
    """Return ``name`` if it is a valid identifier and not reserved; raise InputError otherwise."""
    if name in reserved or not _IDENTIFIER.fullmatch(name):
        raise InputError(f"{place}: '{name}' can't be a name in the warehouse; rename the field")
    return name


def quoted(*parts: str) -> str:
    """Return an SQL identifier with each part in double quotes: ``"invoices"."line_items"``."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)


def literal(text: str) -> str:
    """Return an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def _unique(base: str, taken: Collection[str]) -> str:
    return unique(base[: _LONGEST - 5].rstrip("_") or base, taken)
