"""The header of a table whose columns bear their own names: a place for each, in one band of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from docduck.extraction.extractors.layout.tables.generic.captions import is_caption
from docduck.extraction.extractors.layout.tables.generic.name_search import (
    HeaderSpan,
    NameSearch,
    header_span,
)
from docduck.extraction.extractors.layout.tables.generic.table_words import Name, names_of
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.page.page_view import PageView, Token

_SHORT = 0.8
"""What a name of one or two characters counts, as they are found everywhere."""
_LOOSE, _BESIDE, _GROUPED, _CUT = 0.06, 0.5, 0.4, 0.2
_REORDER = 0.25
"""How much better columns in another order than asked must be."""
_NEAR = 0.0002
"""What each point of distance from the column before takes off."""
_SEEDS = 120


@dataclass
class TableColumn:
    """A column of the page: where its header stands (None without one), and what it was asked as."""

    header_span: HeaderSpan | None
    left: float
    right: float
    target: FieldTarget | None = None

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2


@dataclass
class TableHeader:
    """A header: its columns from left to right, its span, and how many of the asked names it shows."""

    page: PageView
    columns: list[TableColumn]
    top: float
    bottom: float
    score: float
    named: int
    tokens: set[int] = field(default_factory=set)
    groups: list[HeaderSpan] = field(default_factory=list)

    @property
    def left(self) -> float:
        return min((c.left for c in self.columns if c.header_span is not None), default=self.columns[0].left)

    @property
    def right(self) -> float:
        return max(
            (c.right for c in self.columns if c.header_span is not None), default=self.columns[-1].right
        )


@dataclass(frozen=True, slots=True)
class _Option:
    """A place of a column's leaf, the places of its groups above it, and what they are worth."""

    header_span: HeaderSpan
    groups: tuple[HeaderSpan, ...]
    score: float


def find_headers(finder: NameSearch, targets: Sequence[FieldTarget]) -> list[TableHeader]:
    """The headers on a page that show at least half of the columns' names, best first."""
    options = [_options(finder, names_of(target.field)) for target in targets]
    seeds = sorted(
        (o for some in options for o in some),
        key=lambda o: (-len(o.header_span.tokens), -o.score, o.header_span.top),
    )[:_SEEDS]
    heads: list[TableHeader] = []
    seen: set[tuple[int, ...]] = set()
    covered: set[int] = set()
    for seed in seeds:
        if id(seed.header_span.tokens[0]) in covered:
            continue
        chosen = _choose(options, seed.header_span, finder.height)
        identity = tuple(id(o.header_span.tokens[0]) if o else 0 for o in chosen)
        if identity in seen:
            continue
        seen.add(identity)
        covered.update(identity)
        head = _head(finder, targets, chosen)
        if head is not None:
            heads.append(head)
    return sorted(heads, key=lambda h: (-round(h.score, 2), h.top))


def _options(finder: NameSearch, names: Iterable[Name]) -> list[_Option]:
    found: list[_Option] = []
    for name in names:
        leaves = finder.find(name.leaf)
        if not leaves:
            continue
        worth = 1.0 if len(name.leaf) > 2 else _SHORT
        groups = [finder.find(group) for group in name.groups]
        for leaf in leaves:
            above = [_above(finder, leaf, places) for places in groups]
            score = worth - _LOOSE * min(leaf.loose, 5.0)
            score += _GROUPED * sum(_over(finder, g, leaf) for g in above if g is not None)
            score -= _CUT * _is_cut(finder, leaf)
            found.append(_Option(leaf, tuple(g for g in above if g is not None), score))
    return found


def _above(finder: NameSearch, leaf: HeaderSpan, places: Sequence[HeaderSpan]) -> HeaderSpan | None:
    """The group's place over ``leaf``: the one that most surely spans it."""
    height = finder.height
    over = [p for p in places if leaf.top - 6 * height < p.top and p.bottom < leaf.top + 0.5 * height]
    return max(
        over,
        key=lambda p: (_over(finder, p, leaf), -abs(p.centre - leaf.centre)),
        default=None,
    )


