"""CSV exports (RFC 4180) in the form that spreadsheets expect: UTF-8 with a byte order mark, comma, CRLF."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import BinaryIO
from zipfile import ZipFile

from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.names import FileNames
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Sheet, Source, sheets
from docduck.exports.spool import add_to_zip, open_spool
from docduck.exports.values import Flat, printable, text

_FORMULA_STARTS = (*"=+-@", *"\t\r\n", *"＝＋－＠")
"""Characters that spreadsheets may treat as the start of a formula, including full-width signs."""
_NUMERIC = re.compile(r"[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?%?", re.IGNORECASE | re.ASCII)


def write_csv(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a CSV file, or for ``all_sheets`` a ZIP with a CSV file per sheet."""
    source = Source(documents)
    layout = sheets(plan)
    if plan.scope is Scope.ALL_SHEETS:
        _write_zip(target, source, layout)
    else:
        part = _Csv(target, layout[0])
        for _, row in source.rows(layout):
            part.write(row)
    return source.written


def _write_zip(target: BinaryIO, source: Source, layout: list[Sheet]) -> None:
    with ExitStack() as stack:
        spools = [stack.enter_context(open_spool()) for _ in layout]
        parts = [_Csv(spool, sheet) for spool, sheet in zip(spools, layout, strict=True)]
        for index, row in source.rows(layout):
            parts[index].write(row)
        names = FileNames()
        with ZipFile(target, "w") as archive:
            for spool, sheet in zip(spools, layout, strict=True):
                add_to_zip(spool, archive, f"{names.assign(sheet.name)}.csv")


class _Csv:
    """A CSV file being written to ``target``."""

    def __init__(self, target: BinaryIO, sheet: Sheet) -> None:
        self._target = target
        self._line = io.StringIO(newline="")
        self._csv = csv.writer(self._line, lineterminator="\r\n")
        target.write(codecs.BOM_UTF8)
        self.write([column.name for column in sheet.columns])

    def write(self, row: Sequence[Flat]) -> None:
        self._csv.writerow([_cell(value) for value in row])
        self._target.write(self._line.getvalue().encode())
        self._line.seek(0)
        self._line.truncate()


def _cell(value: Flat) -> str:
    cell = printable(text(value))
    if cell.startswith(_FORMULA_STARTS) and not _NUMERIC.fullmatch(cell):
        return f"'{cell}"
    return cell
