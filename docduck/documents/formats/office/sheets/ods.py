"""OpenDocument spreadsheets (.ods): cells carry the text they show. Rows are streamed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from itertools import islice
from typing import IO

from docduck.documents.formats.flow.blocks import plain_text
from docduck.documents.formats.flow.pages import PageDraft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.opendocument import (
    MAX_REPEAT,
    OFFICE,
    STYLE,
    TABLE,
    Content,
    Styles,
    open_package,
    repeated,
)
from docduck.documents.formats.office.sheets.sheet_pages import (
    MAX_COLUMNS,
    CellBudget,
    Cells,
    Columns,
    Sheet,
    SheetCell,
    SheetPages,
    clean_cell_text,
)
from docduck.documents.formats.xml_tree import Element, iterate_xml, local

_UNCLEAR = re.compile(r"\d{1,2}([/-])\d{1,2}\1\d{2,4}\b")
_MAX_POSITION = 1 << 20


class OdsReader(FlowReader):
    """Reads cells as they are shown, without hidden sheets, rows and columns.

    Dates whose order depends on the country are written ISO 8601 (see ``number_format``).
    """

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[PageDraft]:
        """Return a page for every sheet and ``sheets.ROWS`` rows."""
        package, budget = open_package(data), CellBudget(warnings)
        with package.stream("content.xml") as stream:
            return SheetPages(_sheets(stream, budget), budget)


def _sheets(stream: IO[bytes], budget: CellBudget) -> list[Sheet]:
    sheets: list[Sheet] = []
    hidden_styles: set[str] = set()
    hidden: list[tuple[int, int]] = []
    hidden_columns: Columns | None = None
    column = number = 0
    full = visible = False
    content = Content(Styles())
    tags = ("{*}style", "{*}table-column", "{*}table-row")
    for node in iterate_xml(stream, *tags, starts=("{*}table",)):
        tag = local(node)
        if tag == "style":
            properties = node.find(STYLE + "table-properties")
            if properties is not None and properties.get(TABLE + "display") == "false":
                hidden_styles.add(node.get(STYLE + "name", ""))
        elif tag == "table":
            visible = node.get(TABLE + "style-name", "") not in hidden_styles
            hidden, hidden_columns = [], None
            column, number, full = 0, 0, False
            sheets.append(Sheet(node.get(TABLE + "name", "")))
        elif tag == "table-column":
            times = repeated(node, "number-columns-repeated", most=_MAX_POSITION)
            if node.get(TABLE + "visibility", "visible") != "visible":
                hidden.append((column, column + times - 1))
                hidden_columns = None
            column += times
        elif visible and not full and sheets:
            times = repeated(node, "number-rows-repeated", most=_MAX_POSITION)
            if node.get(TABLE + "visibility", "visible") == "visible":
                hidden_columns = hidden_columns or Columns(hidden)
                cells, merges = _cells(node, hidden_columns, content)
                sheet = sheets[-1]
                sheet.merges += [(number, left, number + down - 1, right) for left, right, down in merges]
                for again in range(min(times, MAX_REPEAT) if cells else 0):
                    taken = budget.take(cells, sheet.name)
                    if taken is None:
                        full = True
                        break
                    sheet.rows.append((number + again, taken))
            number += times
    return [sheet for sheet in sheets if sheet.rows]


def _cells(row: Element, hidden: Columns, content: Content) -> tuple[Cells, list[tuple[int, int, int]]]:
    """Return a row's texts by column, and its merged cells: first and last column, rows.

    One cell more than is read of a row at most.
    """
    cells: Cells = []
    merges: list[tuple[int, int, int]] = []
    column = 0
    for node in row:
        if len(cells) > MAX_COLUMNS:
            break
        if local(node) not in ("table-cell", "covered-table-cell"):
            continue
        times = repeated(node, "number-columns-repeated", most=_MAX_POSITION)
        text = _text(node, content) if len(node) and local(node) == "table-cell" else ""
        if text:
            columns = (at for at in range(column, column + min(times, MAX_REPEAT)) if at not in hidden)
            date = _date(node)
            cells += (SheetCell(at, text, date) for at in islice(columns, MAX_COLUMNS + 1))
            across, down = repeated(node, "number-columns-spanned"), repeated(node, "number-rows-spanned")
            if across > 1 or down > 1:
                merges.append((column, column + across - 1, down))
        column += times
    return cells, merges


def _date(cell: Element) -> str:
    """Return the date of a cell, ISO 8601, nothing if it has none."""
    try:
        return datetime.date.fromisoformat(cell.get(OFFICE + "date-value", "")[:10]).isoformat()
    except ValueError:
        return ""


def _text(cell: Element, content: Content) -> str:
    text = clean_cell_text(plain_text(content.blocks(cell)))
    date: str | None = cell.get(OFFICE + "date-value")
    if date and (match := _UNCLEAR.match(text)):
        return date[:10] + text[match.end() :]
    return text
