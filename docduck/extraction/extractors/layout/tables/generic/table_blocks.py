"""Table detection by geometry: lines whose words share columns, with the lines above as header.

Used if the column names are not printed: columns are matched by similar headers, else by the types of their
cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.tables.column_fit import column_fit
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.generic.body_lines import BodyLine, group_lines, is_value
from docduck.extraction.extractors.layout.tables.generic.header_detection import TableColumn, TableHeader
from docduck.extraction.extractors.layout.tables.generic.name_search import header_span
from docduck.extraction.extractors.layout.tables.generic.table_words import letters
from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.page_view import PageView, Token
from docduck.fields import FieldType

_COLUMN_GAP = 0.9
"""Minimum gap between two cells, in line heights."""
_MAX_DISTANCE = 2.6
"""Maximum distance of two lines of one table, in line heights."""
_HEADER_LINES = 6
_SIMILAR, _FITS = 0.62, 0.7
"""Minimum similarity of a header to a name, and minimum fit of cells to a type, 0–1."""
_TYPED = frozenset({FieldType.NUMBER, FieldType.CURRENCY, FieldType.DATE})


@dataclass
class TableBlock:
    """Lines with common columns; ``spans`` are the columns' edges, ``start`` the first body line."""

    lines: list[BodyLine]
    spans: list[tuple[float, float]]
    start: int


