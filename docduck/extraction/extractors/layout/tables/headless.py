"""Tables without a header: neighbouring lines whose parts are aligned and have the types of the columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.bands import united
from docduck.extraction.extractors.layout.tables.cells import TableContext, is_amount_cell
from docduck.extraction.extractors.layout.tables.column_fit import assigned, column_fit, is_date, is_rate
from docduck.extraction.extractors.layout.tables.columns import Match, concept_of
from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header, runs
from docduck.extraction.extractors.layout.tables.other_lines import summary_label
from docduck.extraction.extractors.layout.tables.products import ANCHORS, PARTS, numbers_of
from docduck.extraction.extractors.layout.tables.taxes import are_taxes, tax_columns
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, Row, Token
from docduck.extraction.reading import reading_of
from docduck.extraction.values.numbers import parse_number
from docduck.fields import NUMERIC, FieldType

_GAP = 4.0
"""Gap between two lines of a table at most, in line heights."""
_ALIGNED = 1.0
"""Offset of aligned edges at most, in line heights."""
_BETWEEN = 3
"""Other lines between two lines of a table at most."""
_SURE = 0.9
"""Mean probability of cells from which a line is none of the sums."""
_MOST_PARTS = 8
_DECIMALS = re.compile(r"\d[.,]\d\d$")
_HALF = 0.5
"""Score of a table that has no header, and share of fitting values from which a column may be a field's."""
_BESIDE = 0.9
"""Factor for amounts that lines have besides that of the row, and for texts that no concept describes."""
_UNIT = 0.6
"""Fit of a number with its unit for a column of texts."""
_TYPED = NUMERIC | {FieldType.DATE}


@dataclass(frozen=True, eq=False)
class _Line:
    """A line cut into parts, with one that is a number or a date."""

    row: Row
    parts: list[list[Token]]


def find_blocks(
    page: PageView,
    rows: Sequence[Row],
    query: FieldQuery,
    context: TableContext,
    labels: LabelIndex,
    least: int,
) -> Iterator[tuple[Match, list[Row]]]:
    """Yield the blocks of ``least`` or more of some ``rows`` of a page that may be the table ``query``.

    A block has its columns and rows. Sums and other lines between them are left out.
    """
    blocks: list[list[_Line]] = []
    still_open: list[list[_Line]] = []
    for row in rows:
        line = _line(row, context, page.line_height)
        if line is None or (summary_label(row, labels) is not None and _certainty([row]) < _SURE):
            continue
        still_open = [block for block in still_open if _is_near(block[-1].row, row, page.line_height)]
        block = next((block for block in still_open if _is_aligned(block[-1], line, page.line_height)), None)
        if block is None:
            block = []
            blocks.append(block)
            still_open.append(block)
        block.append(line)
    for whole in blocks:
        spans = _spans(whole)
        block = [line for line in whole if _is_within(line, spans)]
        if len(block) >= least and (match := _match(page, query, block, context)) is not None:
            yield match, [line.row for line in block]


def _line(row: Row, context: TableContext, height: float) -> _Line | None:
    parts = [run for segment in row.segments for run in runs(segment.tokens, height)]
    parts = [part for part in parts if any(t.key for t in part)]
    if not parts:
        return None
    first = parts[0][0].text
    is_number = parse_number(first.rstrip("x×"), context.locale.decimal) is not None
    if len(parts[0]) > 1 and (is_number or is_date(first, context)):
        parts = [parts[0][:1], parts[0][1:], *parts[1:]]
    last = parts[-1]
    if len(last) > 1 and not is_amount_cell(last, context) and _DECIMALS.search(last[-1].text):
        parts = [*parts[:-1], parts[-1][:-1], parts[-1][-1:]]
    typed = any(t.text[:1].isdigit() or t.text[-1:].isdigit() for part in parts for t in part)
    return _Line(row, parts) if typed and 1 < len(parts) <= _MOST_PARTS else None


def _is_near(row: Row, below: Row, height: float) -> bool:
    return below.top - row.bottom <= _GAP * height and below.index - row.index <= _BETWEEN + 1


def _is_aligned(line: _Line, below: _Line, height: float) -> bool:
    """Return whether the first parts of two lines are aligned, and two others of them."""
    slack = _ALIGNED * height
    return abs(line.parts[0][0].left - below.parts[0][0].left) <= slack and any(
        min(abs(above[0].left - part[0].left), abs(above[-1].right - part[-1].right)) < slack
        for part in below.parts[1:]
        for above in line.parts[1:]
    )


