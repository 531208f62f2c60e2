"""Finds the tables of a document's fields: the best header of each, then its rows on all pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, zip_longest
from statistics import median

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.bands import Bands, fitted
from docduck.extraction.extractors.layout.tables.carried import CarriedSums
from docduck.extraction.extractors.layout.tables.cells import TableContext
from docduck.extraction.extractors.layout.tables.columns import Match, match_columns
from docduck.extraction.extractors.layout.tables.headers import Header, find_headers
from docduck.extraction.extractors.layout.tables.headless import find_blocks
from docduck.extraction.extractors.layout.tables.other_lines import heading_in
from docduck.extraction.extractors.layout.tables.printed.printed_rows import is_printed, printed_rows
from docduck.extraction.extractors.layout.tables.receipts import find_items
from docduck.extraction.extractors.layout.tables.rows import Grouper, Line, TableRow, lines_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import concepts
from docduck.extraction.page.page_view import PageView, Row, Token
from docduck.extraction.reading import PageReading, reading_of

TOP = 0.35
"""Share of a page's height from which a table doesn't go on there."""
_CONTINUED = 0.75
"""Share of the usual cells that the first row on a page without a header has."""
_CALLED = 2.0
"""What the table's name above it adds to the score of one without a header, in multiples of the score."""
_AS_WIDE = 0.6
"""Share of cells from which a header below another one begins a table, and a line is like the widest."""
_SURE = 2
"""Rows that the page's reading sees at least; where there are fewer, rows as wide as the header count."""
_GAP = 3.0
"""Gap between such rows at most, in line heights."""
_NEAR = 1.5
"""Gap between heads and the heading above them at most, in line heights."""
_SAMPLE = 25
"""Lines below a header whose values are compared with the columns' types."""


@dataclass(frozen=True, eq=False)
class TablePart:
    """The part of a table on one page.

    ``sums`` are its lines that are sums, ``carried`` those that carry one from or to another page.
    """

    match: Match
    bands: Bands
    rows: list[TableRow]
    ended: bool
    sums: Sequence[Line] = ()
    carried: Sequence[Line] = ()

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """The columns with their heads: equal for the parts of one table."""
        cells = self.match.header.cells
        return tuple(
            (column.name, cells[i].forms[0]) for i, column in self.match.columns.items() if cells[i].forms
        )

    def is_beside(self, other: TablePart) -> bool:
        """Return whether the heads of two parts are in the same rows of their page."""
        return self.match.header.last_row == other.match.header.last_row

    @property
    def is_close(self) -> bool:
        """Return whether the first row is close to the heads."""
        header = self.match.header
        return self.rows[0].lines[0].top - header.bottom < _GAP * header.page.line_height

    @property
    def heading(self) -> list[Token]:
        """The words of the line above the heads, or the rows without any, if it may be their heading."""
        header = self.match.header
        if not header.certainty and not any(cell.tokens for cell in header.cells):
            return heading_in(header.page.rows[header.first_row]) if header.first_row >= 0 else []
        above = header.page.rows[header.first_row - 1] if header.first_row > 0 else None
        if above is None or header.top - above.bottom > _NEAR * header.page.line_height:
            return []
        return heading_in(above)

    @property
    def page(self) -> int:
        """The index of its page."""
        return self.match.header.page.index

    @property
    def header_rows(self) -> set[int]:
        """The rows of the page with its heads."""
        header = self.match.header
        tokens = (t for i in self.match.columns for t in header.cells[i].tokens)
        return {t.segment.row for t in tokens if t.segment.page is header.page}

    @property
    def body_rows(self) -> set[int]:
        """The rows of the page with its cells."""
        return {line.row.index for row in self.rows for line in row.lines}

    @property
    def sums_above(self) -> list[Line]:
        """The sums above its first row."""
        first = self.rows[0].lines[0].row.index if self.rows else 0
        return [line for line in self.sums if line.row.index < first]

    @property
    def sums_below(self) -> list[Line]:
        """The sums below its last row."""
        last = self.rows[-1].lines[-1].row.index if self.rows else 0
        return [line for line in self.sums if line.row.index > last]

    @property
    def carried_rows(self) -> set[int]:
        """The rows of the page with sums that are carried over."""
        return {line.row.index for line in self.carried}


