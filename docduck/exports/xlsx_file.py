"""XLSX exports: typed numbers, dates and booleans; text stays text even if it looks like a formula."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.writer.excel import ExcelWriter

from docduck.exports.columns import Column, Kind
from docduck.exports.model import ExportDocument, Written
from docduck.exports.names import SheetNames, cut
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Convert, Row, Sheet, SheetRows, sheets
from docduck.exports.values import flat, printable

MOST_ROWS = 1_048_576
MOST_TEXT = 32_767
_EXACT_INTEGERS = 2**53
_FIRST_DAY = dt.date(1900, 3, 1)  # Before it, spreadsheets disagree: some have a 29 February 1900.
_CUT_OFF = "…"
_WIDTH = 18
_AMOUNT = "#,##0.00####"
"""Two decimals, and more where a price has them; a spreadsheet shows its own separators."""
_SPECIAL = frozenset("=#")
"""Starts of texts that openpyxl takes for formulas or errors."""


def write_xlsx(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a workbook with a worksheet per sheet of the plan; rows are kept on disk, not in memory."""
    sheet_rows = SheetRows(documents, sheets(plan), _conversion)
    names = SheetNames()
    warnings: list[str] = []
    with _saving(target) as book:
        for sheet, rows in sheet_rows:
            pages = _write_sheet(book, names, sheet, rows)
            if len(pages) > 1:
                more = ", ".join(pages[1:])
                warnings.append(
                    f"'{sheet.name}' has more rows than a worksheet holds; it continues on {more}"
                )
    return Written(sheet_rows.document_count, sheet_rows.row_count, tuple(warnings))


def write_table(
    target: BinaryIO, name: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]
) -> None:
    """Write a workbook with one table; dates and moments in ``rows`` are ISO texts."""
    conversions = [_conversion(column) for column in columns]
    cells = ([convert(value) for convert, value in zip(conversions, row, strict=True)] for row in rows)
    with _saving(target) as book:
        _write_sheet(book, SheetNames(), Sheet(name, tuple(columns)), cells)


@contextmanager
def _saving(target: BinaryIO) -> Iterator[Any]:
    """Yield an empty workbook, and write it to ``target`` at the end of the block."""
    book = Workbook(write_only=True)
    with ExitStack() as stack:
        stack.callback(_remove_leftovers, book)
        yield book
        # Unlike Workbook.save, this closes the archive also after an error.
        with ZipFile(target, "w", ZIP_DEFLATED) as archive:
            ExcelWriter(book, archive).save()
        stack.pop_all()


def _write_sheet(book: Any, names: SheetNames, sheet: Sheet, rows: Iterator[Row]) -> list[str]:
    """Write a sheet to as many worksheets as its rows take; return their names."""
    page = _page(book, names, sheet)
    amounts = _amounts(page, sheet)
    titles, used = [page.title], 1
    for row in rows:
        if used == MOST_ROWS:
            _close(page, sheet, used)
            page = _page(book, names, sheet)
            amounts = _amounts(page, sheet)
            titles.append(page.title)
            used = 1
        cells = [_as_text(page, cell) if _is_special(cell) else cell for cell in row]
        for place, amount in amounts:
            if isinstance(cells[place], int | float):
                amount.value = cells[place]
                cells[place] = amount
        page.append(cells)
        used += 1
    _close(page, sheet, used)
    return titles


def _amounts(page: Any, sheet: Sheet) -> list[tuple[int, Any]]:
    """Return a cell for each column of amounts, with its place; a row is written before the next needs it."""
    places = []
    for place, column in enumerate(sheet.columns):
        if column.is_amount:
            cell = WriteOnlyCell(page)
            cell.number_format = _AMOUNT
            places.append((place, cell))
    return places


def _close(page: Any, sheet: Sheet, rows: int) -> None:
    """End a worksheet, with a filter over all of its rows."""
    page.auto_filter.ref = f"A1:{get_column_letter(len(sheet.columns))}{rows}"
    page.close()


def _page(book: Any, names: SheetNames, sheet: Sheet) -> Any:
    page = book.create_sheet(names.assign(printable(sheet.name)))
    page.freeze_panes = "A2"
    page.sheet_format.defaultColWidth = _WIDTH
    page.append([_heading(page, column) for column in sheet.columns])
    return page


def _heading(page: Any, column: Column) -> Any:
    cell = _as_text(page, _cut(printable(column.name)))
    cell.font = Font(bold=True)
    return cell


def _is_special(cell: Any) -> bool:
    return type(cell) is str and cell[0] in _SPECIAL


def _as_text(page: Any, value: str) -> Any:
    cell = WriteOnlyCell(page, value)
    cell.data_type = "s"
    return cell


def _remove_leftovers(book: Any) -> None:
    """Remove the temporary files of a workbook that is not saved."""
    for page in book.worksheets:
        if page._writer is not None:
            if not page.closed:
                with suppress(Exception):
                    page.close()
            Path(page._writer.out).unlink(missing_ok=True)


def _conversion(column: Column) -> Convert:
    return {Kind.DATE: _date, Kind.MOMENT: _moment}.get(column.kind, _cell)


def _cell(value: Any) -> Any:
    """Return a value that openpyxl writes as it is; None for one that is missing or empty."""
    if type(value) is str:
        return _cut(printable(value)) or None
    plain = flat(value)
    if isinstance(plain, str):
        return _cut(printable(plain)) or None
    if isinstance(plain, int) and abs(plain) > _EXACT_INTEGERS:
        try:
            return float(plain)
        except OverflowError:
            return str(plain)
    return plain


def _date(value: Any) -> Any:
    """Return a date for ISO text; other values, and days before spreadsheets' calendar, as they are."""
    try:
        date = dt.date.fromisoformat(value)
    except (TypeError, ValueError):
        return _cell(value)
    return date if date >= _FIRST_DAY else _cell(value)


def _moment(value: str | None) -> dt.datetime | None:
    return None if value is None else dt.datetime.fromisoformat(value).astimezone(dt.UTC).replace(tzinfo=None)


def _cut(value: str) -> str:
    """Return a text with the line ends and the length that a cell can have."""
    text = value.replace("\r\n", "\n").replace("\r", "\n") if "\r" in value else value
    return text if cut(text, MOST_TEXT) == text else cut(text, MOST_TEXT - 1) + _CUT_OFF