def find_table_blocks(page: PageView) -> list[TableBlock]:
    """Return the blocks of a page with at least two columns and two lines, top to bottom."""
    height = page.line_height
    found: list[TableBlock] = []
    run: list[_Line] = []
    for line in group_lines([t for row in page.rows for t in row.tokens], height):
        cut = _Line(line, _columns(line, height))
        prose = len(cut.cells) == 1 and _is_prose_line(line, page)
        if prose or (run and line.top - run[-1].line.bottom > _MAX_DISTANCE * height):
            found.extend(_block(run, height))
            run = []
        if not prose:
            run.append(cut)
    found.extend(_block(run, height))
    return found


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and its cells, separated by wide gaps."""

    line: BodyLine
    cells: list[list[Token]]


def _is_prose_line(line: BodyLine, page: PageView) -> bool:
    return line.tokens[-1].right - line.left > 0.55 * page.width


def _columns(line: BodyLine, height: float) -> list[list[Token]]:
    """Return the words of a line, separated at wide gaps."""
    cells = [[line.tokens[0]]]
    for before, token in pairwise(line.tokens):
        if token.left - before.right > _COLUMN_GAP * height:
            cells.append([token])
        else:
            cells[-1].append(token)
    return cells


def _block(lines: Sequence[_Line], height: float) -> list[TableBlock]:
    """Return the block of a run of lines, none if the lines share no columns."""
    filled = [at for at, line in enumerate(lines) if len(line.cells) > 1]
    if len(filled) < 2:
        return []
    kept = lines[filled[0] : filled[-1] + 1]
    valued = list(islice((at for at in filled if any(map(is_value, lines[at].cells[1:]))), 2))
    start = valued[0] - filled[0] if len(valued) > 1 else 1
    body = [lines[at] for at in filled if at >= filled[0] + start]
    if not body or start > _HEADER_LINES:
        start, body = 0, [lines[at] for at in filled]
    spans = _covered_spans(body, height)
    return [TableBlock([one.line for one in kept], spans, start)] if len(spans) > 1 else []


def _covered_spans(lines: Sequence[_Line], height: float) -> list[tuple[float, float]]:
    """Return the spans that the cells of lines cover; a rare cell across a gap doesn't close it."""
    cells = [(c[0].left, c[-1].right) for line in lines for c in line.cells]
    edges = sorted([(left, 1) for left, _ in cells] + [(right, -1) for _, right in cells])
    few = max(0, len(lines) // 8)
    spans: list[tuple[float, float]] = []
    depth, opened = 0, 0.0
    for x, step in edges:
        before, depth = depth, depth + step
        if before <= few < depth:
            opened = x
        elif depth <= few < before:
            if spans and opened - spans[-1][1] < 0.3 * height:
                spans[-1] = (spans[-1][0], x)
            else:
                spans.append((opened, x))
    return spans


def headers_by_likeness(
    page: PageView,
    blocks: Iterable[TableBlock],
    targets: Sequence[FieldQuery],
    context: TableContext,
    by_type: bool,
) -> list[TableHeader]:
    """Return the headers of ``blocks`` that are similar to the targets' names, best first.

    With ``by_type``, also blocks whose columns fit the targets' types, whatever the lines above them.
    """
    headers = [
        header for block in blocks if (header := _header(page, block, targets, context, by_type)) is not None
    ]
    return sorted(headers, key=lambda h: -h.score)


def _header(
    page: PageView, block: TableBlock, targets: Sequence[FieldQuery], context: TableContext, by_type: bool
) -> TableHeader | None:
    height = page.line_height
    above = block.lines[: block.start]
    columns = [TableColumn(None, left, right) for left, right in block.spans]
    stacks: list[list[Token]] = [[] for _ in columns]
    for line in above:
        for cell in _columns(line, height):
            left, right = cell[0].left, cell[-1].right
            over = [i for i, c in enumerate(columns) if left < c.right and c.left < right]
            nearest = min(
                range(len(columns)), key=lambda i: abs(columns[i].centre - (left + right) / 2), default=0
            )
            for index in over or [nearest]:
                stacks[index].extend(cell)
    texts = [squeeze(text_of(stack)) for stack in stacks]
    similarities = [[_similarity(target, text) for text in texts] for target in targets]
    samples: list[list[list[Token]]] = []

    @cache
    def fit_of(at: int, index: int) -> float:
        """Return how well, 0–1, the cells of column ``index`` fit the target ``at``."""
        nonlocal samples
        samples = samples or _samples(block, columns, height)
        return _fitness(targets[at], samples[index], context)

    pairs, score, known_by_header = _assign(similarities, fit_of, targets, by_type)
    if not pairs:
        return None
    for at, index in pairs.items():
        columns[index].target = targets[at]
    for column, stack in zip(columns, stacks, strict=True):
        if stack:
            column.span = header_span(stack, height)
    first = block.lines[block.start]
    tokens = {id(t) for line in above for t in line.tokens}
    top = above[0].top if above else first.top
    bottom = max((line.bottom for line in above), default=first.top - 0.1)
    bottom = min(bottom, first.middle - 0.2 * height)
    return TableHeader(page, columns, top, bottom, score, known_by_header, tokens)


def _samples(block: TableBlock, columns: Sequence[TableColumn], height: float) -> list[list[list[Token]]]:
    samples: list[list[list[Token]]] = [[] for _ in columns]
    for line in block.lines[block.start :][:25]:
        for cell in _columns(line, height):
            middle = (cell[0].left + cell[-1].right) / 2
            index = min(range(len(columns)), key=lambda i: abs(columns[i].centre - middle))
            samples[index].append(cell)
    return samples


def _similarity(target: FieldQuery, text: str) -> float:
    """Return the similarity of a printed header to a column's name, labels or concept."""
    form = letters(text)
    if not form:
        return 0.0
    known = target.weight(form)
    names = [target.field.name.replace("_", " "), *target.field.labels]
    ratio = max(
        max(fuzz.ratio(letters(name), form), fuzz.token_sort_ratio(name.casefold(), text.casefold()))
        for name in names
    )
    words = {letters(w) for w in text.split()} & {letters(w) for n in names for w in n.split()}
    shared = 0.9 if words and any(len(w) > 2 for w in words) and ratio > 45 else 0.0
    return max(known, ratio / 100, shared * max(ratio / 100, 0.7))


def _fitness(target: FieldQuery, cells: Sequence[Sequence[Token]], context: TableContext) -> float:
    if not cells:
        return 0.0
    share = column_fit(target, cells, context)
    if target.field.type in _TYPED or target.concept is not None:
        return share
    return 0.5 + 0.5 * (1.0 - sum(is_value(c) for c in cells) / len(cells)) if share else 0.0


def _assign(
    similarities: Sequence[Sequence[float]],
    fit_of: Callable[[int, int], float],
    targets: Sequence[FieldQuery],
    by_type: bool,
) -> tuple[dict[int, int], float, int]:
    """Return column index by target index, the score, and the number of columns known by header."""
    ranked = sorted(
        (
            (similarities[t][c] + 0.4 * fit_of(t, c), -abs(t - c), t, c)
            for t in range(len(similarities))
            for c in range(len(similarities[t]))
            if similarities[t][c] >= _SIMILAR and (targets[t].field.type not in _TYPED or fit_of(t, c) > 0.3)
        ),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for _, _, t, c in ranked:
        if t not in pairs and c not in pairs.values():
            pairs[t] = c
    known_by_header = len(pairs)
    enough = (
        2 * known_by_header >= len(similarities)
        and known_by_header > 0
        and (known_by_header > 1 or len(similarities) <= 2)
    )
    if not enough and not by_type:
        return {}, 0.0, 0
    _assign_by_fit(pairs, fit_of, len(similarities), len(similarities[0]))
    if not enough:
        exact = len(pairs) == len(similarities) and len(similarities[0]) == len(similarities)
        typed = [t for t, target in enumerate(targets) if target.field.type in _TYPED]
        if not exact or not typed or any(fit_of(t, c) < _FITS for t, c in pairs.items() if t in typed):
            return {}, 0.0, 0
    score = sum(similarities[t][c] + 0.3 * fit_of(t, c) for t, c in pairs.items())
    return pairs, score, known_by_header


def _assign_by_fit(
    pairs: dict[int, int], fit_of: Callable[[int, int], float], targets: int, columns: int
) -> None:
    """Assign remaining columns to remaining targets that they fit, keeping the order."""
    for t in range(targets):
        if t in pairs:
            continue
        low = max((c for o, c in pairs.items() if o < t), default=-1)
        high = min((c for o, c in pairs.items() if o > t), default=columns)
        open_ = (c for c in range(low + 1, high) if c not in pairs.values() and fit_of(t, c) >= _FITS)
        first = next(open_, None)
        if first is not None:
            pairs[t] = first
