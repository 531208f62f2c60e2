"""Header detection by column names: a position for each name, within one band of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from docduck.extraction.extractors.layout.tables.text_tables.name_search import (
    HeaderSpan,
    NameSearch,
    header_span,
)
from docduck.extraction.extractors.layout.tables.text_tables.table_words import Name, names_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, Token

_SHORT = 0.8
"""Score of a name of one or two characters, which occur everywhere."""
_LOOSE_COST, _EMBEDDED_COST, _GROUP_BONUS, _CUT_COST = 0.06, 0.5, 0.4, 0.2
_NEAR = 0.0002
"""Cost of each point of distance from the column before."""
_MAX_SEEDS = 120


@dataclass
class TableColumn:
    """A column on the page: the span of its header (None without one) and its target, if any."""

    span: HeaderSpan | None
    left: float
    right: float
    target: FieldQuery | None = None

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2


@dataclass
class TableHeader:
    """A header: its columns from left to right, its span, and the number of target names it shows."""

    page: PageView
    columns: list[TableColumn]
    top: float
    bottom: float
    score: float
    named: int
    tokens: set[int] = field(default_factory=set)

    @property
    def left(self) -> float:
        return min((c.left for c in self.columns if c.span is not None), default=self.columns[0].left)

    @property
    def right(self) -> float:
        return max((c.right for c in self.columns if c.span is not None), default=self.columns[-1].right)


@dataclass(frozen=True, slots=True)
class _Option:
    """A position of a column's name and of its group headers above, with their score."""

    span: HeaderSpan
    groups: tuple[HeaderSpan, ...]
    score: float


def find_headers(finder: NameSearch, targets: Sequence[FieldQuery]) -> list[TableHeader]:
    """Return the headers on a page that show at least half of the column names, best first."""
    options = [_options(finder, names_of(target.field)) for target in targets]
    seeds = sorted(
        (o for column_options in options for o in column_options),
        key=lambda o: (-len(o.span.tokens), -o.score, o.span.top),
    )[:_MAX_SEEDS]
    headers: list[TableHeader] = []
    seen: set[tuple[int, ...]] = set()
    covered: set[int] = set()
    for seed in seeds:
        if id(seed.span.tokens[0]) in covered:
            continue
        chosen = _choose_options(options, seed.span, finder.height)
        identity = tuple(id(o.span.tokens[0]) if o else 0 for o in chosen)
        if identity in seen:
            continue
        seen.add(identity)
        covered.update(identity)
        header = _header(finder, targets, chosen)
        if header is not None:
            headers.append(header)
    return sorted(headers, key=lambda h: (-round(h.score, 2), h.top))


def _options(finder: NameSearch, names: Iterable[Name]) -> list[_Option]:
    found: list[_Option] = []
    for name in names:
        leaves = finder.find(name.leaf)
        if not leaves:
            continue
        base_score = 1.0 if len(name.leaf) > 2 else _SHORT
        groups = [finder.find(group) for group in name.groups]
        for leaf in leaves:
            above = [_group_above(finder, leaf, spans) for spans in groups]
            score = base_score - _LOOSE_COST * min(leaf.loose, 5.0)
            score += _GROUP_BONUS * sum(_spans_column(finder, g, leaf) for g in above if g is not None)
            score -= _CUT_COST * _is_cut(finder, leaf)
            found.append(_Option(leaf, tuple(g for g in above if g is not None), score))
    return found


def _group_above(finder: NameSearch, leaf: HeaderSpan, spans: Sequence[HeaderSpan]) -> HeaderSpan | None:
    """Return the group header above ``leaf`` that most surely spans it."""
    height = finder.height
    over = [p for p in spans if leaf.top - 6 * height < p.top and p.bottom < leaf.top + 0.5 * height]
    return max(
        over,
        key=lambda p: (_spans_column(finder, p, leaf), -abs(p.centre - leaf.centre)),
        default=None,
    )


def _spans_column(finder: NameSearch, group: HeaderSpan, leaf: HeaderSpan) -> float:
    """Return how surely, 0–1, a group header spans a column: by the rule below it, else by nearness."""
    height = finder.height
    if _is_cut(finder, group):
        return 0.0
    trust = 1.0
    for x0, x1 in finder.ruling.horizontal_pieces(group.bottom - 0.3 * height, leaf.top + 0.3 * height):
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
    """Return whether more words follow a name directly: it is part of a longer header."""
    own = {id(t) for t in leaf.tokens}
    return any(
        id(other) not in own and finder.keys[id(other)].isalnum() and gap < 0.45 * finder.height
        for token in leaf.tokens
        for other, gap in finder.neighbours(token)
    )


