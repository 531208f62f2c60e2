"""Learns a layout from a document and its correct values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.extraction.extractors.learned.addressee import is_addressee
from docduck.extraction.extractors.learned.constants import may_have_constant
from docduck.extraction.extractors.learned.doubts import is_foreign
from docduck.extraction.extractors.learned.printed_labels import PrintedLabels
from docduck.extraction.extractors.learned.printed_values import PrintedValue, PrintedValues
from docduck.extraction.extractors.learned.sender_marks import sender_marks
from docduck.extraction.extractors.learned.spans import tokens_at
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.fields.issuers import is_addressee as asks_for_addressee
from docduck.extraction.learned_layout import (
    LayoutFingerprint,
    LearnedLayout,
    Mistake,
    PrintedPlace,
    SenderMarks,
    field_identity,
)
from docduck.extraction.normal_text import key
from docduck.extraction.options import ReadingLocale
from docduck.extraction.page.locale import decide
from docduck.extraction.page.page_view import PageViews, Segment
from docduck.extraction.result import Location
from docduck.extraction.values.typed_values import is_missing
from docduck.fields import Field, FieldType

_LEARNED_TYPES = (FieldType.TEXT, FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.CHOICE)
_COLUMNS, _MIN_LETTERS, _MAX_MARKS = 25, 3, 400
_MAX_ROWS = 40
_SAME_ROW = 0.008
"""How far the middles of two cells of one row may be apart, as a part of the page's height."""
_MAX_HEADER_WORDS = 5
_NONE_SHOWN: Mapping[str, Location] = {}
_ADDRESSED = ("buyer", "delivery")
"""Sides of the lexicon's parties to whom documents are addressed."""
_PART, _PART_LETTERS = re.compile(r"[,;\n]+"), 5
"""What divides the parts of a name with its address, and the letters of a part that tells somebody apart."""
_ASIDE = re.compile(r"\(.*?\)")


def fingerprint_of(view: PageViews) -> LayoutFingerprint:
    """Return the layout fingerprint of a document."""
    words: dict[str, None] = {}
    marks: dict[str, None] = {}
    sender = SenderMarks()
    for page in view.pages[:1]:
        sender = sender_marks(page)
        for segment in page.segments:
            for token in () if is_addressee(segment) else segment.tokens:
                if len(token.key) >= _MIN_LETTERS and not any(c.isdigit() for c in token.key):
                    words[token.key] = None
                    marks[f"{token.key}@{round(token.left / page.width * _COLUMNS)}"] = None
    return LayoutFingerprint(frozenset(list(words)[:_MAX_MARKS]), frozenset(list(marks)[:_MAX_MARKS]), sender)


def learn_layout(
    printed: PrintedValues,
    fields: Sequence[Field],
    data: Mapping[str, Any],
    read: Mapping[str, Any] | None = None,
    shown: Mapping[str, Location] = _NONE_SHOWN,
) -> LearnedLayout:
    """Return the layout learned from a document whose correct values, by field name, are ``data``.

    ``read`` holds the values before the correction: a value that was right then is only approved. ``shown``
    are the places, by field name, at which people found values.
    """
    before = read or {}
    places: dict[str, PrintedPlace] = {}
    values: dict[str, Any] = {}
    unprinted: dict[str, Any] = {}
    mistakes: dict[str, Mistake] = {}
    headers: dict[str, Mapping[str, str]] = {}
    right_columns: dict[str, tuple[str, ...]] = {}
    queries = [query_of(field) for field in fields]
    labels = PrintedLabels(printed.view, queries, decide(printed.view, ReadingLocale()))
    addressed = _addressed(queries, data)
    cells = [
        cell
        for table in fields
        if table.type is FieldType.TABLE
        for row in _printed_rows(printed, table, data.get(table.name) or ())
        if len(row) > 1
        for cell in row.values()
    ]
    for field in fields:
        name, value, old = field_identity(field), data.get(field.name), before.get(field.name)
        changed = value != old
        if field.type is FieldType.TABLE:
            if value and (header_names := _headers(printed, field, value, old or [])):
                headers[name] = header_names
            if value and read is not None:
                right_columns[name] = tuple(
                    field_identity(column)
                    for column in field.columns
                    if [_plain(row.get(column.name)) for row in value]
                    == [_plain(row.get(column.name)) for row in old or []]
                )
            continue
        if field.type not in _LEARNED_TYPES:
            continue
        target = query_of(field)
        printed_value = None if is_missing(value) else printed.find(target, value, shown.get(field.name))
        place = printed_value.place if printed_value else None
        if printed_value is not None and place is not None and not _is_cell(printed_value, cells):
            lines = tokens_at(printed.view, printed_value.locations)
            anchored = _without_addressee(place, lines[0][0].segment, addressed)
            if anchored is not None:
                places[name] = replace(
                    anchored,
                    corrected=changed,
                    foreign=is_foreign(target, queries, place),
                    misleading=labels.misleading(target, lines),
                )
        elif changed and not is_missing(old):
            mistaken = printed.find(target, old)
            mistakes[name] = Mistake(key(str(old)), is_missing(value), mistaken.place if mistaken else None)
        if may_have_constant(field) and not is_missing(value):
            values[name] = value
            if place is None and changed:
                unprinted[name] = value
    return LearnedLayout(
        fingerprint_of(printed.view), places, values, unprinted, mistakes, headers, right_columns
    )


