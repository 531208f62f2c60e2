"""Documents as Arrow tables in a schema's layout, ready to be inserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from docduck.warehouse.layout import Layout, Table
from docduck.warehouse.rows import DocumentRow, EvidenceRow, Misfit
from docduck.warehouse.types import BY_SQL, ColumnType

_Row = tuple[str, int | None, Mapping[str, Any]]
"""Document id, row number, values by column key."""


class Batch:
    """The rows of some documents by table name; ``misfits`` are the values that had to become NULL."""

    def __init__(self, layout: Layout, documents: Sequence[DocumentRow]) -> None:
        self.misfits: list[Misfit] = []
        self._labels = {label.key: label.text for label in layout.labels}
        self.tables: dict[str, Any] = {}
        for table in layout.tables:
            self.tables[table.name] = self._table(table, documents)

    def _table(self, table: Table, documents: Sequence[DocumentRow]) -> Any:
        rows: list[_Row]
        if table.key == ":documents":
            rows = [(document.document_id, None, _document(document)) for document in documents]
        elif table.key == ":evidence":
            rows = [
                (document.document_id, evidence.row_number, found)
                for document in documents
                for evidence in document.evidence
                if (found := self._evidence(document, evidence)) is not None
            ]
        else:
            rows = [
                (
                    document.document_id,
                    number,
                    {**row, ":document_id": document.document_id, ":row_number": number},
                )
                for document in documents
                for number, row in enumerate(self._rows(document, table), 1)
            ]
        arrays = [self._column(column.key, BY_SQL[column.type], rows) for column in table.columns]
        return pa.Table.from_arrays(arrays, names=[column.name for column in table.columns])

    def _rows(self, document: DocumentRow, table: Table) -> Sequence[Mapping[str, Any]]:
        rows = document.tables.get(table.key) or ()
        if isinstance(rows, list | tuple) and all(isinstance(row, Mapping) for row in rows):
            return rows
        self.misfits.append(Misfit(document.document_id, self._labels[table.key], None, "is not a table"))
        return ()

    def _column(self, key: str, kind: ColumnType, rows: list[_Row]) -> Any:
        given = [row.get(key) for _, _, row in rows]
        if (array := kind.array(given)) is not None:
            return array
        values: list[Any] = []
        for value, (document_id, number, _) in zip(given, rows, strict=True):
            try:
                values.append(kind.read(value))
            except ValueError as error:
                values.append(None)
                name = self._labels.get(key, key.removeprefix(":"))
                self.misfits.append(Misfit(document_id, name, number, str(error)))
        return pa.array(values, kind.arrow)

    def _evidence(self, document: DocumentRow, evidence: EvidenceRow) -> dict[str, Any] | None:
        label = self._labels.get(evidence.column_id or evidence.field_id)
        cell = evidence.column_id is not None
        if label is None or (cell and evidence.row_number is None):
            return None
        return {
            ":document_id": document.document_id,
            ":field": label,
            ":row_number": evidence.row_number if cell else None,
            ":page": evidence.page,
            ":left": evidence.left,
            ":top": evidence.top,
            ":width": evidence.width,
            ":height": evidence.height,
            ":confidence": evidence.confidence,
            ":text": evidence.text,
        }


def _document(document: DocumentRow) -> dict[str, Any]:
    return {
        **document.values,
        ":document_id": document.document_id,
        ":name": document.name,
        ":external_id": document.external_id,
        ":status": document.status,
        ":source": document.source,
        ":folder": document.folder,
        ":page_count": document.page_count,
        ":created_at": document.created_at,
        ":processed_at": document.processed_at,
        ":approved_at": document.approved_at,
        ":confidence": document.confidence,
    }
