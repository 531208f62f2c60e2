"""CSV exports (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, comma, CRLF; formulas as text."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, cast
from zipfile import ZipFile

from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.names import FileNames
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Row, Sheet, SheetRows, sheets
from docduck.exports.spool import zip_entry
from docduck.exports.values import cell_text

_INVISIBLE = (
    "\\s\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
"""White space, controls, and characters that Unicode calls default-ignorable, as a class of a regex."""
_FORMULA = re.compile(f"[{_INVISIBLE}]*[=+\\-@＝＋－＠]|[\t\r\n]")
"""What spreadsheets may treat as the start of a formula, including full-width signs.

Some of them, and programs that clean up texts, drop what can't be seen before it.
"""
_NUMERIC = re.compile(r"[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?%?", re.IGNORECASE | re.ASCII)


def write_csv(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a CSV file, or for ``all_sheets`` a ZIP with a CSV file per sheet."""
    sheet_rows = SheetRows(documents, sheets(plan), lambda column: csv_cell)
    if plan.scope is Scope.ALL_SHEETS:
        names = FileNames()
        with ZipFile(target, "w") as archive:
            for sheet, rows in sheet_rows:
                entry = zip_entry(f"{names.assign(sheet.name)}.csv")
                with archive.open(entry, "w", force_zip64=True) as file:
                    _write(cast(BinaryIO, file), sheet, rows)
    else:
        for sheet, rows in sheet_rows:
            _write(target, sheet, rows)
    return Written(sheet_rows.document_count, sheet_rows.row_count)


def _write(target: BinaryIO, sheet: Sheet, rows: Iterator[Row]) -> None:
    target.write(codecs.BOM_UTF8)
    lines = io.TextIOWrapper(target, encoding="utf-8", newline="")
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([csv_cell(column.name) for column in sheet.columns])
    writer.writerows(rows)
    lines.detach()


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as the text of a CSV file, without a byte order mark."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(csv_cell, columns))
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def csv_cell(value: Any) -> str:
    """Return a value as the text of a cell; one that spreadsheets may take for a formula begins with '."""
    if value is None:
        return ""
    cell = cell_text(value)
    if type(value) is float or type(value) is int:
        return cell
    if _FORMULA.match(cell) and not _NUMERIC.fullmatch(cell):
        return f"'{cell}"
    return cell
