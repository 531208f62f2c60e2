"""Excel's binary workbooks before 2007 (.xls), by way of xlrd."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from docduck.documents.detection.containers import refuse_encrypted
from docduck.documents.formats.flow.pages import PageDraft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.sheets.number_format import date_of, format_number
from docduck.documents.formats.office.sheets.sheet_pages import (
    CellBudget,
    Cells,
    Sheet,
    SheetCell,
    SheetPages,
    clean_cell_text,
    numbered_rows,
)
from docduck.errors import DamagedFile, EncryptedFile

_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5


class XlsReader(FlowReader):
    """Reads cells as they are shown; hidden sheets, rows and columns are left out."""

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[PageDraft]:
        """Return a page for every sheet and ``sheets.ROWS`` rows."""
        import xlrd

        refuse_encrypted(data)
        try:
            book = xlrd.open_workbook(
                file_contents=data,
                logfile=io.StringIO(),
                formatting_info=True,
                on_demand=True,
                ragged_rows=True,
            )
        except xlrd.XLRDError as error:
            if "encrypted" in str(error).lower():
                raise EncryptedFile() from error
            raise DamagedFile(f"xls: {error}") from error
        budget = CellBudget(warnings)
        sheets: list[Sheet] = []
        for index in range(book.nsheets):
            source = book.sheet_by_index(index)
            if source.visibility == 0:
                merges = [(top, left, end - 1, right - 1) for top, end, left, right in source.merged_cells]
                rows = numbered_rows(_rows(book, source), budget, source.name)
                sheets.append(Sheet(source.name, rows, merges))
            book.unload_sheet(index)
        return SheetPages(sheets, budget)


def _rows(book: Any, sheet: Any) -> Iterator[Cells]:
    hidden = {column for column, info in sheet.colinfo_map.items() if info.hidden}
    for number in range(sheet.nrows):
        info = sheet.rowinfo_map.get(number)
        cells: Cells = []
        for column in range(0 if info is not None and info.hidden else sheet.row_len(number)):
            cell = sheet.cell(number, column)
            text = "" if column in hidden else _text(book, cell)
            if text:
                cells.append(SheetCell(column, text, _date(book, cell)))
        yield cells


def _text(book: Any, cell: Any) -> str:
    if cell.ctype == _TEXT:
        return clean_cell_text(cell.value)
    if cell.ctype in (_NUMBER, _DATE):
        return format_number(cell.value, _format(book, cell), bool(book.datemode) and cell.ctype == _DATE)
    if cell.ctype == _BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == _ERROR:
        return _ERRORS.get(cell.value, "")
    return ""


def _format(book: Any, cell: Any) -> str:
    """Return the format code of a cell."""
    style = book.xf_list[cell.xf_index] if cell.xf_index is not None else None
    known = book.format_map.get(style.format_key) if style is not None else None
    code = _BUILT_IN_DATES.get(style.format_key) if style is not None else None
    return code or (known.format_str if known else "General")


def _date(book: Any, cell: Any) -> str:
    return date_of(cell.value, _format(book, cell), bool(book.datemode)) if cell.ctype == _DATE else ""


_BUILT_IN_DATES = {14: "yyyy-mm-dd", 22: "yyyy-mm-dd h:mm"}
_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
