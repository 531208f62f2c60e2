"""The layout of documents as sheets of rows and columns: the only module that knows the scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from docduck.clock import iso
from docduck.exports.columns import (
    DOCUMENT_COLUMNS,
    NUMBER_COLUMN,
    PROPERTY_COLUMNS,
    ROW_NUMBER,
    Column,
    Kind,
    chosen,
    column_of,
    columns_of,
    named_apart,
)
from docduck.exports.model import ExportDocument, Scope, key_of
from docduck.exports.plan import ExportPlan
from docduck.exports.spool import RowSpool
from docduck.exports.values import json_ready
from docduck.fields import Field, FieldType

Row = list[Any]
Convert = Callable[[Any], Any]
Rows = Callable[[ExportDocument], Iterator[Row]]

_PROPERTIES: Mapping[str, Callable[[ExportDocument], Any]] = {
    "$id": lambda document: document.id,
    "$name": lambda document: document.name,
    "$externalId": lambda document: document.external_id,
    "$status": lambda document: document.status,
    "$createdAt": lambda document: iso(document.created_at),
    "$updatedAt": lambda document: iso(document.updated_at),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet with the rows of ``tables``, given by key.

    If ``of_documents``, documents without such rows have one row.
    """

    name: str
    columns: tuple[Column, ...]
    tables: tuple[str, ...] = ()
    of_documents: bool = True

    def reader(self, convert: Callable[[Column], Convert]) -> Rows:
        """Return a function that returns a document's rows; ``convert`` returns a column's conversion."""
        shared = [(_reading(column), convert(column)) for column in self.columns]
        tables = [(table, *self._places(table, convert)) for table in self.tables]

        def rows(document: ExportDocument) -> Iterator[Row]:
            common = [convert(read(document)) for read, convert in shared]
            lone = self.of_documents
            for table, places, numbers in tables:
                for number, row in enumerate(table_rows(document.data.get(table)), start=1):
                    lone = False
                    cells = common.copy()
                    for place, key, convert in places:
                        cells[place] = convert(row.get(key))
                    for place, convert in numbers:
                        cells[place] = convert(number)
                    yield cells
            if lone:
                yield common

        return rows

    def _places(
        self, table: str, convert: Callable[[Column], Convert]
    ) -> tuple[list[tuple[int, str, Convert]], list[tuple[int, Convert]]]:
        """Return the places of a table's columns with their keys, and those of row numbers."""
        places = [(place, column) for place, column in enumerate(self.columns)]
        return (
            [
                (place, column.key, _cleaned(column, convert(column)))
                for place, column in places
                if column.table == table
            ],
            [(place, convert(column)) for place, column in places if _is_number(column)],
        )


def sheets(plan: ExportPlan) -> list[Sheet]:
    """Return the sheets of a plan with a scope: one, or for ``all_sheets`` one more than there are tables."""
    match plan.scope:
        case Scope.FIELDS_ONLY:
            chosen = [_fields_sheet(plan)]
        case Scope.ALL_FLAT:
            chosen = [_flat_sheet(plan)]
        case Scope.TABLE:
            assert plan.table is not None
            chosen = [_table_sheet(plan, plan.table, with_fields=True)]
        case _:
            chosen = [_fields_sheet(plan), *(_table_sheet(plan, table) for table in plan.tables)]
    return [sheet for sheet in chosen if sheet.columns]


def possible_refs(plan: ExportPlan) -> set[str]:
    """Return the refs of the columns that a layout with this format, scope and table can choose."""
    everything = [*PROPERTY_COLUMNS, NUMBER_COLUMN, *map(column_of, plan.scalars)]
    everything += [column for table in plan.tables for column in columns_of(table)]
    refs = [column.ref for column in everything]
    probe = plan.with_columns(refs)
    return {column.ref for sheet in sheets(probe) for column in sheet.columns}