class PartFinder:
    """Finds the tables of one document; each header cell serves one field."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self._context = TableContext(analysis.locale)
        names = {form for query in queries for column in query.columns for form in column.forms}
        names |= concepts("columns")["position"].labels.keys()
        self._headers = [find_headers(page, names) for page in analysis.view.pages]
        for (page, headers), (following, below) in pairwise(
            zip(analysis.view.pages, self._headers, strict=True)
        ):
            if headers and headers[-1].last_row == len(page.rows) - 1:
                below.insert(0, headers[-1].above(following))
        self._is_alone = len(queries) == 1
        self._known: dict[tuple[Header, str], TablePart | None] = {}
        self._taken: set[int] = set()
        self._used: set[tuple[int, int]] = set()

    def _headed(self, query: FieldQuery) -> list[tuple[float, TablePart]]:
        """Return the tables with a header that may be ``query``, with their scores."""
        tables: list[tuple[float, TablePart]] = []
        for header in chain.from_iterable(self._headers):
            if (header, query.name) not in self._known:
                self._known[header, query.name] = self._part(header, query)
            part = self._known[header, query.name]
            if part is not None:
                score = part.match.score + 0.02 * min(len(part.rows), 5) + 0.1 * header.certainty
                tables.append((score, part))
        return tables

    def score(self, query: FieldQuery) -> float:
        """Return how well the best header of ``query`` fits, 0 if there is none."""
        return max((score for score, part in self._headed(query) if part.match.named), default=0.0)

    def find(self, query: FieldQuery) -> list[TablePart]:
        """Return the parts of the table that fits ``query`` best, page by page, none if none fits."""
        tables = self._headed(query)
        named = [pair for pair in tables if pair[1].match.named]
        if named:
            return self._together(max(named, key=lambda pair: pair[0])[1], tables)
        near = (part for _, part in tables if part.is_close)
        best = max(near, key=_filled, default=None)
        headed = self._together(best, tables) if best is not None else []
        return max(headed, self._headless(query), key=lambda parts: sum(map(_filled, parts)))

    def _together(self, best: TablePart, tables: Sequence[tuple[float, TablePart]]) -> list[TablePart]:
        """Return the parts of the table of ``best``: with the same heads, or that go on without."""
        same = [part for _, part in tables if part.forms == best.forms]
        parts: list[TablePart] = []
        for index in range(len(self._headers)):
            here = [part for part in same if part.page == index]
            if here:
                parts += [part for part in here if self._is_alone or part.is_beside(here[0])]
            elif parts and parts[-1].page == index - 1:
                part = self._grouped_continuation(parts[-1], self.analysis.view.pages[index])
                goes_on = part is not None and (not parts[-1].ended or self._begins_carried(part, parts))
                parts += [part] if part is not None and goes_on else []
        return self._without_carried(parts)

    def _begins_carried(self, part: TablePart, before: Sequence[TablePart]) -> bool:
        """Return whether a part begins with the sum of those before."""
        last = self._without_carried([*before, part])[-1]
        return any(line.row.index < last.rows[0].lines[0].row.index for line in last.carried if last.rows)

    def _without_carried(self, parts: Sequence[TablePart]) -> list[TablePart]:
        """Return the parts of a table without rows that carry a sum from one page to the next."""
        sums = CarriedSums(self._context)
        kept: list[TablePart] = []
        for part, following in zip_longest(parts, parts[1:]):
            columns, rows = part.match.columns, list(part.rows)
            carried: list[Line] = []
            if kept and kept[-1].page < part.page:
                carried += sums.carrying_lines(part.sums_above, columns)
                while len(rows) > 1 and sums.carries(rows[0].cells, rows[0].lines[0].row, columns):
                    carried += rows.pop(0).lines
            sums.add(rows[:-1], columns)
            goes_on = following is not None and part.page < following.page
            if goes_on and len(rows) > 1 and sums.carries(rows[-1].cells, rows[-1].lines[0].row, columns):
                carried += rows.pop().lines
            else:
                sums.add(rows[-1:], columns)
            carried += sums.carrying_lines(part.sums_below if goes_on else (), columns)
            kept.append(replace(part, rows=rows, carried=carried))
        return kept

    def _headless(self, query: FieldQuery) -> list[TablePart]:
        """Return the parts of a table without a header: a receipt's items, or a block with more cells."""
        items = [
            TablePart(match, Bands(match.header, []), rows, True)
            for index in range(len(self._headers))
            for match, rows in find_items(self.analysis, query, index)
            if not any((index, line.row.index) in self._used for row in rows for line in row.lines)
        ]
        best, score = items, sum(map(_filled, items))
        fit = max((item.match.score for item in items), default=0.0)
        least = 1 if self.analysis.options.tables == "enabled" else 2
        for index, page in enumerate(self.analysis.view.pages):
            labels = self.analysis.label_indexes[index]
            free = [row for row in page.rows if (index, row.index) not in self._used]
            for match, rows in find_blocks(page, free, query, self._context, labels, least):
                bands = Bands(match.header, rows)
                lines = lines_of(page.rows[rows[0].index :], bands, match.columns)
                part = self._grouped(match, bands, lines, rows[0].top, {row.index for row in rows})
                filled = _filled(part) * (1.0 + _CALLED * _is_called(query, page, rows[0].index))
                if len(part.rows) >= least and filled > score and match.score >= fit:
                    best, score = [part], filled
        return best

    def _grouped_continuation(self, part: TablePart, page: PageView) -> TablePart | None:
        """Return the rows of a table that go on on the next page without a header."""
        match = replace(part.match, header=part.match.header.above(page))
        stop = min((other.first_row for other in self._headers[page.index]), default=len(page.rows))
        lines = lines_of(match.header.own_part(page.rows[:stop]), part.bands, match.columns)
        first = next((n for n, line in enumerate(lines) if line.width > 1), len(lines))
        if first == len(lines) or lines[first].top > TOP * page.height:
            return None
        table_part = self._grouped(match, part.bands, lines[first:], lines[first].top)
        return table_part if any(is_aligned(row, part) for row in table_part.rows[:2]) else None

    def _grouped(
        self, match: Match, bands: Bands, lines: Sequence[Line], top: float, known: Collection[int] = ()
    ) -> TablePart:
        """Return a part of a table: the rows among some lines of its page (see ``Grouper``)."""
        labels = self.analysis.label_indexes[match.header.page.index]
        grouper = Grouper(match, labels, self._context, known)
        rows = grouper.rows(lines, top)
        return TablePart(match, bands, rows, grouper.ended, grouper.summed)

    def use(self, parts: Sequence[TablePart]) -> None:
        """Keep the heads of some parts, and their rows, from other fields."""
        for part in parts:
            self._used |= {(part.page, row) for row in part.body_rows}
            taken = {id(t) for i in part.match.columns for t in part.match.header.cells[i].own}
            self._taken |= taken
            self._known = {pair: known for pair, known in self._known.items() if not pair[0].tokens & taken}

    def _part(self, header: Header, query: FieldQuery) -> TablePart | None:
        body = self._body(header)
        if not body:
            return None
        reading = reading_of(header.page)
        sample = _widest([row for row in body if _is_sure(row, reading)])
        if len(sample) < _SURE:
            close = [row for row in _close(header, body) if len(row.segments) >= len(header.cells)]
            sample = _widest(close) or sample
        if len(sample) >= _SURE:
            header = fitted(header, sample[:_SAMPLE], body)
        sample = (sample or _widest(body))[:_SAMPLE]
        bands = Bands(header, sample)
        match = match_columns(header, query, [bands.cells(row) for row in sample], self._context, self._taken)
        if match is None:
            return None
        if is_printed(query):
            bands, rows, ended = printed_rows(header, body)
            return TablePart(match, bands, rows, ended) if rows else None
        part = self._grouped(match, bands, lines_of(body, bands, match.columns), header.bottom)
        return part if part.rows else None

    def _body(self, header: Header) -> list[Row]:
        """Return the rows between a header and the next one below it."""
        page = header.page
        stop = min(
            (
                other.first_row
                for other in self._headers[page.index]
                if header.is_over(other) and len(other.cells) >= _AS_WIDE * len(header.cells)
            ),
            default=len(page.rows),
        )
        return header.own_part(page.rows[header.last_row + 1 : stop])


