"""Numbers on the pages that may be terms of a document's sums besides the values of its fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal

from docduck.documents.document import Box
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.page.page_view import PageView, Segment, location
from docduck.extraction.result import Finding
from docduck.extraction.values.numbers import as_json_number

_ABOVE, _NEAR, _BELOW = 12, 4, 3
"""Rows above the totals, with and without a table there, and below them in which amounts may be terms."""
_FOLLOWING = 12
"""Rows below a table in which numbers may be part of its products."""
_MOST_UNNAMED, _MOST_BESIDE, _MOST_ROWS = 12, 60, 400
"""Different numbers among the totals and beside cells, and rows of tables that are searched, at most."""
_BANDS = 100
"""Bands of a page in which a cell is looked for."""


def unnamed_amounts(analysis: DocumentAnalysis, totals: Collection[Segment]) -> tuple[float, ...]:
    """Return the amounts around the lines ``totals``, the last of each row: what they are is not known.

    They reach up to a table; without one, only rows with one amount that are near are no items.
    """
    values: dict[Decimal, None] = {}
    for page in {total.page for total in totals}:
        rows = [total.row for total in totals if total.page is page]
        tables = [row for index, row in analysis.claimed if index == page.index and row < min(rows)]
        first, last = max(min(rows) - _ABOVE, max(tables, default=-1) + 1), max(rows) + _BELOW
        by_row: defaultdict[int, list[Candidate]] = defaultdict(list)
        for amount in analysis.candidates("amount")[page.index]:
            if (amount.decimals == 2 or amount.currency) and first <= amount.segment.row <= last:
                by_row[amount.segment.row].append(amount)
        for row, some in by_row.items():
            if tables or (len(some) == 1 and row >= min(rows) - _NEAR) or row in rows:
                values[abs(some[-1].value)] = None
    return tuple(as_json_number(value) for value in values if value)[:_MOST_UNNAMED]


def numbers_beside(analysis: DocumentAnalysis, cells: Iterable[Finding]) -> tuple[float, ...]:
    """Return the numbers in and below the rows of tables that no cell has, and all percentages."""
    shown: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    numeric = (cell for cell in cells if isinstance(cell.value, int | float))
    for place in (place for cell in numeric for place in cell.locations):
        shown[place.page, int(place.box.middle * _BANDS)].append(place.box)
    if not shown:
        return ()
    percents = (c.value for page in analysis.candidates("percent") for c in page)
    numbers: dict[Decimal, None] = dict.fromkeys(percents)
    for page, row in _rows_of_tables(analysis):
        for segment in page.rows[row].segments:
            for candidate in analysis.candidates_of("amount", segment):
                place = location(candidate.tokens)
                band = int(place.box.middle * _BANDS)
                near = [box for at in (band - 1, band, band + 1) for box in shown[place.page, at]]
                if not any(box.holds_middle_of(place.box) for box in near):
                    numbers[candidate.value] = None
        if len(numbers) >= _MOST_BESIDE:
            break
    return tuple(map(as_json_number, numbers))[:_MOST_BESIDE]


def _rows_of_tables(analysis: DocumentAnalysis) -> Iterator[tuple[PageView, int]]:
    """Yield the rows from the first one of a table on each page to some below its last one."""
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for page, row in sorted(analysis.claimed)[:_MOST_ROWS]:
        rows[page].append(row)
    for page, some in rows.items():
        view = analysis.view.pages[page]
        yield from ((view, row) for row in range(some[0], min(some[-1] + _FOLLOWING, len(view.rows))))
