"""XLSX exports: typed numbers, dates and booleans; text stays text even if it looks like a formula."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import BinaryIO
from xml.sax.saxutils import escape
from zipfile import ZipFile

from docduck.exports import xlsx_package as package
from docduck.exports.model import ExportDocument, Written
from docduck.exports.names import SheetNames, cut
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Column, Row, Sheet, Source, sheets
from docduck.exports.spool import add_to_zip, open_spool, zip_entry
from docduck.exports.values import Flat, printable, text

MOST_ROWS = 1_048_576
MOST_TEXT = 32_767
_EXACT_INTEGERS = 2**53
_DAY_ZERO = dt.datetime(1899, 12, 30)
_FIRST_DAY = dt.date(1900, 3, 1)  # Before it, spreadsheets disagree: some have a 29 February 1900.
_CUT_OFF = "…"


def write_xlsx(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a workbook with a worksheet per sheet of the plan; rows are kept on disk, not in memory."""
    source = Source(documents)
    layout = sheets(plan)
    names = SheetNames()
    with ExitStack() as stack:
        parts = [_Part(stack, names, sheet) for sheet in layout]
        for index, row in source.rows(layout):
            parts[index].write(row)
        pages = [page for part in parts for page in part.finish()]
        with ZipFile(target, "w") as archive:
            for path, content in package.parts([name for name, _ in pages]).items():
                archive.writestr(zip_entry(path), content)
            for number, (_, spool) in enumerate(pages, start=1):
                add_to_zip(spool, archive, package.sheet_path(number))
    return source.written


class _Part:
    """A sheet being written to disk; continues on another worksheet when one is full."""

    def __init__(self, stack: ExitStack, names: SheetNames, sheet: Sheet) -> None:
        self._stack = stack
        self._names = names
        self._sheet = sheet
        self._letters = [package.column_letters(number) for number in range(1, len(sheet.columns) + 1)]
        self._pages: list[tuple[str, BinaryIO]] = []
        self._open()

    def write(self, row: Row) -> None:
        if self._used == MOST_ROWS:
            self._open()
        self._used += 1
        self._spool.write(self._row(self._used, row).encode())

    def finish(self) -> list[tuple[str, BinaryIO]]:
        """Return the worksheets' names and contents."""
        for _, spool in self._pages:
            spool.write(package.SHEET_END)
        return self._pages

    def _open(self) -> None:
        self._spool = self._stack.enter_context(open_spool())
        self._pages.append((self._names.assign(printable(self._sheet.name)), self._spool))
        self._spool.write(package.sheet_start(len(self._letters)))
        cells = (
            _text_cell(f"{letters}1", column.name, package.Style.HEADING)
            for letters, column in zip(self._letters, self._sheet.columns, strict=True)
        )
        self._spool.write(f'<row r="1">{"".join(cells)}</row>'.encode())
        self._used = 1

    def _row(self, number: int, row: Row) -> str:
        cells = _cells(self._letters, number, self._sheet.columns, row)
        return f'<row r="{number}">{"".join(cells)}</row>'


def _cells(letters: Sequence[str], number: int, columns: Sequence[Column], row: Row) -> Iterable[str]:
    for letter, column, value in zip(letters, columns, row, strict=True):
        if value is not None and value != "":
            yield _cell(f"{letter}{number}", column, value)


def _cell(place: str, column: Column, value: Flat) -> str:
    match value:
        case bool():
            return f'<c r="{place}" t="b"><v>{value:d}</v></c>'
        case int() | float():
            return _number_cell(place, value)
        case str() if column.kind == "date":
            return _date_cell(place, value)
        case str() if column.kind == "moment":
            moment = dt.datetime.fromisoformat(value).astimezone(dt.UTC).replace(tzinfo=None)
            days = (moment - _DAY_ZERO) / dt.timedelta(days=1)
            return f'<c r="{place}" s="{package.Style.MOMENT:d}"><v>{days!r}</v></c>'
        case _:
            return _text_cell(place, text(value))


def _number_cell(place: str, value: float) -> str:
    try:
        return f'<c r="{place}"><v>{value if abs(value) <= _EXACT_INTEGERS else float(value)!r}</v></c>'
    except OverflowError:
        return _text_cell(place, str(value))


def _date_cell(place: str, value: str) -> str:
    """Return a date cell for ISO text; other texts, and days before spreadsheets' calendar, stay text."""
    try:
        date = dt.date.fromisoformat(value)
    except ValueError:
        return _text_cell(place, value)
    if date < _FIRST_DAY:
        return _text_cell(place, value)
    days = (date - _DAY_ZERO.date()).days
    return f'<c r="{place}" s="{package.Style.DATE:d}"><v>{days}</v></c>'


def _text_cell(place: str, value: str, style: package.Style = package.Style.PLAIN) -> str:
    shown = printable(value).replace("\r\n", "\n").replace("\r", "\n")
    if len(shown) > MOST_TEXT // 2 and cut(shown, MOST_TEXT) != shown:
        shown = cut(shown, MOST_TEXT - 1) + _CUT_OFF
    look = f' s="{style:d}"' if style else ""
    return f'<c r="{place}"{look} t="inlineStr"><is><t xml:space="preserve">{escape(shown)}</t></is></c>'
