"""The layout of documents as rows and columns: the only module that knows the scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan
from docduck.exports.values import Flat, flat, json_ready
from docduck.fields import Field, FieldType

Row = list[Flat]
Rows = Callable[[ExportDocument], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``kind`` tells which texts are ISO dates or moments."""

    name: str
    kind: Literal["value", "date", "moment"] = "value"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Columns, and a function that returns a document's rows."""

    name: str
    columns: tuple[Column, ...]
    rows: Rows


DOCUMENT_COLUMNS = (
    Column("document_id"),
    Column("document_name"),
    Column("external_id"),
    Column("status"),
    Column("created_at", "moment"),
)


def sheets(plan: ExportPlan) -> list[Sheet]:
    """Return the sheets of a plan with a scope: one, or for ``all_sheets`` one more than there are tables."""
    match plan.scope:
        case Scope.FIELDS_ONLY:
            return [_fields_sheet(plan)]
        case Scope.ALL_FLAT:
            return [_flat_sheet(plan)]
        case Scope.TABLE:
            assert plan.table is not None
            return [_table_sheet(plan.table)]
        case _:
            return [_fields_sheet(plan), *(_table_sheet(table) for table in plan.tables)]


class Source:
    """Documents, read once, counting them and their rows."""

    def __init__(self, documents: Iterable[ExportDocument]) -> None:
        self._documents = documents
        self._document_count = 0
        self._row_count = 0

    @property
    def written(self) -> Written:
        return Written(self._document_count, self._row_count)

    def documents(self) -> Iterator[ExportDocument]:
        """Yield each document, counted as a row."""
        for document in self._documents:
            self._document_count += 1
            self._row_count += 1
            yield document

    def rows(self, layout: Sequence[Sheet]) -> Iterator[tuple[int, Row]]:
        """Yield the rows of all documents with the index of their sheet."""
        for document in self._documents:
            self._document_count += 1
            for index, sheet in enumerate(layout):
                for row in sheet.rows(document):
                    self._row_count += 1
                    yield index, row


def nested(fields: Iterable[Field], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``data`` in the API's shape: every field, tables as lists of complete rows."""
    return {json_ready(field.name): _nested(field, data.get(field.name)) for field in fields}


def unique(name: str, taken: Iterable[str]) -> str:
    """Return ``name``, with the lowest number from 2 if necessary to differ from ``taken``."""
    others = set(taken)
    candidate, number = name, 2
    while candidate in others:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _nested(field: Field, value: Any) -> Any:
    if field.type is FieldType.TABLE:
        return [
            {json_ready(column.name): json_ready(row.get(column.name)) for column in field.columns}
            for row in _table_rows(value)
        ]
    if field.type is FieldType.LIST and value is None:
        return []
    return json_ready(value)


def _table_rows(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []


def _columns(*more: Column) -> tuple[Column, ...]:
    columns = list(DOCUMENT_COLUMNS)
    for column in more:
        name = unique(json_ready(column.name), (other.name for other in columns))
        columns.append(Column(name, column.kind))
    return tuple(columns)


def _column(field: Field, name: str) -> Column:
    return Column(name, "date" if field.type is FieldType.DATE else "value")


def _start(document: ExportDocument) -> Row:
    values = (document.id, document.name, document.external_id, document.status, document.created_at)
    return [flat(value) for value in values]


def _fields_sheet(plan: ExportPlan) -> Sheet:
    scalars = plan.scalars

    def rows(document: ExportDocument) -> Iterator[Row]:
        yield [*_start(document), *(flat(document.data.get(field.name)) for field in scalars)]

    return Sheet("Fields", _columns(*(_column(field, field.name) for field in scalars)), rows)


def _table_sheet(table: Field) -> Sheet:
    def rows(document: ExportDocument) -> Iterator[Row]:
        start = _start(document)
        for number, row in enumerate(_table_rows(document.data.get(table.name)), start=1):
            yield [*start, number, *(flat(row.get(column.name)) for column in table.columns)]

    columns = (_column(column, column.name) for column in table.columns)
    return Sheet(json_ready(table.name), _columns(Column("row_number"), *columns), rows)


def _flat_sheet(plan: ExportPlan) -> Sheet:
    columns: list[Column] = []
    tables: list[tuple[Field, int]] = []
    for field in plan.fields:
        if field.type is FieldType.TABLE:
            tables.append((field, len(DOCUMENT_COLUMNS) + len(columns)))
            columns += [_column(column, f"{field.name}.{column.name}") for column in field.columns]
        else:
            columns.append(_column(field, field.name))

    def rows(document: ExportDocument) -> Iterator[Row]:
        shared = _start(document)
        for field in plan.fields:
            if field.type is FieldType.TABLE:
                shared += [None] * len(field.columns)
            else:
                shared.append(flat(document.data.get(field.name)))
        lone = True
        for table, place in tables:
            for row in _table_rows(document.data.get(table.name)):
                lone = False
                cells = [flat(row.get(column.name)) for column in table.columns]
                yield [*shared[:place], *cells, *shared[place + len(cells) :]]
        if lone:
            yield shared

    return Sheet("Data", _columns(*columns), rows)
