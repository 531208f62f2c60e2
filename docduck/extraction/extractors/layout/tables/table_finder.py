"""Finds the rows of each table field over all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from docduck.extraction.confidence import Evidence
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
from docduck.extraction.extractors.layout.tables.outside import rows_outside
from docduck.extraction.extractors.layout.tables.quality import quality
from docduck.extraction.extractors.layout.tables.typed.reader import TablePart, TypedTableReader
from docduck.extraction.extractors.layout.tables.typed.reader import findings as typed_findings
from docduck.extraction.extractors.layout.token_text import ocr_score, text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, Row, Token, locations
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_SAMPLE_ROWS = 25
_ALIKE = 0.001
"""Difference of quality up to which two readings are equal."""
_LONGER = 0.6
"""Factor for the quality that a reading with twice as many rows needs."""


@dataclass(frozen=True, slots=True)
class LocatedTable:
    """A table located on the pages: by heads that the page's reading sees, or by the names of its columns.

    In the second case it is read as line items, without a header, or as a generic table.
    """

    query: FieldQuery
    rows: list[tuple[Header, TableRow]]
    headerless_rows: TableRows = field(default_factory=list)
    generic: TableStart | None = None
    parts: Sequence[TablePart] = ()


class TableFinder:
    """Finds and reads the tables of one document."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self.context = TableContext(analysis.locale)
        self.generic = GenericTableReader(analysis)
        self.typed = TypedTableReader(analysis, queries)

    def locate(self, query: FieldQuery) -> LocatedTable:
        """Locate a table on all pages and claim its rows in the analysis.

        Of two readings, the one with more filled cells and right products counts. Tables of texts alone are
        read by the names of their columns where these are found.
        """
        read = LocatedTable(query, [], parts=self.typed.find(query))
        before = self.analysis.claims()
        named = self._locate_by_names(query)
        if not read.parts or self._is_better(named, read):
            return named
        self.analysis.restore(before)
        self.typed.use(read.parts)
        for part in read.parts:
            self.analysis.claim(part.page, part.header_rows, part.body_rows)
        return read

    def _is_better(self, named: LocatedTable, read: LocatedTable) -> bool:
        """Return whether a table read by the names of its columns is better than by the page's reading."""
        query, rows, others = named.query, self.read(named), self.read(read)
        headless = not any(part.match.named for part in read.parts)
        texts = all(column.field.type is FieldType.TEXT for column in query.columns)
        if rows and (headless or texts):
            return True
        least = quality(query, others)
        return quality(query, rows) > (least * _LONGER if 2 * len(others) <= len(rows) else least + _ALIKE)

    def _locate_by_names(self, query: FieldQuery) -> LocatedTable:
        table, targets = query.field, query.columns
        is_generic = _is_generic(targets)
        if is_generic and (start := self._claimed(self.generic.start(table, targets))) is not None:
            return LocatedTable(query, [], generic=start)
        finder = HeaderFinder(targets)
        rows: list[tuple[Header, TableRow]] = []
        current: Header | None = None
        for index, page in enumerate(self.analysis.view.pages):
            headers = [h for h in finder.find(page) if self._resolve(h, index, targets)]
            headers = self._best(headers, current)
            found: list[tuple[Header, TableRow]] = []
            header_rows: list[int] = []
            if current is not None and (not headers or headers[0].first_row > 12):
                continued = _continued_header(current, page)
                stop = headers[0].first_row if headers else len(page.rows)
                more, ended = self._rows(continued, index, page.rows[:stop])
                found += [(continued, row) for row in more]
                if ended or (not more and not headers):
                    current = None
            for position, header in enumerate(headers):
                stop = headers[position + 1].first_row if position + 1 < len(headers) else len(page.rows)
                more, ended = self._rows(header, index, page.rows[header.last_row + 1 : stop])
                found += [(header, row) for row in more]
                current = None if ended else header
                if more:
                    header_rows += range(header.first_row, header.last_row + 1)
            self.analysis.claim(
                index, header_rows, {line.row.index for _, row in found for line in row.lines if line.cells}
            )
            rows += found
        headerless_rows: TableRows = []
        if not rows and not is_generic:
            start = self._claimed(self.generic.start(table, targets))
            if start is not None:
                return LocatedTable(query, [], generic=start)
        if not rows:
            headerless_rows, taken = headerless.read_headerless(
                self.analysis, targets, self.analysis.options.tables == "enabled"
            )
            for index, lines in taken.items():
                self.analysis.claim(index, (), lines)
            if not headerless_rows:
                start = self._claimed(self.generic.start_by_type(table, targets))
                if start is not None:
                    return LocatedTable(query, [], generic=start)
        return LocatedTable(query, rows, headerless_rows)

    def _claimed(self, start: TableStart | None) -> TableStart | None:
        """Return ``start`` if rows follow it, and claim them."""
        parts = self.generic.parts(start) if start is not None else []
        for header, body, _ in parts:
            index = header.page.index
            rows = {t.segment.row for line in body.lines for t in line.tokens}
            header_rows = {t.segment.row for c in header.columns if c.span for t in c.span.tokens}
            self.analysis.claim(index, header_rows, rows)
        return start if parts else None

    def read(self, located: LocatedTable, span: tuple[date | None, date | None] = (None, None)) -> TableRows:
        """Return the cells of a table; ``span`` bounds dates that are printed without a year."""
        self.context = TableContext(self.analysis.locale, *span)
        if located.parts:
            return typed_findings(located.parts, located.query, self.context)
        if located.headerless_rows:
            return located.headerless_rows
        if located.generic is not None:
            return findings(self.generic.parts(located.generic), located.query.columns, self.context)
        rows = [
            cells
            for header, row in located.rows
            if (cells := self._cells(header, row, located.query.columns))
        ]
        row_repair.strip_codes(rows, located.query.columns)
        row_repair.strip_price_bases(rows, located.query.columns)
        return rows

    def _best(self, headers: list[Header], current: Header | None) -> list[Header]:
        """Return the headers that are similar to the current or best one."""
        if not headers:
            return []
        reference = current if current is not None else max(headers, key=lambda h: (len(h.matched), h.score))
        return [h for h in headers if len(h.matched & reference.matched) >= 0.75 * len(reference.matched)]

    def _resolve(self, header: Header, index: int, targets: Sequence[FieldQuery]) -> bool:
        """Assign the header's cells to columns; return False if too few match."""
        page = header.page
        following = page.rows[header.last_row + 1 : header.last_row + 1 + _SAMPLE_ROWS]
        body = body_rows(following, self.analysis.label_indexes[index])
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
        label_index = self.analysis.label_indexes[index]
        outside = rows_outside(label_index.page)
        body = [row for row in body if row.index not in outside]
        bands = ColumnBands(header, body_rows(body, label_index))
        return RowGrouper(header, bands, label_index, self.context).read(body)

    def _cells(self, header: Header, row: TableRow, targets: Sequence[FieldQuery]) -> dict[str, Finding]:
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
        targets: Sequence[FieldQuery],
        found: dict[str, Finding],
    ) -> None:
        """Add the unit that is printed with the quantity, if the table has no column for it."""
        unit = next((t for t in targets if t.concept and t.concept.name == "unit"), None)
        if unit is None or unit.name in header.matched:
            return
        words = unit_in(tokens, self.context)
        if words:
            found[unit.name] = _finding(text_of(words), words, 0.9)


def _is_generic(targets: Sequence[FieldQuery]) -> bool:
    """Return whether a table has mainly text columns, or columns whose meaning the lexicon doesn't know."""
    if all(t.field.type is FieldType.TEXT for t in targets):
        return True
    return sum(t.concept is not None for t in targets) < 0.5 * len(targets)


def _finding(value: object, tokens: Sequence[Token], weight: float) -> Finding:
    ocr = ocr_score(tokens)
    text = text_of(tokens)
    evidence = Evidence("row", weight, ocr=ocr)
    return Finding(value, evidence.probability, locations(tokens), text, evidence=evidence)


def _continued_header(header: Header, page: PageView) -> Header:
    """Return ``header`` as a header above the first row of a following page."""
    return Header(page, -1, -1, header.cells, header.score)