def _over(finder: NameSearch, group: HeaderSpan, leaf: HeaderSpan) -> float:
    """How surely, 0–1, a group's header spans a column: by the line beneath it, else by nearness."""
    height = finder.height
    if _is_cut(finder, group):
        return 0.0
    trust = 1.0
    for x0, x1 in finder.ruling.pieces(group.bottom - 0.3 * height, leaf.top + 0.3 * height):
        if x0 - 1 <= group.centre <= x1 + 1 and x1 - x0 < 0.9 * finder.page.width:
            if x0 - 1 <= leaf.centre <= x1 + 1:
                return 1.0
            trust = 0.3
    row = finder.page.rows[group.tokens[0].segment.row].segments
    own = group.tokens[0].segment
    nearest = min(row, key=lambda s: abs(s.centre - leaf.centre))
    before = [s for s in row if s.left <= leaf.left + height]
    return trust * (0.6 * (nearest is own) + 0.4 * (bool(before) and before[-1] is own))


def _is_cut(finder: NameSearch, leaf: HeaderSpan) -> bool:
    """Whether words go on right beside a name: it is a part of a longer header."""
    own = {id(t) for t in leaf.tokens}
    return any(
        id(other) not in own and finder.keys[id(other)].isalnum() and gap < 0.45 * finder.height
        for token in leaf.tokens
        for other, gap in finder.neighbours(token)
    )


def _choose(options: Sequence[Sequence[_Option]], seed: HeaderSpan, height: float) -> list[_Option | None]:
    """One option for each column in the seed's band, left to right in the order asked, the best in sum."""
    bands = [
        [
            o
            for o in some
            if o.header_span.top < seed.bottom + 0.3 * height
            and seed.top - 0.3 * height < o.header_span.bottom
        ]
        for some in options
    ]
    best: list[tuple[float, float, list[_Option | None]]] = [(0.0, 0.0, [])]
    for some in bands:
        grown: list[tuple[float, float, list[_Option | None]]] = [
            (score, right, [*path, None]) for score, right, path in best
        ]
        for option in some:
            fitting = [b for b in best if b[1] <= option.header_span.left + 1.0]
            if not fitting:
                continue
            score, right, path = max(fitting, key=lambda b: b[0] + _NEAR * b[1])
            away = _NEAR * (option.header_span.left - right) if right else 0.0
            grown.append((score + option.score - away, option.header_span.right, [*path, option]))
        best = _frontier(grown)
    ordered = max(best, key=lambda b: b[0])
    free = _unordered(bands)
    return free if sum(o.score for o in free if o) > ordered[0] + _REORDER else ordered[2]


def _frontier(
    paths: list[tuple[float, float, list[_Option | None]]],
) -> list[tuple[float, float, list[_Option | None]]]:
    """The paths that no other beats in both score and right edge."""
    kept: list[tuple[float, float, list[_Option | None]]] = []
    for path in sorted(paths, key=lambda p: (p[1], -p[0])):
        if not kept or path[0] > kept[-1][0] + 1e-9:
            kept.append(path)
    return kept


def _unordered(bands: Sequence[Sequence[_Option]]) -> list[_Option | None]:
    """One option for each column whatever their order, the best first, none overlapping another."""
    chosen: list[_Option | None] = [None] * len(bands)
    offers = sorted(
        ((o.score, -i, i, o) for i, some in enumerate(bands) for o in some), key=lambda x: x[:2], reverse=True
    )
    for _, _, index, option in offers:
        apart = all(
            o is None
            or o.header_span.right <= option.header_span.left + 1
            or option.header_span.right <= o.header_span.left + 1
            for o in chosen
        )
        if chosen[index] is None and apart:
            chosen[index] = option
    return chosen


def _head(
    finder: NameSearch, targets: Sequence[FieldTarget], chosen: Sequence[_Option | None]
) -> TableHeader | None:
    found = [o for o in chosen if o is not None]
    if 2 * len(found) < len(targets) or not found:
        return None
    if len(targets) > 2 and len(found) < 2:
        return None
    height = finder.height
    top, bottom = min(o.header_span.top for o in found), max(o.header_span.bottom for o in found)
    tokens = {id(t) for o in found for p in (o.header_span, *o.groups) for t in p.tokens}
    columns = [
        TableColumn(o.header_span, o.header_span.left, o.header_span.right, target)
        for o, target in zip(chosen, targets, strict=True)
        if o is not None
    ]
    groups = list({id(p.tokens[0]): p for o in found for p in o.groups}.values())
    for other in _others(finder, top, bottom, tokens):
        joined = next((c for c in columns if c.header_span and _adjoins(other, c.header_span, height)), None)
        if joined is not None:
            joined.left, joined.right = min(joined.left, other.left), max(joined.right, other.right)
        elif all(other.right < c.left + 1 or c.right - 1 < other.left for c in columns):
            columns.append(TableColumn(other, other.left, other.right))
    columns.sort(key=lambda c: c.left)
    score = sum(o.score for o in found) - _BESIDE * _beside(finder, found, tokens, height)
    score -= _BESIDE * sum(_in_caption(finder, o.header_span) for o in found)
    if score <= 0.3 * len(found):
        return None
    head = TableHeader(finder.page, columns, top, bottom, score, len(found), tokens, groups)
    _fill_slots(head, targets, _stub(finder, head))
    return head