def _spans(block: Sequence[_Line]) -> list[tuple[float, float]]:
    """Return the edges of a block's columns, without regard to lines of fewer parts than usual."""
    usual = median(len(line.parts) for line in block)
    parts = (part for line in block if len(line.parts) >= usual for part in line.parts)
    return [(span.left, span.right) for span in united((part[0].left, part[-1].right) for part in parts)]


def _is_within(line: _Line, spans: Sequence[tuple[float, float]]) -> bool:
    """Return whether each part of a line is within a column."""
    return all(
        any(left <= part[0].left and part[-1].right <= right for left, right in spans) for part in line.parts
    )


def _match(page: PageView, query: FieldQuery, block: Sequence[_Line], context: TableContext) -> Match | None:
    """Return the columns of a block that are of the field, None if these are too few."""
    parts = [part for line in block for part in line.parts]
    spans = _spans(block)
    samples = [
        [part for part in parts if left <= part[0].left and part[-1].right <= right] for left, right in spans
    ]
    fits = [
        [_fit(column, cells, context) * len(cells) / len(block) for column in query.columns]
        for cells in samples
    ]
    numbers = [_numbers(line, spans, context) for line in block]
    taxed = tax_columns(numbers)
    for at, row in enumerate(fits):
        for i, column in enumerate(query.columns):
            is_rated = is_rate(column) and ((taxed is not None and taxed.has(at)) or are_taxes(numbers, at))
            if is_rated or (taxed is not None and taxed.excludes(concept_of(column), at, called=False)):
                row[i] = 0.0
    total, places = assigned(fits)
    columns = {at: query.columns[i] for i, at in places.items()}
    for i, column in enumerate(query.columns):
        others = [at for at in range(len(spans)) if at not in columns and fits[at][i] >= _BESIDE]
        if i not in places and _is_typed(column) and len(others) == 1:
            columns[others[0]] = column
    types = [_is_typed(column) for column in columns.values()]
    if len(columns) < min(2, len(query.columns)) or not any(types):
        return None
    if all(types) and not all(_is_typed(column) for column in query.columns):
        return None
    first = block[0].row.index - 1
    header = Header(page, first, first, [HeadCell([], [], span) for span in spans], 0.0)
    score = headless_score(total / len(query.columns), [line.row for line in block])
    return Match(header, dict(sorted(columns.items())), score, 0)


def _numbers(line: _Line, spans: Sequence[tuple[float, float]], context: TableContext) -> dict[int, Decimal]:
    """Return the numbers of a line by column, without percentages."""
    cells = {
        at: part
        for part in line.parts
        for at, (left, right) in enumerate(spans)
        if left <= part[0].left and part[-1].right <= right
    }
    return numbers_of(cells, context)


def headless_score(filled: float, rows: Sequence[Row]) -> float:
    """Return the score of a table without a header, by the share of filled cells and its rows on the page."""
    return _HALF * filled * (_HALF + _HALF * _certainty(rows))


def _certainty(rows: Sequence[Row]) -> float:
    """Return the mean probability that the segments of some rows of a page are cells."""
    segments = [segment for row in rows for segment in row.segments]
    reading = reading_of(segments[0].page)
    return sum(reading.kind(segment.index, "cell") for segment in segments) / len(segments)


def _is_typed(column: FieldQuery) -> bool:
    """Return whether a column has dates or numbers, perhaps as text."""
    return column.type in _TYPED or concept_of(column) in ANCHORS | PARTS


def _fit(column: FieldQuery, cells: Sequence[Sequence[Token]], context: TableContext) -> float:
    """Return how well, 0–1, cells fit a column, 0 if they are not of its type."""
    fit = sum(_text_fit(cell, context) for cell in cells) / len(cells)
    if column.type in _TYPED:
        fit = column_fit(column, cells, context)
    elif _is_typed(column):
        fit = sum(is_amount_cell(cell, context) for cell in cells) / len(cells)
    elif column.kind == "identifier":
        fit = max(_BESIDE * fit, column_fit(column, cells, context))
    if concept_of(column) in PARTS or (column.kind == "text" and column.concept is None):
        fit *= _BESIDE
    return fit if fit >= _HALF else 0.0


def _text_fit(cell: Sequence[Token], context: TableContext) -> float:
    """Return how well, 0–1, a cell fits a column of texts: less if it is a number with its unit."""
    if not any(c.isalpha() for t in cell for c in t.text):
        return 0.0
    return _UNIT if is_amount_cell(cell, context) else 1.0
