"""OpenDocument spreadsheets (.ods): cells carry the text they show. Rows are streamed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO

from docduck.documents.containers import ODS
from docduck.documents.flow.blocks import plain_text
from docduck.documents.flow.pages import Draft
from docduck.documents.flow.reader import FlowReader
from docduck.documents.office.opendocument import (
    MAX_REPEAT,
    OFFICE,
    STYLE,
    TABLE,
    Content,
    Styles,
    open_package,
    repeated,
)
from docduck.documents.office.sheets import Budget, Cells, Sheet, SheetPages, clean
from docduck.documents.options import ReadOptions
from docduck.documents.xml_tree import Element, iterate_xml, local

_UNCLEAR = re.compile(r"\d{1,2}([/-])\d{1,2}\1\d{2,4}\b")
_MAX_POSITION = 1 << 20


class OdsReader(FlowReader):
    """Reads cells as they are shown; hidden sheets, rows and columns are left out.

    Dates shown in an order that differs between countries are written ISO 8601 (see ``number_format``).
    """

    content_types: tuple[str, ...] = (ODS,)

    def drafts(self, data: bytes, options: ReadOptions, warnings: list[str]) -> Sequence[Draft]:
        """A page for every sheet and ``sheets.ROWS`` rows."""
        package = open_package(data)
        with package.stream("content.xml") as stream:
            return SheetPages(_sheets(stream, Budget(warnings)))


def _sheets(stream: IO[bytes], budget: Budget) -> list[Sheet]:
    sheets: list[Sheet] = []
    hidden_styles: set[str] = set()
    columns: list[tuple[int, bool]] = []
    number, full, visible = 0, False, False
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
            columns, number, full = [], 0, False
            sheets.append(Sheet(node.get(TABLE + "name", "")))
        elif tag == "table-column":
            hidden = node.get(TABLE + "visibility", "visible") != "visible"
            columns.append((_count(node, "number-columns-repeated"), hidden))
        elif visible and not full and sheets:
            times = _count(node, "number-rows-repeated")
            if node.get(TABLE + "visibility", "visible") == "visible":
                cells, merges = _cells(node, columns, content)
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


def _cells(
    row: Element, columns: list[tuple[int, bool]], content: Content
) -> tuple[Cells, list[tuple[int, int, int]]]:
    """A row's texts by column, and its merged cells: first and last column, rows."""
    cells: Cells = []
    merges: list[tuple[int, int, int]] = []
    hidden = _hidden(columns)
    column = 0
    for node in row:
        if local(node) not in ("table-cell", "covered-table-cell"):
            continue
        times = _count(node, "number-columns-repeated")
        text = _text(node, content) if len(node) and local(node) == "table-cell" else ""
        if text:
            for at in range(column, column + min(times, MAX_REPEAT)):
                if not any(first <= at < end for first, end in hidden):
                    cells.append((at, text))
            across, down = repeated(node, "number-columns-spanned"), repeated(node, "number-rows-spanned")
            if across > 1 or down > 1:
                merges.append((column, column + across - 1, down))
        column += times
    return cells, merges


def _text(cell: Element, content: Content) -> str:
    text = clean(plain_text(content.blocks(cell)))
    date: str | None = cell.get(OFFICE + "date-value")
    if date and (match := _UNCLEAR.match(text)):
        return date[:10] + text[match.end() :]
    return text


def _hidden(columns: list[tuple[int, bool]]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    at = 0
    for times, hidden in columns:
        if hidden:
            ranges.append((at, at + times))
        at += times
    return ranges


def _count(node: Element, name: str) -> int:
    text = node.get(TABLE + name, "1")
    return max(1, min(int(text), _MAX_POSITION)) if text.isdigit() else 1
