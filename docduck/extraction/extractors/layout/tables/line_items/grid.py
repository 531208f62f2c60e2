"""The table body as a grid: each printed row cut into the columns of its header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docduck.extraction.extractors.layout.tables.cells import number_in
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.line_items.column_bands import ColumnBands
from docduck.extraction.extractors.layout.tables.line_items.header_detection import HeaderCell
from docduck.extraction.page.page_view import Row, Token

_FIRST_GROUP = re.compile(r"[(\-−–+€$£]*\d{1,3}")
_DIGIT_TO_LETTER = re.compile(r"\d(?=[^\W\d_]{2})")
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?[-%]?")
NUMERIC_CONCEPTS = frozenset({
    "quantity", "unit_price", "line_total", "tax_rate", "tax_amount", "gross_line_total", "discount_rate",
    "debit", "credit", "transaction_amount", "running_balance",
})  # fmt: skip


@dataclass
class GridRow:
    """One printed row: the tokens of each column; ``spilled`` if text runs across columns."""

    row: Row
    cells: dict[int, list[Token]]
    spilled: bool = False

    @property
    def top(self) -> float:
        return self.row.top

    @property
    def bottom(self) -> float:
        return self.row.bottom


def is_numeric(cell: HeaderCell) -> bool:
    """Return whether a column holds numbers, by its target or by its header's concepts."""
    if cell.target is not None:
        return cell.target.kind in ("amount", "percent")
    return bool(cell.concepts) and cell.concepts <= NUMERIC_CONCEPTS


def split_row(row: Row, bands: ColumnBands, context: TableContext) -> GridRow:
    """Return ``row`` cut into columns, with numbers and words of joined cells separated."""
    cells: dict[int, list[Token]] = {}
    spilled = False
    for segment in row.segments:
        tokens = [part for token in segment.tokens for part in _split_token(token, bands)]
        indices = [bands.index(token) for token in tokens]
        if len(set(indices)) > 1:
            indices = _keep_text_whole(tokens, indices, bands)
        spilled = spilled or _is_spilled(tokens, indices)
        for token, index in zip(tokens, indices, strict=True):
            cells.setdefault(index, []).append(token)
    _separate(cells, bands.cells, context)
    return GridRow(row, cells, spilled)


def _split_token(token: Token, bands: ColumnBands) -> list[Token]:
    """Return a token, or its two parts if it joins a number and a text across a boundary."""
    if len(token.text) < 6:
        return [token]
    height = token.bottom - token.top
    for boundary in bands.boundaries:
        if token.left + height < boundary < token.right - height:
            at = (boundary - token.left) / (token.right - token.left) * len(token.text)
            edges = [m.start() + 1 for m in _DIGIT_TO_LETTER.finditer(token.text)]
            split_row = min(edges, key=lambda e: abs(e - at), default=None)
            if split_row is not None and abs(split_row - at) < 0.15 * len(token.text) + 1:
                middle = token.left + (token.right - token.left) * split_row / len(token.text)
                return [
                    _part(token, token.text[:split_row], token.left, middle),
                    _part(token, token.text[split_row:], middle, token.right),
                ]
    return [token]


def _part(token: Token, text: str, left: float, right: float) -> Token:
    part = Token(text, left, token.top, right, token.bottom, token.score)
    part.segment, part.index = token.segment, token.index
    return part


def _is_spilled(tokens: Sequence[Token], indices: Sequence[int]) -> bool:
    """Return whether running text, other than a code beside a text, spans two columns."""
    return any(
        a != b and not (x.text.isdigit() or y.text.isdigit())
        for (x, a), (y, b) in pairwise(zip(tokens, indices, strict=True))
    )


def _keep_text_whole(tokens: Sequence[Token], indices: list[int], bands: ColumnBands) -> list[int]:
    """Return ``indices`` with words that spill over a boundary assigned to the text before them."""
    fixed = list(indices)
    for position in range(len(tokens) - 1, 0, -1):
        if fixed[position - 1] != fixed[position] and is_split_number(tokens[position - 1], tokens[position]):
            fixed[position - 1] = fixed[position]
    for position in range(1, len(tokens)):
        before, here = fixed[position - 1], fixed[position]
        if here == before:
            continue
        gap = tokens[position].left - tokens[position - 1].right
        height = tokens[position].bottom - tokens[position].top
        cell = bands.cells[here]
        digits = any(c.isdigit() for c in tokens[position].text)
        spills = gap < 0.4 * height and tokens[position].left < bands.left(here) + 1.0
        if spills and not (is_numeric(cell) and digits) and not is_numeric(bands.cells[before]):
            fixed[position] = before
    return fixed


def is_split_number(first: Token, second: Token) -> bool:
    """Return whether two words are one number with a space as thousands separator."""
    near = second.left - first.right < 0.42 * (second.bottom - second.top)
    return bool(near and _GROUP.fullmatch(second.text) and _FIRST_GROUP.fullmatch(first.text))


def _separate(
    cells: dict[int, list[Token]], header_cells: Sequence[HeaderCell], context: TableContext
) -> None:
    """Separate numbers from words in adjacent columns, and two numbers in one column."""
    for index in range(len(header_cells) - 1):
        left, right = header_cells[index], header_cells[index + 1]
        if is_numeric(left) and not is_numeric(right) and right.shared:
            tokens = [*cells.get(index, []), *cells.get(index + 1, [])]
            found = number_in(tokens, context)
            if found is not None and found[1][0] is tokens[0]:
                cells[index] = found[1]
                cells[index + 1] = [t for t in tokens if t not in found[1]]
        if is_numeric(left) and is_numeric(right) and index in cells and index + 1 not in cells:
            words = cells[index]
            numbers = [t for t in words if any(c.isdigit() for c in t.text)]
            if len(numbers) == 2 and numbers[-1] is words[-1] and numbers[0] is not numbers[1]:
                gap = numbers[1].left - numbers[0].right
                if gap > 0.45 * (numbers[1].bottom - numbers[1].top):
                    at = words.index(numbers[1])
                    cells[index], cells[index + 1] = words[:at], words[at:]
    for index in [i for i, tokens in cells.items() if not tokens]:
        del cells[index]
