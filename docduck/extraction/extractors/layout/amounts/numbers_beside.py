"""Numbers in the rows of tables that are in no cell: discounts, taxes, for how many pieces a price is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from docduck.documents.document import Box
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.page.page_view import location
from docduck.extraction.result import Finding
from docduck.extraction.values.numbers import as_json_number

_MOST, _MOST_ROWS = 60, 400
"""Different numbers, and rows that are searched, at most."""
_BANDS = 100
"""Bands of a page in which a cell is looked for."""


def numbers_beside(analysis: DocumentAnalysis, cells: Iterable[Finding]) -> tuple[float, ...]:
    """Return the numbers in the rows of tables that no cell shows."""
    shown: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for place in (place for cell in cells for place in cell.locations):
        shown[place.page, int(place.box.middle * _BANDS)].append(place.box)
    numbers: dict[float, None] = {}
    for page, row in sorted(analysis.claimed)[:_MOST_ROWS]:
        for segment in analysis.view.pages[page].rows[row].segments if shown else ():
            for candidate in analysis.candidates_of("amount", segment):
                place = location(candidate.tokens)
                band = int(place.box.middle * _BANDS)
                near = [box for at in (band - 1, band, band + 1) for box in shown[place.page, at]]
                if not any(box.holds_middle_of(place.box) for box in near):
                    numbers[as_json_number(candidate.value)] = None
        if len(numbers) >= _MOST:
            break
    return tuple(numbers)
