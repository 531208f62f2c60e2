"""Input of the warehouse: a parser's fields, and documents with values and evidence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from docduck.fields import FieldType


@dataclass(frozen=True, slots=True)
class FieldColumns:
    """A field, or a column of a table field.

    ``id`` never changes; ``column`` is its assigned warehouse name (for a table field, the table's);
    ``columns`` are a table field's.
    """

    id: str
    name: str
    column: str
    type: FieldType
    description: str | None = None
    columns: tuple[FieldColumns, ...] = ()


@dataclass(frozen=True, slots=True)
class ParserSchema:
    """A parser's tables: ``schema`` is its slug; ``fields`` are in order.

    ``parser_id`` distinguishes the rows of a deleted parser from those of another with the same slug.
    """

    schema: str
    description: str | None = None
    fields: tuple[FieldColumns, ...] = ()
    parser_id: str = ""


class EvidenceRow(NamedTuple):
    """The position of a value: page from 1, box in 0–1 of the page with its origin top-left.

    A cell of a table has its column and its row, counted from 1.
    """

    field_id: str
    column_id: str | None = None
    row_number: int | None = None
    page: int | None = None
    left: float | None = None
    top: float | None = None
    width: float | None = None
    height: float | None = None
    confidence: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document to write to the warehouse.

    ``values`` are JSON values by field id, ``tables`` rows of JSON values by column id, by table field id;
    unknown fields are ignored. Times are aware, or UTC.
    """

    document_id: str
    name: str | None = None
    external_id: str | None = None
    status: str | None = None
    source: str | None = None
    folder: str | None = None
    page_count: int | None = None
    created_at: dt.datetime | None = None
    processed_at: dt.datetime | None = None
    approved_at: dt.datetime | None = None
    confidence: float | None = None
    duplicate_of: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    evidence: Iterable[EvidenceRow] = ()


@dataclass(frozen=True, slots=True)
class ParserChanges:
    """Documents of a parser to write, and ids of those to delete."""

    schema: ParserSchema
    upserts: Iterable[DocumentRow] = ()
    deletes: Iterable[str] = ()


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that doesn't fit its column and is NULL there. ``field`` may be ``Table.Column``."""

    document_id: str
    field: str
    row_number: int | None
    reason: str

    def __str__(self) -> str:
        row = "" if self.row_number is None else f", row {self.row_number}"
        return f"document {self.document_id}, {self.field}{row}: {self.reason}"


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of a write.

    ``rows`` counts rows of table fields; ``deleted`` counts documents that were removed. ``is_migrated`` is
    set if there were tables with other columns; ``needs_rebuild`` if a field changed its type, so that all of
    the parser's documents must be written again by ``Warehouse.replace``.
    """

    documents: int = 0
    rows: int = 0
    deleted: int = 0
    warnings: tuple[Misfit, ...] = ()
    is_migrated: bool = False
    needs_rebuild: bool = False

    @property
    def has_changed(self) -> bool:
        """Whether tables are not as they were; new ones without rows are no change."""
        return bool(self.documents or self.deleted or self.is_migrated)
