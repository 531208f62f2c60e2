"""Documents as Arrow tables in a schema's layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from docduck.column_types import BY_SQL, SCALE_BY_SQL, decimal_type, scale_of
from docduck.warehouse.layout import Column, Layout, Table
from docduck.warehouse.names import DOCUMENT_COLUMNS
from docduck.warehouse.rows import DocumentRow, Misfit

_RowPosition = tuple[str, int | None]
"""Document id and row number, for reports of misfits."""


class Batch:
    """The rows of documents by table name.

    ``misfits`` are values that became NULL; ``scales`` are the decimal places needed by number columns, by
    column key.
    """

    def __init__(self, layout: Layout, documents: Sequence[DocumentRow]) -> None:
        self.misfits: list[Misfit] = []
        self.scales: dict[str, int] = {}
        self._labels = {label.key: label.text for label in layout.labels}
        self.tables: dict[str, Any] = {}
        for table in layout.tables:
            self.tables[table.name] = self._table(table, documents)

    def _table(self, table: Table, documents: Sequence[DocumentRow]) -> Any:
        if table.key == ":evidence":
            return self._filled(table, *self._evidence(table, documents))
        places: list[_RowPosition] = []
        rows: list[Mapping[str, Any]] = []
        for document in documents:
            if table.key == ":documents":
                places.append((document.document_id, None))
                rows.append(_document(document))
                continue
            for number, row in enumerate(self._rows(document, table), 1):
                places.append((document.document_id, number))
                rows.append({**row, ":document_id": document.document_id, ":row_number": number})
        return self._filled(
            table, places, [[row.get(column.key) for row in rows] for column in table.columns]
        )

    def _filled(self, table: Table, places: list[_RowPosition], columns: Sequence[Sequence[Any]]) -> Any:
        arrays = [
            self._array(column, values, places) for column, values in zip(table.columns, columns, strict=True)
        ]
        return pa.Table.from_arrays(arrays, names=[column.name for column in table.columns])

    def _rows(self, document: DocumentRow, table: Table) -> Sequence[Mapping[str, Any]]:
        rows = document.tables.get(table.key) or ()
        if isinstance(rows, list | tuple) and all(isinstance(row, Mapping) for row in rows):
            return rows
        self.misfits.append(Misfit(document.document_id, self._labels[table.key], None, "is not a table"))
        return ()

    def _array(self, column: Column, raw: Sequence[Any], places: list[_RowPosition]) -> Any:
        kind = BY_SQL[column.type]
        if (array := kind.array(raw)) is not None:
            return array
        values: list[Any] = []
        for value, (document_id, number) in zip(raw, places, strict=True):
            try:
                values.append(kind.read(value))
            except ValueError as error:
                values.append(None)
                name = self._labels.get(column.key, column.key.removeprefix(":"))
                self.misfits.append(Misfit(document_id, name, number, str(error)))
        if column.type in SCALE_BY_SQL:
            self.scales[column.key] = scale_of(values)
            kind = decimal_type(self.scales[column.key])
        return pa.array(values, kind.arrow)

    def _evidence(
        self, table: Table, documents: Sequence[DocumentRow]
    ) -> tuple[list[_RowPosition], Sequence[Sequence[Any]]]:
        """Column by column for speed: there are dozens of rows per document."""
        rows: list[tuple[Any, ...]] = []
        for document in documents:
            for field_id, column_id, number, *place in document.evidence:
                label = self._labels.get(column_id or field_id)
                if label is None or (column_id is not None and number is None):
                    continue
                rows.append((document.document_id, label, number if column_id is not None else None, *place))
        columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
        return [(row[0], row[2]) for row in rows], columns


def _document(document: DocumentRow) -> dict[str, Any]:
    return {
        **document.values,
        **{f":{name}": getattr(document, name) for name in DOCUMENT_COLUMNS},
    }
