"""Learns a layout from a document and its correct values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.extractors.learned.constants import may_have_constant
from docduck.extraction.extractors.learned.doubts import is_foreign
from docduck.extraction.extractors.learned.field_identity import field_identity
from docduck.extraction.extractors.learned.layout_fingerprint import fingerprint_of
from docduck.extraction.extractors.learned.spans import block_of, describe, tokens_at
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.learned_layout import LearnedLayout, Mistake, PrintedPlace
from docduck.extraction.normal_text import key
from docduck.extraction.page.lookup import Lookup
from docduck.extraction.page.page_view import PageView, PageViews, Segment, Token
from docduck.extraction.result import Location
from docduck.fields import Field, FieldType

_LEARNED_TYPES = (FieldType.TEXT, FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.CHOICE)
_MAX_ROWS = 40
_MAX_HEADER_WORDS = 5
_NONE_SHOWN: Mapping[str, Location] = {}
_ASIDE = re.compile(r"\(.*?\)")


def learn_layout(
    document: Document,
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
    view = PageViews(document)
    lookup = Lookup(_by_tokens(view))
    places: dict[str, PrintedPlace] = {}
    values: dict[str, Any] = {}
    unprinted: dict[str, Any] = {}
    mistakes: dict[str, Mistake] = {}
    headers: dict[str, Mapping[str, str]] = {}
    queries = [query_of(field) for field in fields]
    for field in fields:
        name, value, old = field_identity(field), data.get(field.name), before.get(field.name)
        changed = value != old
        if field.type is FieldType.TABLE:
            if value and (found := _headers(view, lookup, field, value, old or [])):
                headers[name] = found
            continue
        if field.type not in _LEARNED_TYPES:
            continue
        target = query_of(field)
        place = None if _is_empty(value) else _place(view, lookup, target, value, shown.get(field.name))
        if place is not None:
            places[name] = replace(place, corrected=changed, foreign=is_foreign(target, queries, place))
        elif changed and not _is_empty(old):
            mistakes[name] = Mistake(key(str(old)), _is_empty(value), _place(view, lookup, target, old))
        if may_have_constant(field) and not _is_empty(value):
            values[name] = value
            if place is None and changed:
                unprinted[name] = value
    return LearnedLayout(fingerprint_of(view), places, values, unprinted, mistakes, headers)


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [])


def _by_tokens(view: PageViews) -> Document:
    """Return the document with the view's tokens as words, row by row."""
    pages = []
    for page in view.pages:
        lines = []
        for segment in page.segments:
            words = tuple(
                Word(t.text, Box(t.left / page.width, t.top / page.height, *_size(t, page)))
                for t in segment.tokens
            )
            lines.append(Line(words, Box.around(word.box for word in words)))
        pages.append(Page(page.number, page.width, page.height, lines))
    return Document("", pages, len(pages))


def _size(token: Token, page: PageView) -> tuple[float, float]:
    return (token.right - token.left) / page.width, (token.bottom - token.top) / page.height


def _place(
    view: PageViews, lookup: Lookup, target: FieldQuery, value: Any, shown: Location | None = None
) -> PrintedPlace | None:
    """Return the position that a value most likely comes from, None if it is not printed.

    Positions at which a person ``shown`` it come before all others.
    """
    kind = FieldType.TEXT if target.field.type is FieldType.CHOICE else target.field.type
    found = lookup.places(value, kind)
    if shown is not None:
        found = [one for one in found if _touches(one, shown)] or found
    positions = [tokens_at(view, locations) for locations in found]
    if not positions and target.field.type is FieldType.TEXT:
        positions = [block_of(view, str(value))]
    text = str(value) if target.field.type is FieldType.TEXT else ""
    best: tuple[float, PrintedPlace] | None = None
    for index, lines in enumerate(positions):
        place = describe(view, lines, text) if lines else None
        if place is None:
            continue
        label = max(target.weight(form) for form in (place.before, place.beside, place.above))
        labelled = 0.1 if place.before or place.beside else 0.0
        score = label + labelled - 0.01 * index
        if best is None or score > best[0]:
            best = (score, place)
    return best[1] if best else None


def _touches(locations: Sequence[Location], shown: Location) -> bool:
    box = shown.box
    return any(
        one.page == shown.page
        and box.left < one.box.right
        and one.box.left < box.right
        and box.top < one.box.middle < box.bottom
        for one in locations
    )


def _headers(
    view: PageViews,
    lookup: Lookup,
    table: Field,
    rows: Sequence[Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]],
) -> dict[str, str]:
    """Return the header text of each column that had been read wrong, above the column's first cell."""
    cells: dict[str, list[Location]] = {}
    for row in rows[:_MAX_ROWS]:
        found = {
            column.name: [place[0] for place in lookup.places(row.get(column.name), column.type) if place]
            for column in table.columns
        }
        baseline = _baseline([places for places in found.values() if places])
        if baseline is None:
            continue
        for name, places in found.items():
            near = [
                one for one in places if one.page == baseline[0] and abs(one.box.middle - baseline[1]) < 0.008
            ]
            if near:
                cells.setdefault(name, []).append(near[0])
    headers: dict[str, str] = {}
    top = min((one[0].box.top for one in cells.values()), default=0.0)
    for column in table.columns:
        column_cells = cells.get(column.name)
        if not column_cells or _mostly_right(column.name, rows, before):
            continue
        header = _over(view, column_cells[0], top)
        if header is None or header.has_digit or not _is_header(header):
            continue
        others = (other for other in query_of(table).columns if other.name != column.name)
        if not any(other.weight(header.key) for other in others):
            headers[field_identity(column)] = header.text.strip(": ")
    return headers


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
        for baseline in {(one.page, round(one.box.middle * 200)) for one in places}:
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
