"""Reads tables of texts: finds the header by the columns' names, then groups the rows below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.cells import cell_finding, read_cell
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.text_tables.body_lines import group_lines
from docduck.extraction.extractors.layout.tables.text_tables.captions import caption_overlap
from docduck.extraction.extractors.layout.tables.text_tables.header_detection import TableHeader, find_headers
from docduck.extraction.extractors.layout.tables.text_tables.name_search import NameSearch
from docduck.extraction.extractors.layout.tables.text_tables.row_grouping import BodyRow, group_rows
from docduck.extraction.extractors.layout.tables.text_tables.ruled_lines import add_grid_lines
from docduck.extraction.extractors.layout.tables.text_tables.table_body import (
    TableBody,
    continued_from,
    find_body,
)
from docduck.extraction.extractors.layout.tables.text_tables.table_words import page_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import Token
from docduck.extraction.result import Finding
from docduck.fields import Field

TablePart = tuple[TableHeader, TableBody, list[BodyRow]]
"""The part of a table on one page."""
_ALIKE = 0.1
"""Maximum score difference, per matched name, of headers that count as equal."""
_MAX_HEADERS = 8
_CAPTION_BONUS = 0.3
"""Score bonus, per matched name, for a caption that matches the field; it exceeds ``_ALIKE``."""


@dataclass(frozen=True, slots=True)
class TableStart:
    """The header where a table begins, on the page at ``index`` of the view's pages."""

    targets: Sequence[FieldQuery]
    header: TableHeader
    index: int


class TextTableReader:
    """Reads tables of texts by the names of their columns; each header serves one table field."""

    def __init__(self, analysis: DocumentAnalysis) -> None:
        self.analysis = analysis
        for page, view in zip(analysis.document.pages, analysis.view.pages, strict=True):
            add_grid_lines(view, page.grids)
        self.starts: list[TableStart] = []
        self._finders: dict[int, NameSearch] = {}
        self._used: set[int] = set()
        self._continuations: dict[int, TableHeader | None] = {}
        self._parts: dict[tuple[int, int], list[TablePart]] = {}

    def start(self, table: Field, targets: Sequence[FieldQuery]) -> TableStart | None:
        """Return the best header with the columns' names, first on the page that the field names."""
        for pages in self._pages(table):
            found = self._best(table, pages, targets)
            if found is not None:
                start = TableStart(targets, *found)
                self.starts.append(start)
                self._used |= start.header.tokens
                return start
        return None

    def _pages(self, table: Field) -> tuple[list[int], list[int]]:
        """Return the indexes of the pages that the field names, and of the others."""
        hint = page_of(table)
        pages = self.analysis.view.pages
        named = [i for i, page in enumerate(pages) if page.number == hint] if hint else []
        return named, [i for i in range(len(pages)) if i not in named]

    def _best(
        self, table: Field, pages: Sequence[int], targets: Sequence[FieldQuery]
    ) -> tuple[TableHeader, int] | None:
        """Return the best header of some pages, by its names, its rows and its caption."""
        found = [
            (header, at)
            for at in pages
            for header in find_headers(self._finder(at), targets)
            if not self._used & header.tokens
        ]
        found.sort(key=lambda f: -f[0].score)
        best: tuple[TableHeader, int] | None = None
        for header, at in found[:_MAX_HEADERS]:
            if len(found) > 1:
                header.score *= 0.4 + 0.6 * _filled_share(header)
                header.score += (
                    _CAPTION_BONUS * header.named * caption_overlap(table, header.page, header.top)
                )
            if best is None or _is_better(header, best[0], at - best[1]):
                best = (header, at)
        return best

    def parts(self, start: TableStart) -> list[TablePart]:
        """Return the parts of a table, one for each page."""
        identity = (id(start), len(self.starts))
        if identity not in self._parts:
            self._parts[identity] = self._read(start)
        return self._parts[identity]

    def _read(self, start: TableStart) -> list[TablePart]:
        found: list[TablePart] = []
        header: TableHeader | None = start.header
        index = start.index
        while header is not None:
            body = find_body(header, self._stop(header, index))
            rows = group_rows(header, body)
            if rows:
                found.append((header, body, rows))
            if id(header) not in self._continuations:
                self._continuations[id(header)] = self._continued(header, body, index, start.targets)
            header = self._continuations[id(header)]
            index += 1
        return found

    def _finder(self, index: int) -> NameSearch:
        if index not in self._finders:
            self._finders[index] = NameSearch(self.analysis.view.pages[index])
        return self._finders[index]

    def _stop(self, header: TableHeader, index: int) -> float:
        """Return the bottom limit of a table: the next table's header, or the page's end."""
        below = [
            other.header.top
            for other in self.starts
            if other.index == index
            and other.header is not header
            and other.header.top > header.bottom
            and other.header.left < header.right
            and header.left < other.header.right
        ]
        return min(below, default=header.page.height)

    def _continued(
        self, header: TableHeader, body: TableBody, index: int, targets: Sequence[FieldQuery]
    ) -> TableHeader | None:
        """Return the header repeated on the next page, or the same columns continued there without one.

        Return None unless the table runs to the end of its page.
        """
        pages = self.analysis.view.pages
        if index + 1 >= len(pages) or body.closed or not body.lines:
            return None
        for repeated in find_headers(self._finder(index + 1), targets)[:1]:
            high = repeated.top < 0.35 * pages[index + 1].height
            if high and repeated.named >= header.named and not self._used & repeated.tokens:
                self._used |= repeated.tokens
                return repeated
        start = continued_from(pages[index + 1], body)
        return (
            TableHeader(pages[index + 1], header.columns, start, start, header.score, header.named)
            if start
            else None
        )


def _filled_share(header: TableHeader) -> float:
    """Return the share, 0–1, of filled cells in the target columns of the rows below a header."""
    target_columns = [i for i, column in enumerate(header.columns) if column.target is not None]
    rows = [row for row in group_rows(header, find_body(header, header.page.height)) if not row.section]
    if not rows or not target_columns:
        return 0.0
    return sum(i in row.cells for row in rows for i in target_columns) / (len(rows) * len(target_columns))


def _is_better(header: TableHeader, best: TableHeader, pages: int) -> bool:
    """Return whether a header is better than ``best``; of two equal ones the upper one is.

    ``pages`` is how many pages it comes after ``best``.
    """
    alike = header.named == best.named and abs(header.score - best.score) < _ALIKE * header.named
    if alike:
        return pages < 0 or (pages == 0 and header.top < best.top)
    return header.score > best.score


def findings(parts: Sequence[TablePart], targets: Sequence[FieldQuery], context: TableContext) -> TableRows:
    """Return the cells of a table's rows, read by the types of their columns.

    Headings and sums among the rows are rows, too.
    """
    found: TableRows = []
    for header, _body, rows in parts:
        height = header.page.line_height
        certainty = min(1.0, header.named / max(1, len(targets)))
        for row in rows:
            cells: dict[str, Finding] = {}
            for index, column in enumerate(header.columns):
                if column.target is None or index not in row.cells:
                    continue
                tokens = in_reading_order(row.cells[index], height)
                value = read_cell(column.target, tokens, context)
                if value is not None:
                    headed = column.span is not None
                    cells[column.target.name] = cell_finding(*value, certainty, headed)
            if cells:
                found.append(cells)
    return found


def in_reading_order(tokens: Sequence[Token], height: float) -> list[Token]:
    """Return a cell's tokens in reading order."""
    return [t for line in group_lines(tokens, height) for t in line.tokens]
