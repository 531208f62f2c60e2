"""From a document and its right values to a lesson."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.documents.model import Box, Document, Line, Page, Word
from docduck.extraction.learned.lesson import Lesson, Place
from docduck.extraction.learned.look import look_of
from docduck.extraction.learned.spans import above, below, beside, keys, misread, shape
from docduck.extraction.lookup import Lookup
from docduck.extraction.result import Location
from docduck.extraction.targets import Target, target_of
from docduck.extraction.values.text import key
from docduck.extraction.view import DocumentView, PageView, Segment, Token
from docduck.fields import Field, FieldType

_PLACED = (FieldType.TEXT, FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.CHOICE)
_CONSTANT = (FieldType.TEXT, FieldType.CHOICE)
_JOINTS = (" ", ", ", "\n", ",\n", "")
_MOST_ROWS = 40
_MOST_HEADER_WORDS = 5
_ASIDE = re.compile(r"\(.*?\)")


def identity(field: Field) -> str:
    """What a lesson calls a field: its id, which a new name doesn't change."""
    return field.id or field.name


def teach(
    document: Document,
    fields: Sequence[Field],
    data: Mapping[str, Any],
    read: Mapping[str, Any] | None = None,
) -> Lesson:
    """The lesson of a document whose values, by field name, are ``data``; empty values teach nothing.

    ``read`` is what had been read before a person looked: what was right then is only approved.
    """
    before = read or {}
    view = DocumentView(document)
    lookup = Lookup(_by_tokens(view))
    places: dict[str, Place] = {}
    constants: dict[str, Any] = {}
    headers: dict[str, Mapping[str, str]] = {}
    for field in fields:
        value = data.get(field.name)
        if value is None or value in ("", []):
            continue
        if field.type is FieldType.TABLE:
            if found := _headers(view, lookup, field, value, before.get(field.name) or []):
                headers[identity(field)] = found
        elif field.type in _PLACED:
            place = _place(view, lookup, target_of(field), value)
            if place is not None:
                places[identity(field)] = replace(place, corrected=value != before.get(field.name))
            elif value != before.get(field.name) and field.type in _CONSTANT:
                constants[identity(field)] = value
    return Lesson(look_of(view), places, constants, headers)


def _by_tokens(view: DocumentView) -> Document:
    """The document with the view's tokens as words, row by row."""
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


def _place(view: DocumentView, lookup: Lookup, target: Target, value: Any) -> Place | None:
    """The place that most likely made the value what it is, if the pages show it."""
    kind = FieldType.TEXT if target.field.type is FieldType.CHOICE else target.field.type
    spots = [_tokens_of(view, locations) for locations in lookup.places(value, kind)]
    if not spots and target.field.type is FieldType.TEXT:
        spots = [misread(view, str(value))]
    text = str(value) if target.field.type is FieldType.TEXT else ""
    best: tuple[float, Place] | None = None
    for index, lines in enumerate(spots):
        place = _describe(view, lines, text) if lines else None
        if place is None:
            continue
        label = max(target.weight(form) for form in (place.before, place.beside, place.above))
        announced = 0.1 if place.before or place.beside else 0.0
        score = label + announced - 0.01 * index
        if best is None or score > best[0]:
            best = (score, place)
    return best[1] if best else None


def _tokens_of(view: DocumentView, locations: Sequence[Location]) -> list[Sequence[Token]]:
    page = next(page for page in view.pages if page.number == locations[0].page)
    return [tokens for one in locations if (tokens := _tokens(page, one))]


def _describe(view: DocumentView, lines: Sequence[Sequence[Token]], text: str) -> Place | None:
    first, last = lines[0], lines[-1]
    segment = first[0].segment
    page = segment.page
    index = view.pages.index(page)
    left, over = beside(first), above(first)
    start, end = first[0].index, first[-1].index + 1
    if len(lines) > 1 and end < len(segment.tokens):
        return None  # a text that begins a line and ends in the next, among other words
    texts = [" ".join(token.text for token in line) for line in lines]
    return Place(
        page=-1 if index == len(view.pages) - 1 and index > 0 else index + 1,
        left=first[0].left / page.width,
        top=first[0].top / page.height,
        right=max(token.right for token in first) / page.width,
        before=keys(segment.tokens[:start]),
        after=keys(segment.tokens[end:]),
        beside=left.key if left is not None else "",
        above=over.key if over is not None else "",
        lines=len(lines),
        whole=len(lines) > 1 and below(last) is None,
        joint=next((joint for joint in _JOINTS if joint.join(texts) == text), " "),
        shape=shape(" ".join(texts)),
        text=text,
    )


def _tokens(page: PageView, location: Location) -> list[Token]:
    """The tokens in a location's box."""
    box = location.box
    left, right = box.left * page.width - 0.1, box.right * page.width + 0.1
    top, bottom = box.top * page.height - 0.1, box.bottom * page.height + 0.1
    return [
        token
        for segment in page.segments
        if segment.top < bottom and segment.bottom > top
        for token in segment.tokens
        if token.left >= left and token.right <= right and token.top >= top and token.bottom <= bottom
    ]


def _headers(
    view: DocumentView,
    lookup: Lookup,
    table: Field,
    rows: Sequence[Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]],
) -> dict[str, str]:
    """The text over each column that had been read wrong: the header that its first cell stands under."""
    cells: dict[str, list[Location]] = {}
    for row in rows[:_MOST_ROWS]:
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
        stand = cells.get(column.name)
        if not stand or _mostly_right(column.name, rows, before):
            continue
        header = _over(view, stand[0], top)
        if header is None or header.has_digit or not _is_header(header):
            continue
        others = (target_of(other, "columns") for other in table.columns if other is not column)
        if not any(other.weight(header.key) for other in others):
            headers[identity(column)] = header.text.strip(": ")
    return headers


def _mostly_right(
    column: str, rows: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether the column itself had been found, though some of its cells may have been wrong."""
    read, true = (Counter(_plain(row.get(column)) for row in some) for some in (before, rows))
    return 2 * (read & true).total() >= len(rows)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) else key(str(value or ""))


def _is_header(segment: Segment) -> bool:
    """Whether a segment is a few words beside others, as the heads of columns are."""
    row = segment.page.rows[segment.row]
    wordy = _ASIDE.sub("", segment.text).strip()
    return len(row.segments) > 1 and len(segment.tokens) <= _MOST_HEADER_WORDS and len(wordy) > 2


def _baseline(columns: Sequence[Sequence[Location]]) -> tuple[int, float] | None:
    """The page and height at which most columns of a row show their value."""
    votes: dict[tuple[int, int], int] = {}
    for places in columns:
        for spot in {(one.page, round(one.box.middle * 200)) for one in places}:
            votes[spot] = votes.get(spot, 0) + 1
    if not votes:
        return None
    (page, height), _ = max(votes.items(), key=lambda vote: (vote[1], -vote[0][0], -vote[0][1]))
    return page, height / 200


def _over(view: DocumentView, cell: Location, top: float) -> Segment | None:
    """The segment over a cell and above the table's first row that stands in the cell's column."""
    page = next(page for page in view.pages if page.number == cell.page)
    left, right = cell.box.left * page.width, cell.box.right * page.width
    for row in reversed([row for row in page.rows if row.bottom <= top * page.height + 1]):
        over = [s for s in row.segments if s.left < right and s.right > left]
        if over:
            return min(over, key=lambda s: abs((s.left + s.right) - (left + right)))
        if top * page.height - row.top > 6 * page.line_height:
            return None
    return None
