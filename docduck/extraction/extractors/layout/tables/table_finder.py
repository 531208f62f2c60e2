"""Finds the rows of each table field over all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from docduck.extraction.confidence import probability
from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.cells import read_cell, unit_in
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.generic.table_reader import (
    GenericTableReader,
    TableStart,
    findings,
)
from docduck.extraction.extractors.layout.tables.line_items import column_assignment, headerless, row_repair
from docduck.extraction.extractors.layout.tables.line_items.column_arithmetic import assign_by_product
from docduck.extraction.extractors.layout.tables.line_items.column_bands import ColumnBands
from docduck.extraction.extractors.layout.tables.line_items.grid import split_row
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header, HeaderFinder
from docduck.extraction.extractors.layout.tables.line_items.row_grouping import (
    RowGrouper,
    TableRow,
    body_rows,
)
from docduck.extraction.fields.field_targets import FieldTarget, target_of
from docduck.extraction.page.page_view import PageView, Row, Token, locations
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_SAMPLED = 25


@dataclass(frozen=True, slots=True)
class LocatedTable:
    """A table found on the pages: its rows, each with the header that it stands under."""

    table: Field
    targets: list[FieldTarget]
    rows: list[tuple[Header, TableRow]]
    ready: TableRows = field(default_factory=list)
    printed: TableStart | None = None


class TableFinder:
    """Finds the tables of one document, and reads them."""

    def __init__(self, scan: DocumentAnalysis) -> None:
        self.scan = scan
        self.context = TableContext(scan.locale)
        self.printed = GenericTableReader(scan)

    def locate(self, table: Field) -> LocatedTable:
        """The rows of ``table`` on all pages, in reading order; the scan then knows them as taken."""
        targets = [target_of(column, "columns") for column in table.columns]
        as_printed = _as_printed(targets)
        if as_printed:
            start = self._kept(self.printed.start(table, targets))
            if start is not None:
                return LocatedTable(table, targets, [], printed=start)
        finder = HeaderFinder(targets)
        rows: list[tuple[Header, TableRow]] = []
        current: Header | None = None
        for index, page in enumerate(self.scan.view.pages):
            headers = [h for h in finder.find(page) if self._resolve(h, index, targets)]
            headers = self._best(headers, current)
            found: list[tuple[Header, TableRow]] = []
            heads: list[int] = []
            if current is not None and (not headers or headers[0].first_row > 12):
                moved = _moved(current, page)
                stop = headers[0].first_row if headers else len(page.rows)
                more, ended = self._rows(moved, index, page.rows[:stop])
                found += [(moved, row) for row in more]
                if ended or (not more and not headers):
                    current = None
            for position, header in enumerate(headers):
                stop = headers[position + 1].first_row if position + 1 < len(headers) else len(page.rows)
                more, ended = self._rows(header, index, page.rows[header.last_row + 1 : stop])
                found += [(header, row) for row in more]
                current = None if ended else header
                if more:
                    heads += range(header.first_row, header.last_row + 1)
            self.scan.claim(
                index, heads, {line.row.index for _, row in found for line in row.lines if line.cells}
            )
            rows += found
        ready: TableRows = []
        if not rows and not as_printed:
            start = self._kept(self.printed.start(table, targets))
            if start is not None:
                return LocatedTable(table, targets, [], printed=start)
        if not rows:
            ready, taken = headerless.read_headerless(
                self.scan, targets, self.scan.options.tables == "enabled"
            )
            for index, lines in taken.items():
                self.scan.claim(index, (), lines)
            if not ready:
                start = self._kept(self.printed.start_by_type(table, targets))
                if start is not None:
                    return LocatedTable(table, targets, [], printed=start)
        return LocatedTable(table, targets, rows, ready)

    def _kept(self, start: TableStart | None) -> TableStart | None:
        """``start`` if rows stand beneath it; the scan then knows them as taken."""
        parts = self.printed.parts(start) if start is not None else []
        for head, body, _ in parts:
            index = head.page.index
            rows = {t.segment.row for line in body.lines for t in line.tokens}
            heads = {t.segment.row for c in head.columns if c.header_span for t in c.header_span.tokens}
            self.scan.claim(index, heads, rows)
        return start if parts else None

    def read(self, located: LocatedTable, span: tuple[date | None, date | None] = (None, None)) -> TableRows:
        """The cells of a table; ``span`` bounds dates that are printed without a year."""
        self.context = TableContext(self.scan.locale, *span)
        if located.ready:
            return located.ready
        if located.printed is not None:
            return findings(self.printed.parts(located.printed), located.targets, self.context)
        rows = [cells for header, row in located.rows if (cells := self._cells(header, row, located.targets))]
        row_repair.strip_codes(rows, located.targets)
        row_repair.strip_price_bases(rows, located.targets)
        row_repair.check_rows(rows, located.targets)
        return rows

    def _best(self, headers: list[Header], current: Header | None) -> list[Header]:
        """The headers that are this table's: those like the best one."""
        if not headers:
            return []
        reference = current if current is not None else max(headers, key=lambda h: (len(h.matched), h.score))
        return [h for h in headers if len(h.matched & reference.matched) >= 0.75 * len(reference.matched)]

    def _resolve(self, header: Header, index: int, targets: Sequence[FieldTarget]) -> bool:
        """Gives the header's cells their columns; False if too few are this table's."""
        page = header.page
        following = page.rows[header.last_row + 1 : header.last_row + 1 + _SAMPLED]
        body = body_rows(following, self.scan.around[index])
        bands = ColumnBands(header, body)
        rows = [split_row(row, bands, self.context).cells for row in body if len(row.segments) > 1]
        samples: dict[int, list[list[Token]]] = {}
        for cells in rows:
            for index, tokens in cells.items():
                samples.setdefault(index, []).append(tokens)
        column_assignment.assign_columns(header, targets, samples, self.context)
        assign_by_product(header, targets, rows, self.context)
        return len(header.matched) >= min(2, len(targets))

    def _rows(self, header: Header, index: int, body: Sequence[Row]) -> tuple[list[TableRow], bool]:
        around = self.scan.around[index]
        bands = ColumnBands(header, body_rows(body, around))
        return RowGrouper(header, bands, around, self.context).read(body)

    def _cells(self, header: Header, row: TableRow, targets: Sequence[FieldTarget]) -> dict[str, Finding]:
        found: dict[str, Finding] = {}
        for index, cell in enumerate(header.cells):
            if cell.target is None or index not in row.cells:
                continue
            value = read_cell(cell.target, row.cells[index], self.context)
            if value is None:
                continue
            found[cell.target.name] = _finding(value[0], value[1], cell.weight(cell.target))
            if cell.target.concept and cell.target.concept.name == "quantity":
                self._unit(header, row.cells[index], targets, found)
        for index, tokens in row.extra.items():
            target = header.cells[index].target
            if target is not None and target.concept is not None and target.concept.name == "unit_price":
                row_repair.choose_price(found, tokens, targets, self.context)
        return found

    def _unit(
        self,
        header: Header,
        tokens: Sequence[Token],
        targets: Sequence[FieldTarget],
        found: dict[str, Finding],
    ) -> None:
        """The unit that is printed with the quantity, where the table has no column for it."""
        unit = next((t for t in targets if t.concept and t.concept.name == "unit"), None)
        if unit is None or unit.name in header.matched:
            return
        words = unit_in(tokens, self.context)
        if words:
            found[unit.name] = _finding(" ".join(t.text for t in words), words, 0.9)


def _as_printed(targets: Sequence[FieldTarget]) -> bool:
    """Whether a table asks for words as they stand, not for figures whose meaning the lexicon knows."""
    if all(t.field.type is FieldType.TEXT for t in targets):
        return True
    return sum(t.concept is not None for t in targets) < 0.5 * len(targets)


def _finding(value: object, tokens: Sequence[Token], weight: float) -> Finding:
    ocr = min((t.score for t in tokens), default=1.0)
    text = " ".join(t.text for t in tokens)
    return Finding(value, probability(0.75 * max(weight, 0.6), ocr=ocr), locations(tokens), text)


def _moved(header: Header, page: PageView) -> Header:
    """``header`` as it would stand above the first row of a following page."""
    return Header(page, -1, -1, header.cells, header.score)