def _choose_options(
    options: Sequence[Sequence[_Option]], seed: HeaderSpan, height: float
) -> list[_Option | None]:
    """Return the best options in the seed's band, in the targets' order."""
    by_column = [
        [
            o
            for o in column_options
            if o.span.top < seed.bottom + 0.3 * height and seed.top - 0.3 * height < o.span.bottom
        ]
        for column_options in options
    ]
    best: list[tuple[float, float, list[_Option | None]]] = [(0.0, 0.0, [])]
    for column_options in by_column:
        grown: list[tuple[float, float, list[_Option | None]]] = [
            (score, right, [*path, None]) for score, right, path in best
        ]
        for option in column_options:
            fitting = [b for b in best if b[1] <= option.span.left + 1.0]
            if not fitting:
                continue
            score, right, path = max(fitting, key=lambda b: b[0] + _NEAR * b[1])
            away = _NEAR * (option.span.left - right) if right else 0.0
            grown.append((score + option.score - away, option.span.right, [*path, option]))
        best = _frontier(grown)
    return max(best, key=lambda b: b[0])[2]


def _frontier(
    paths: list[tuple[float, float, list[_Option | None]]],
) -> list[tuple[float, float, list[_Option | None]]]:
    """Return the paths that no other path beats in both score and right edge."""
    kept: list[tuple[float, float, list[_Option | None]]] = []
    for path in sorted(paths, key=lambda p: (p[1], -p[0])):
        if not kept or path[0] > kept[-1][0] + 1e-9:
            kept.append(path)
    return kept


def _header(
    finder: NameSearch, targets: Sequence[FieldQuery], chosen: Sequence[_Option | None]
) -> TableHeader | None:
    found = [o for o in chosen if o is not None]
    if 2 * len(found) < len(targets) or not found:
        return None
    if len(targets) > 2 and len(found) < 2:
        return None
    height = finder.height
    top, bottom = min(o.span.top for o in found), max(o.span.bottom for o in found)
    tokens = {id(t) for o in found for p in (o.span, *o.groups) for t in p.tokens}
    columns = [
        TableColumn(o.span, o.span.left, o.span.right, target)
        for o, target in zip(chosen, targets, strict=True)
        if o is not None
    ]
    for other in _other_spans(finder, top, bottom, tokens):
        if all(other.right < c.left + 1 or c.right - 1 < other.left for c in columns):
            columns.append(TableColumn(other, other.left, other.right))
    columns.sort(key=lambda c: c.left)
    score = sum(o.score for o in found) - _EMBEDDED_COST * _embedded_names(finder, found, tokens, height)
    if score <= 0.3 * len(found):
        return None
    header = TableHeader(finder.page, columns, top, bottom, score, len(found), tokens)
    _assign_unnamed(header, targets)
    return header


def _embedded_names(finder: NameSearch, found: Sequence[_Option], tokens: set[int], height: float) -> float:
    """Return the number of names with other words directly beside them, as in prose."""
    return sum(
        any(
            id(other) not in tokens and gap < 0.45 * height and finder.keys[id(other)].isalnum()
            for token in option.span.tokens
            for other, gap in finder.neighbours(token)
        )
        for option in found
    )


def _other_spans(finder: NameSearch, top: float, bottom: float, taken: set[int]) -> list[HeaderSpan]:
    """Return the other words in the band of a header, grouped into spans."""
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


def _assign_unnamed(header: TableHeader, targets: Sequence[FieldQuery]) -> None:
    """Assign unnamed columns to missing targets if exactly as many lie between named ones.

    The first target may be the column of row labels, which has no header.
    """
    named = {c.target.name: i for i, c in enumerate(header.columns) if c.target is not None}
    missing: list[FieldQuery] = []
    start = -1
    for target in [*targets, None]:
        if target is not None and target.name not in named:
            missing.append(target)
            continue
        end = named[target.name] if target is not None else len(header.columns)
        if missing and end > start:
            free = [c for c in header.columns[start + 1 : end] if c.target is None]
            if len(free) == len(missing):
                for column, missing_target in zip(free, missing, strict=True):
                    column.target = missing_target
            elif not free and len(missing) == 1 and start == -1 and end == 0:
                first = header.columns[0]
                header.columns.insert(0, TableColumn(None, first.left - 2.0, first.left - 1.0, missing[0]))
                named = {name: at + 1 for name, at in named.items()}
                end += 1
        missing = []
        start = end
