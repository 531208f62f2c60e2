"""The export format ``markdown``: a table with a row for each document, or for each row of its tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, BinaryIO

from docduck.exports import ExportDocument, ExportPlan, Scope, Written
from docduck.exports.columns import Column
from docduck.exports.rows import Convert, SheetRows, sheets
from docduck.exports.values import cell_text


class MarkdownFormat:
    """Writes Markdown files."""

    content_type = "text/markdown; charset=utf-8"
    extension = "md"
    scopes = (Scope.ALL_FLAT, Scope.FIELDS_ONLY, Scope.TABLE)

    def write(self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
        """Write one table; documents are laid out as for the other formats with rows."""
        sheet_rows = SheetRows(documents, sheets(plan), _conversion)
        for sheet, rows in sheet_rows:
            names = [_cell(column.name) for column in sheet.columns]
            target.write(_line(names) + _line(["---"] * len(names)))
            for row in rows:
                target.write(_line(row))
        return Written(sheet_rows.document_count, sheet_rows.row_count)


def _conversion(column: Column) -> Convert:
    return _cell


def _cell(value: Any) -> str:
    return "" if value is None else cell_text(value).replace("|", "\\|").replace("\n", " ")


def _line(cells: Iterable[str]) -> bytes:
    return f"| {' | '.join(cells)} |\n".encode()
