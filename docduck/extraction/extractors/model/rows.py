"""Rows of tables that a model returned: each located on a page, and windows joined to one table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from docduck.extraction.extractors.model.answer_values import normalised
from docduck.extraction.extractors.model.evidence import Evidence, Place
from docduck.extraction.extractors.model.schema import Keyed
from docduck.extraction.normal_text import value_key
from docduck.extraction.page.locale import Locale
from docduck.fields import Field

_MOST_ROWS = 20_000
_MOST_ANCHORS = 24
_SAME_ROW = 1.6
"""Heights of a line within which cells are of one row."""


@dataclass(slots=True)
class Row:
    """Values by column name, the places of those that a page shows, and the page of the row."""

    values: dict[str, Any]
    places: dict[str, Place] = field(default_factory=dict)
    page: int | None = None

    @property
    def identity(self) -> tuple[tuple[str, str], ...]:
        """Equal for two readings of one row."""
        return tuple((name, compared(value)) for name, value in sorted(self.values.items()))


def compared(value: Any) -> str:
    """Return a value as text to compare two readings: spelling and trailing zeros don't count."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return f"{value:.2f}"
    if isinstance(value, list):
        return "\n".join(sorted(value_key(str(item)) for item in value))
    return value_key(str(value))


def parse_rows(
    table: Keyed, raw: Any, evidence: Evidence, locale: Locale, pages: frozenset[int]
) -> list[Row]:
    """Return the rows in ``raw``, cells of wrong types and unknown keys dropped, placed on ``pages``."""
    if not isinstance(raw, list):
        return []
    rows: list[Row] = []
    last: tuple[int, float] = (0, -1.0)
    for item in raw[:_MOST_ROWS]:
        if not isinstance(item, dict):
            continue
        values = {
            column.field.name: evidence.as_printed(column.field, value, pages)
            for column in table.columns
            if (value := normalised(column.field, item.get(column.key), locale)) is not None
        }
        if not values:
            continue
        row = Row(values)
        last = _place(row, table.field.columns, evidence, pages, last)
        rows.append(row)
    return rows


def _place(
    row: Row, columns: Sequence[Field], evidence: Evidence, pages: frozenset[int], last: tuple[int, float]
) -> tuple[int, float]:
    """Give each cell the place nearest to the line that shows most cells; return that line.

    Rows follow one another, so of equal lines it is the first after ``last``, the one of the row before.
    """
    shown = {
        column.name: places
        for column in columns
        if column.name in row.values and (places := evidence.places(column, row.values[column.name], pages))
    }
    if not shown:
        return last
    rarest = min(shown.values(), key=len)
    following = bisect_right(rarest, last, key=_line)
    anchors = rarest[following : following + _MOST_ANCHORS] + rarest[: min(following, _MOST_ANCHORS)]

    def fitness(anchor: Place) -> tuple[int, bool, int, float]:
        page, middle = _line(anchor)
        near = sum(_nearest(places, anchor) is not None for places in shown.values())
        return near, (page, middle) > last, -page, -middle

    anchor = max(anchors, key=fitness)
    for name, places in shown.items():
        place = _nearest(places, anchor)
        if place is not None:
            row.places[name] = place
    row.page = anchor[0].page
    return _line(anchor)


def _line(place: Place) -> tuple[int, float]:
    return place[0].page, place[0].box.middle


def _nearest(places: Sequence[Place], anchor: Place) -> Place | None:
    """Return the place nearest to the line of ``anchor``; None when there is none about that line."""
    page, middle = _line(anchor)
    most = _SAME_ROW * anchor[0].box.height
    first = bisect_left(places, (page, middle - most), key=_line)
    last = bisect_right(places, (page, middle + most), key=_line)
    return min(places[first:last], key=lambda place: abs(_line(place)[1] - middle), default=None)


def joined(parts: Sequence[tuple[list[Row], Collection[int]]]) -> list[Row]:
    """Return the rows of successive windows.

    ``parts`` holds each window's rows and the pages that it shares with the one before. A row of a shared
    page counts as often as the window that saw more of it saw it.
    """
    table: list[Row] = []
    before: list[Row] = []
    for rows, shared in parts:
        seen = Counter(row.identity for row in before if row.page is None or row.page in shared)
        for row in rows:
            if shared and (row.page is None or row.page in shared) and seen[row.identity] > 0:
                seen[row.identity] -= 1
            else:
                table.append(row)
        before = rows
    return table
