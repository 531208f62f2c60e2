"""Reads the tables of a document's fields: finds the best header of each, then its rows on all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.confidence import probability
from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.cells import cell_text, read_cell
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.typed import rows as grouping
from docduck.extraction.extractors.layout.tables.typed.bands import Bands
from docduck.extraction.extractors.layout.tables.typed.headers import Header, find_headers
from docduck.extraction.extractors.layout.tables.typed.matching import Match, match_columns
from docduck.extraction.extractors.layout.tables.typed.rows import TableRow
from docduck.extraction.extractors.layout.token_text import ocr_score
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import Row, locations
from docduck.extraction.reading import reading_of
from docduck.extraction.result import Finding

_SAMPLE = 25
"""Lines below a header whose values are compared with the columns' types."""


@dataclass(frozen=True, eq=False)
class TablePart:
    """The part of a table on one page."""

    match: Match
    bands: Bands
    rows: list[TableRow]

    @property
    def page(self) -> int:
        """The index of its page."""
        return self.match.header.page.index

    @property
    def header_rows(self) -> set[int]:
        """The rows of the page with its heads."""
        return {t.segment.row for i in self.match.columns for t in self.match.header.cells[i].tokens}

    @property
    def body_rows(self) -> set[int]:
        """The rows of the page with its cells."""
        return {line.row.index for row in self.rows for line in row.lines}


class TypedTableReader:
    """Reads the tables of one document, each header cell for one field."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        names = {form for query in queries for column in query.columns for form in column.forms}
        self._headers = [find_headers(page, names) for page in analysis.view.pages]
        self._taken: set[int] = set()

    def find(self, query: FieldQuery) -> list[TablePart]:
        """Return the parts of the table that fits ``query`` best, none if none fits."""
        context = TableContext(self.analysis.locale)
        best: tuple[float, TablePart] | None = None
        for index, headers in enumerate(self._headers):
            for header in headers:
                part = self._part(header, index, query, context)
                if part is None:
                    continue
                score = part.match.score + 0.02 * min(len(part.rows), 5) + 0.1 * header.certainty
                if best is None or score > best[0]:
                    best = (score, part)
        return [best[1]] if best is not None else []

    def use(self, parts: Sequence[TablePart]) -> None:
        """Keep the heads of some parts from other fields."""
        for part in parts:
            self._taken |= {id(t) for i in part.match.columns for t in part.match.header.cells[i].own}

    def _part(self, header: Header, index: int, query: FieldQuery, context: TableContext) -> TablePart | None:
        body = self._body(header, index)
        if not body:
            return None
        reading = reading_of(header.page)
        sure = [
            row
            for row in body
            if sum(reading.kind(s.index, "cell") for s in row.segments) > 0.5 * len(row.segments)
        ]
        bands = Bands(header, (sure or body)[:_SAMPLE])
        lines = [(row, bands.cells(row)) for row in body]
        match = match_columns(
            header,
            query,
            [cells for row, cells in lines if not sure or row in sure][:_SAMPLE],
            context,
            self._taken,
        )
        if match is None:
            return None
        labels = self.analysis.label_indexes[index]
        found = grouping.group(match, grouping.lines_of(lines, match.columns), labels, context)
        return TablePart(match, bands, found) if found else None

    def _body(self, header: Header, index: int) -> list[Row]:
        """Return the rows between a header and the next one below it."""
        page = self.analysis.view.pages[index]
        left, right = header.cells[0].left, header.cells[-1].right
        stop = min(
            (
                other.first_row
                for other in self._headers[index]
                if other.first_row > header.last_row
                and other.cells[0].left < right
                and left < other.cells[-1].right
            ),
            default=len(page.rows),
        )
        return page.rows[header.last_row + 1 : stop]


def findings(parts: Sequence[TablePart], context: TableContext) -> TableRows:
    """Return the cells of a table's rows, read by the types of their columns."""
    found: TableRows = []
    for part in parts:
        certainty = part.match.score
        for row in part.rows:
            cells: dict[str, Finding] = {}
            for index, column in part.match.columns.items():
                value = read_cell(column, row.cells.get(index, []), context)
                if value is not None:
                    cells[column.name] = Finding(
                        value[0],
                        probability(0.85 * min(1.0, 0.55 + 0.4 * certainty), ocr=ocr_score(value[1])),
                        locations(value[1]),
                        cell_text(value[1]),
                    )
            if cells:
                found.append(cells)
    return found