def _addressed(queries: Sequence[FieldQuery], data: Mapping[str, Any]) -> frozenset[str]:
    """Return the parts of the addressee's name and address, in normal form, that values of fields tell."""
    values = (
        data.get(query.name)
        for query in queries
        if query.type is FieldType.TEXT
        and (asks_for_addressee(query) or (query.concept is not None and query.concept.side in _ADDRESSED))
    )
    parts = (key(part) for value in values for part in _PART.split(str(value or "")))
    return frozenset(part for part in parts if len(part) >= _PART_LETTERS)


def _is_cell(printed_value: PrintedValue, cells: Sequence[Location]) -> bool:
    """Return whether a value is printed in a row of a table, at which later documents have other rows."""
    first = printed_value.locations[0]
    return any(
        cell.page == first.page and abs(cell.box.middle - first.box.middle) < _SAME_ROW for cell in cells
    )


def _without_addressee(
    place: PrintedPlace, segment: Segment, addressed: frozenset[str]
) -> PrintedPlace | None:
    """Return a position without the words around it that show the addressee.

    None if they are beside the value in its own ``segment``, so that nothing else would tell its ends.
    """

    def is_theirs(words: str) -> bool:
        return any(part in words for part in addressed)

    if (place.before or place.after) and (is_addressee(segment) or is_theirs(place.before + place.after)):
        return None
    beside = "" if is_theirs(place.beside) else place.beside
    above = "" if is_theirs(place.above) else place.above
    label = place.label if place.before or beside else ""
    return replace(place, beside=beside, above=above, label=label)


def _headers(
    printed: PrintedValues,
    table: Field,
    rows: Sequence[Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]],
) -> dict[str, str]:
    """Return the header text of each column that had been read wrong, above the column's first cell."""
    cells: dict[str, list[Location]] = {}
    for row in _printed_rows(printed, table, rows):
        for name, place in row.items():
            cells.setdefault(name, []).append(place)
    headers: dict[str, str] = {}
    top = min((cell[0].box.top for cell in cells.values()), default=0.0)
    for column in table.columns:
        column_cells = cells.get(column.name)
        if not column_cells or _mostly_right(column.name, rows, before):
            continue
        header = _over(printed.view, column_cells[0], top)
        if header is None or header.has_digit or not _is_header(header):
            continue
        others = (other for other in query_of(table).columns if other.name != column.name)
        if not any(other.weight(header.key) for other in others):
            headers[field_identity(column)] = header.text.strip(": ")
    return headers


def _printed_rows(
    printed: PrintedValues, table: Field, rows: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Location]]:
    """Yield the places of each row's cells, by column: those at the height at which most of them are."""
    for row in rows[:_MAX_ROWS]:
        locations = {
            column.name: [
                place[0] for place in printed.lookup.places(row.get(column.name), column.type) if place
            ]
            for column in table.columns
        }
        baseline = _baseline([places for places in locations.values() if places])
        if baseline is not None:
            yield {
                name: place
                for name, places in locations.items()
                for place in places[::-1]
                if place.page == baseline[0] and abs(place.box.middle - baseline[1]) < _SAME_ROW
            }


def _mostly_right(
    column: str, rows: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> bool:
    """Return whether most cells of a column had been read correctly."""
    read, true = (Counter(_plain(row.get(column)) for row in some) for some in (before, rows))
    return 2 * (read & true).total() >= len(rows)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) else key(str(value or ""))


def _is_header(segment: Segment) -> bool:
    """Return whether a segment is a few words beside others, as column headers are."""
    row = segment.page.rows[segment.row]
    wordy = _ASIDE.sub("", segment.text).strip()
    return len(row.segments) > 1 and len(segment.tokens) <= _MAX_HEADER_WORDS and len(wordy) > 2


def _baseline(columns: Sequence[Sequence[Location]]) -> tuple[int, float] | None:
    """Return the page and height at which most columns of a row have their value."""
    votes: dict[tuple[int, int], int] = {}
    for places in columns:
        for baseline in {(place.page, round(place.box.middle * 200)) for place in places}:
            votes[baseline] = votes.get(baseline, 0) + 1
    if not votes:
        return None
    (page, height), _ = max(votes.items(), key=lambda vote: (vote[1], -vote[0][0], -vote[0][1]))
    return page, height / 200


def _over(view: PageViews, cell: Location, top: float) -> Segment | None:
    """Return the segment above a cell, in its column and above the table's first row."""
    page = next(page for page in view.pages if page.number == cell.page)
    left, right = cell.box.left * page.width, cell.box.right * page.width
    for row in reversed([row for row in page.rows if row.bottom <= top * page.height + 1]):
        over = [s for s in row.segments if s.left < right and s.right > left]
        if over:
            return min(over, key=lambda s: abs((s.left + s.right) - (left + right)))
        if top * page.height - row.top > 6 * page.line_height:
            return None
    return None