class SheetRows:
    """The sheets of documents, one after the other, each with its rows; documents are read once.

    The rows of all sheets but the first are kept on disk until it is their turn. Iterate over all rows of a
    sheet before the next.
    """

    def __init__(
        self,
        documents: Iterable[ExportDocument],
        layout: Sequence[Sheet],
        convert: Callable[[Column], Convert],
    ) -> None:
        self._documents = documents
        self._layout = layout
        self._readers = [sheet.reader(convert) for sheet in layout]
        self.document_count = 0
        self.row_count = 0

    def __iter__(self) -> Iterator[tuple[Sheet, Iterator[Row]]]:
        with ExitStack() as stack:
            spools = [stack.enter_context(RowSpool()) for _ in self._layout[1:]]
            yield self._layout[0], self._first(spools)
            for sheet, spool in zip(self._layout[1:], spools, strict=True):
                yield sheet, iter(spool)

    def _first(self, spools: Sequence[RowSpool]) -> Iterator[Row]:
        first, *others = self._readers
        for document in self._documents:
            self.document_count += 1
            for row in first(document):
                self.row_count += 1
                yield row
            for read, spool in zip(others, spools, strict=True):
                for row in read(document):
                    self.row_count += 1
                    spool.add(row)


def nested(fields: Iterable[Field]) -> Callable[[ExportDocument], dict[str, Any]]:
    """Return a function that returns a document's data in the API's shape: every field, complete rows."""
    items = [(json_ready(field.name), key_of(field), _nesting(field)) for field in fields]
    return lambda document: {name: convert(document.data.get(key)) for name, key, convert in items}


def table_rows(value: Any) -> list[Mapping[str, Any]]:
    """Return the rows of a table's value; empty if it is not a table."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []


def _nesting(field: Field) -> Convert:
    if field.type is not FieldType.TABLE:
        return _clean_list if field.type is FieldType.LIST else _clean
    columns = [
        (json_ready(column.name), key_of(column), _clean_list if column.type is FieldType.LIST else as_is)
        for column in field.columns
    ]
    return lambda value: [
        {name: convert(row.get(key)) for name, key, convert in columns} for row in table_rows(value)
    ]


def as_is(value: Any) -> Any:
    """Return a value as it is."""
    return value


def _clean(value: Any) -> Any:
    """Return a value; None for the rows of a field that was a table when the document was processed."""
    return None if isinstance(value, list) and table_rows(value) else value


def _clean_list(value: Any) -> Any:
    return [] if (items := _clean(value)) is None else items


def _cleaned(column: Column, convert: Convert) -> Convert:
    return (lambda value: convert(_clean_list(value))) if column.kind is Kind.LIST else convert


def _is_number(column: Column) -> bool:
    return column.is_property and column.key == ROW_NUMBER


def _reading(column: Column) -> Convert:
    """Return the function that returns the column's value of a document; None for tables' columns."""
    if column.table is not None or _is_number(column):
        return lambda document: None
    if column.is_property:
        return _PROPERTIES[column.key]
    clean, key = _clean_list if column.kind is Kind.LIST else _clean, column.key
    return lambda document: clean(document.data.get(key))


def _layout(plan: ExportPlan, usual: Sequence[Column], further: Sequence[Column] = ()) -> tuple[Column, ...]:
    """Return the columns that the plan's layout chooses, or else the usual ones."""
    if plan.columns is None:
        return named_apart((*DOCUMENT_COLUMNS, *usual))
    return chosen(plan.columns, (*PROPERTY_COLUMNS, *usual, *further))


def _fields_sheet(plan: ExportPlan) -> Sheet:
    return Sheet("Fields", _layout(plan, [column_of(field) for field in plan.scalars]))


def _table_sheet(plan: ExportPlan, table: Field, with_fields: bool = False) -> Sheet:
    usual = [NUMBER_COLUMN, *columns_of(table)]
    columns = _layout(plan, usual, [column_of(field) for field in plan.scalars] if with_fields else ())
    if plan.columns is not None and not any(column.table for column in columns):
        columns = ()  # Nothing of this table was chosen.
    return Sheet(json_ready(table.name), columns, (key_of(table),), of_documents=False)


def _flat_sheet(plan: ExportPlan) -> Sheet:
    columns: list[Column] = []
    for field in plan.fields:
        if field.type is FieldType.TABLE:
            columns += columns_of(field, f"{json_ready(field.name)}.")
        else:
            columns.append(column_of(field))
    further = [NUMBER_COLUMN]
    return Sheet("Data", _layout(plan, columns, further), tuple(key_of(table) for table in plan.tables))
