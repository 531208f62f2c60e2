"""Headers found by the names of a table's columns: a position for each name, in one band of the page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from docduck.extraction.extractors.layout.tables.bands import united
from docduck.extraction.extractors.layout.tables.column_fit import assigned
from docduck.extraction.extractors.layout.tables.columns import Match, in_order
from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header, drawn_lines
from docduck.extraction.extractors.layout.tables.printed.name_search import NameSearch
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.page_view import Token
from docduck.fields import Field

_PART = re.compile(r"\s+[/|>›»]\s+")
_GROUP, _REACH = 0.4, 6.0
"""Score of a group header right above a name, and its distance at most, in line heights."""
_EMBEDDED = 0.5
"""Cost of other words directly beside a name, as in prose."""
_LEAST = 0.3
"""Score of a header at least, for each name that it shows."""
_OVERLAP = 0.3
"""Distance of the names of one header at most, in line heights."""
_WORD = 0.6
"""Gap between two words of one head at most, in line heights."""
_SIDE, _FRAMED = 1.5, 0.55
"""What is beside the outer heads and of their table, in line heights, and share of a header below a line."""
_EDGE = 3.0
"""Distance of cells from the ends of the lines around them at most, in points."""
_MOST = 120
"""Names from which headers are looked for at most."""


def find_named_headers(search: NameSearch, query: FieldQuery) -> list[tuple[float, Match]]:
    """Return the headers on a page with half of the column names at least, top to bottom, and scores."""
    scores = [_heads(search, column.field) for column in query.columns]
    heads = [head for some in scores for head in some]
    by_heads: dict[frozenset[HeadCell], tuple[float, Match] | None] = {}
    for seed in sorted(heads, key=lambda head: -len(head.own))[:_MOST]:
        if any(seed in chosen for chosen in by_heads):
            continue
        band = sorted(_beside(seed, heads, search.height), key=lambda head: head.left)
        total, places = assigned([[some.get(head, 0.0) for some in scores] for head in band])
        named = {query.columns[i].name: band[at] for i, at in places.items()}
        chosen = frozenset(named.values())
        if chosen not in by_heads:
            by_heads[chosen] = _header(search, query, named, total)
    headers = (pair for pair in by_heads.values() if pair is not None)
    return sorted(headers, key=lambda header: header[1].header.top)


def _beside(seed: HeadCell, heads: Sequence[HeadCell], height: float) -> list[HeadCell]:
    """Return the heads whose names are in the band of the page that the name of ``seed`` is in."""
    slack = _OVERLAP * height
    return [head for head in heads if head.top < seed.bottom + slack and seed.top - slack < head.bottom]


def _heads(search: NameSearch, column: Field) -> dict[HeadCell, float]:
    """Return the positions of a column's name, of its parts or its labels, with their scores."""
    positions: dict[HeadCell, float] = {}
    for text in dict.fromkeys((column.name, column.name.replace("_", " "), *column.labels)):
        parts = _PART.split(squeeze(text))
        for names in ([text], parts) if len(parts) > 1 else ([text],):
            groups = [search.find(name) for name in names[:-1]]
            for own in search.find(names[-1]):
                head, score = HeadCell(list(own), list(own)), 1.0
                head.span = (head.left, head.right)
                for above in filter(None, (_group_above(search, head, some) for some in groups)):
                    head.tokens[:0] = above
                    score += _GROUP / (1 + _distance(head, above) / search.height)
                positions[head] = score
    return positions


def _group_above(
    search: NameSearch, head: HeadCell, groups: Sequence[Sequence[Token]]
) -> Sequence[Token] | None:
    """Return the group header above a head that is nearest."""
    over = [group for group in groups if 0 < head.top - group[0].top < _REACH * search.height]
    return min(over, key=lambda group: _distance(head, group), default=None)


def _distance(head: HeadCell, group: Sequence[Token]) -> float:
    return abs(head.centre - (group[0].left + group[-1].right) / 2)


def _header(
    search: NameSearch, query: FieldQuery, named: dict[str, HeadCell], score: float
) -> tuple[float, Match] | None:
    """Return the header with the heads ``named``, and its score, None if these are too few."""
    if 2 * len(named) < len(query.columns) or len(named) < min(2, len(query.columns) - 1):
        return None
    tokens = {id(t) for head in named.values() for t in head.tokens}
    score -= _EMBEDDED * sum(search.is_embedded(head.own, tokens) for head in named.values())
    if score <= _LEAST * len(named):
        return None
    cells = sorted(named.values(), key=lambda head: head.left)
    rows = [t.segment.row for head in cells for t in head.own]
    header = Header(search.page, min(rows), max(rows), cells, 0.0, tokens)
    header.span = _frame(header)
    cells += _others(search, header)
    cells.sort(key=lambda cell: cell.left)
    columns = {cells.index(named[c.name]): c for c in query.columns if c.name in named}
    fits: defaultdict[tuple[int, str], float] = defaultdict(lambda: 1.0)
    columns.update(in_order(query, range(len(cells)), columns, fits, header))
    first = query.columns[0]
    if (
        0 in columns
        and len(query.columns) > 1
        and columns[0] is query.columns[1]
        and first not in columns.values()
    ):
        cells.insert(0, _row_labels(header))
        columns = {0: first, **{i + 1: column for i, column in columns.items()}}
    header.span = header.span or _sides(header)
    return score, Match(header, dict(sorted(columns.items())), len(named) / len(query.columns), len(named))


def _frame(header: Header) -> tuple[float, float] | None:
    """Return the ends of the lines drawn along most of the heads, None if there are none."""
    first, last = header.cells[0].left, header.cells[-1].right
    along = [
        (left, right)
        for left, right in drawn_lines(header)
        if min(last, right) - max(first, left) >= _FRAMED * (last - first)
    ]
    return (
        (min(left for left, _ in along) - _EDGE, max(right for _, right in along) + _EDGE) if along else None
    )


def _others(search: NameSearch, header: Header) -> list[HeadCell]:
    """Return the other words in the band of the heads, as heads of further columns."""
    heads = header.cells
    top, bottom = min(head.top for head in heads), max(head.bottom for head in heads)
    half = _WORD / 2 * search.height
    first, last = header.span or (0.0, header.page.width)
    words = (
        t
        for t in search.words
        if id(t) not in header.tokens
        and first <= t.left < last
        and top - 1 <= (t.top + t.bottom) / 2 <= bottom + 1
    )
    spans = united((t.left - half, t.right + half) for t in words)
    cells = [HeadCell([], [], (span.left + half, span.right - half)) for span in spans]
    return [c for c in cells if all(c.right < head.left + 1 or head.right - 1 < c.left for head in heads)]


def _row_labels(header: Header) -> HeadCell:
    """Return the column of row labels, which has no head: where the lines begin."""
    edge = header.cells[0].left
    lefts = [row.segments[0].left for row in header.below()]
    left = min((x for x in lefts if x < edge), default=edge - 2)
    return HeadCell([], [], (left, min(left + 4, edge)))


def _sides(header: Header) -> tuple[float, float]:
    """Return the edges of a table without a frame: those of what is below its heads."""
    height = header.page.line_height
    first, last = header.cells[0], header.cells[-1]
    left, right = first.left - _SIDE * height, last.right + _SIDE * height
    for row in header.page.rows[header.last_row + 1 :]:
        for segment in row.segments:
            if segment.left < first.right and first.left < segment.right:
                left = min(left, segment.left - 1.0)
            if segment.left < last.right and last.left - height < segment.right:
                right = max(right, segment.right + 1.0)
    return left, right