def _in_caption(finder: NameSearch, named: HeaderSpan) -> bool:
    """Whether a name stands on a line that begins like a caption ("Table 3: …")."""
    return is_caption(finder.page.rows[named.tokens[0].segment.row].tokens)


def _adjoins(other: HeaderSpan, named: HeaderSpan, height: float) -> bool:
    """Whether words stand right beside a name on its line: they are part of its cell."""
    gap = max(other.left - named.right, named.left - other.right)
    return (
        gap < 0.6 * height
        and other.top < named.bottom - 0.5 * height
        and named.top + 0.5 * height < other.bottom
    )


def _beside(finder: NameSearch, found: Sequence[_Option], tokens: set[int], height: float) -> float:
    """How many of the places have words right beside them that belong to no name: they stand in prose."""
    return sum(
        any(
            id(other) not in tokens and gap < 0.45 * height and finder.keys[id(other)].isalnum()
            for token in option.header_span.tokens
            for other, gap in finder.neighbours(token)
        )
        for option in found
    )


def _others(finder: NameSearch, top: float, bottom: float, taken: set[int]) -> list[HeaderSpan]:
    """The other words in the band of a header, put together by their span."""
    height = finder.height
    spans: list[list[Token]] = []
    reach = 0.0
    words = [
        t for t in finder.tokens if id(t) not in taken and top - 1 <= (t.top + t.bottom) / 2 <= bottom + 1
    ]
    for token in sorted(words, key=lambda t: t.left):
        if spans and token.left < reach + 0.6 * height:
            spans[-1].append(token)
            reach = max(reach, token.right)
        else:
            spans.append([token])
            reach = token.right
    return [header_span(span, height) for span in spans]


def _stub(finder: NameSearch, head: TableHeader) -> bool:
    """Whether rows begin left of all headers: their labels have a column without one."""
    height = finder.height
    edge = head.columns[0].left - 0.3 * height
    frame = finder.ruling.frame(head.left, head.right, head.top - 2.2 * height, head.bottom + 1.6 * height)
    rows = [row for row in finder.page.rows if head.bottom < row.middle][:8]
    begun = [
        row
        for row in rows
        if row.segments[0].tokens[0].right < edge
        and len(row.tokens) > 1
        and (frame is None or row.segments[0].left > frame[0] - 3)
        and any(
            s.left < head.columns[0].right and head.columns[0].left - height < s.right
            for s in row.segments[1:]
        )
    ]
    return len(begun) > 1


def _fill_slots(head: TableHeader, targets: Sequence[FieldTarget], stub: bool) -> None:
    """Gives columns of unknown name to the asked ones not found, where exactly as many stand between.

    With ``stub`` the first asked may be the column of the rows' labels, which has no header.
    """
    if stub and targets[0].name not in {c.target.name for c in head.columns if c.target is not None}:
        first = head.columns[0]
        head.columns.insert(0, TableColumn(None, first.left - 2.0, first.left - 1.0, targets[0]))
    named = {c.target.name: i for i, c in enumerate(head.columns) if c.target is not None}
    run: list[FieldTarget] = []
    start = -1
    for target in [*targets, None]:
        if target is not None and target.name not in named:
            run.append(target)
            continue
        end = named[target.name] if target is not None else len(head.columns)
        if run and end > start:
            free = [c for c in head.columns[start + 1 : end] if c.target is None]
            if len(free) == len(run):
                for column, wanted in zip(free, run, strict=True):
                    column.target = wanted
            elif not free and len(run) == 1 and start == -1 and end == 0:
                first = head.columns[0]
                head.columns.insert(0, TableColumn(None, first.left - 2.0, first.left - 1.0, run[0]))
                named = {name: at + 1 for name, at in named.items()}
                end += 1
        run = []
        start = end