def _filled(part: TablePart) -> float:
    """Return the number of a part's cells, by how well its columns fit."""
    return part.match.score * sum(len(row.cells) for row in part.rows)


def _is_sure(row: Row, reading: PageReading) -> bool:
    """Return whether the page's reading sees cells in most of a row."""
    return sum(reading.kind(s.index, "cell") for s in row.segments) > 0.5 * len(row.segments)


def _close(header: Header, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows below a header until a wide gap."""
    bottom = header.bottom
    for row in rows:
        if row.top - bottom > _GAP * header.page.line_height:
            return
        bottom = row.bottom
        yield row


def _widest(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with most segments, without sums and what follows the table."""
    most = max((len(row.segments) for row in rows), default=0)
    return [row for row in rows if len(row.segments) > _AS_WIDE * most]


def _is_called(query: FieldQuery, page: PageView, row: int) -> bool:
    """Return whether one of the lines above a row is the table's name."""
    above = page.rows[max(row - 3, 0) : row]
    return any(segment.key in query.keys for line in above for segment in line.segments)


def is_aligned(row: TableRow, part: TablePart) -> bool:
    """Return whether most cells of a row are aligned with those of the part before, left or right."""
    slack = part.match.header.page.line_height
    aligned = 0
    for i in part.match.columns:
        above = [row.cells[i] for row in part.rows if i in row.cells]
        if i in row.cells and above:
            left, right = median(t[0].left for t in above), median(t[-1].right for t in above)
            cell = row.cells[i]
            aligned += abs(cell[0].left - left) < slack or abs(cell[-1].right - right) < slack
    usual = median(len(row.cells) for row in part.rows)
    return aligned >= _CONTINUED * usual
