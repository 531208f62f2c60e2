"""Tables without a header: neighbouring lines whose parts have the types of the field's columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.extraction.extractors.layout.tables.cells import is_amount_cell
from docduck.extraction.extractors.layout.tables.column_fit import column_fit
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.typed.headers import HeadCell, Header, runs
from docduck.extraction.extractors.layout.tables.typed.matching import Match
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, Row, Token
from docduck.extraction.values.numbers import parse_number
from docduck.fields import FieldType

_GAP = 3.0
"""Gap between two lines of a table at most, in line heights."""
_ALIGNED = 1.0
"""Offset of aligned edges at most, in line heights."""
_ROWS = 2
_MOST_PARTS = 8
_HALF = 0.5
"""Score of a table that has no header."""
_NUMBERS = frozenset({FieldType.NUMBER, FieldType.CURRENCY})


@dataclass(frozen=True, eq=False)
class _Line:
    """A line whose parts are values of columns, by the column's index."""

    row: Row
    cells: dict[int, list[Token]]


def find_blocks(
    page: PageView, query: FieldQuery, context: TableContext
) -> Iterator[tuple[Match, list[Row]]]:
    """Yield the blocks of lines that may be the table ``query``, each as a match, and its rows."""
    block: list[_Line] = []
    for row in page.rows:
        line = _line(row, query, context, page.line_height)
        if line is None:
            continue
        if block and not _is_next(block, line, query, page.line_height):
            yield from _matches(page, query, block)
            block = []
        block.append(line)
    yield from _matches(page, query, block)


def _matches(page: PageView, query: FieldQuery, block: Sequence[_Line]) -> Iterator[tuple[Match, list[Row]]]:
    if len(block) < _ROWS:
        return
    first: dict[int, list[Token]] = {}
    for line in block:
        for i, tokens in line.cells.items():
            first.setdefault(i, tokens)
    order = sorted(first)
    cells = [HeadCell(first[i], first[i]) for i in order]
    header = Header(page, block[0].row.index - 1, block[0].row.index - 1, cells, 0.0)
    columns = {at: query.columns[i] for at, i in enumerate(order)}
    filled = sum(len(line.cells) for line in block) / (len(block) * len(query.columns))
    yield Match(header, columns, _HALF * filled, 0), [line.row for line in block]


def _line(row: Row, query: FieldQuery, context: TableContext, height: float) -> _Line | None:
    parts = [run for segment in row.segments for run in runs(segment.tokens, height)]
    parts = [part for part in parts if any(t.key for t in part)]
    if not 1 <= len(parts) <= _MOST_PARTS:
        return None
    options = [parts]
    if len(parts[0]) > 1 and parse_number(parts[0][0].text, context.locale.decimal) is not None:
        options.append([parts[0][:1], parts[0][1:], *parts[1:]])
    if len(parts[-1]) > 1 and is_amount_cell(parts[-1][-1:], context):
        options += [[*some[:-1], some[-1][:-1], some[-1][-1:]] for some in list(options) if len(some[-1]) > 1]
    best: dict[int, list[Token]] = {}
    for option in options:
        found = _fit(option, query.columns, context)
        if found is not None and len(found) > len(best):
            best = found
    typed = [i for i in best if query.columns[i].type in _NUMBERS or query.columns[i].type is FieldType.DATE]
    if len(best) < min(2, len(query.columns)) or not typed:
        return None
    if len(typed) == len(best) and any(column.type is FieldType.TEXT for column in query.columns):
        return None
    return _Line(row, best)


def _fit(
    parts: Sequence[list[Token]], columns: Sequence[FieldQuery], context: TableContext, start: int = 0
) -> dict[int, list[Token]] | None:
    """Return the parts by column, in the columns' order, None if one part fits no column."""
    if not parts:
        return {}
    best: dict[int, list[Token]] | None = None
    for i in range(start, len(columns)):
        if not _may_be(columns[i], parts[0], context):
            continue
        rest = _fit(parts[1:], columns, context, i + 1)
        if rest is not None and (best is None or len(rest) + 1 > len(best)):
            best = {i: parts[0], **rest}
    return best


def _may_be(column: FieldQuery, tokens: Sequence[Token], context: TableContext) -> bool:
    if column.type in _NUMBERS:
        return is_amount_cell(tokens, context)
    if column.type is FieldType.DATE:
        return column_fit(column, [tokens], context) >= _HALF
    letters = sum(c.isalpha() for t in tokens for c in t.text)
    return letters > 1 or column.kind == "identifier"


def _is_next(block: Sequence[_Line], line: _Line, query: FieldQuery, height: float) -> bool:
    """Return whether a line goes on a block: near, and its numbers and texts aligned with those above."""
    last = block[-1]
    if line.row.top - last.row.bottom > _GAP * height or line.row.index - last.row.index > _ROWS + 1:
        return False
    for i, tokens in line.cells.items():
        above = next((one.cells[i] for one in reversed(block) if i in one.cells), None)
        if above is None:
            continue
        left, right = abs(above[0].left - tokens[0].left), abs(above[-1].right - tokens[-1].right)
        if min(left, right) > _ALIGNED * height:
            return False
    return True
