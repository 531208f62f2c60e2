"""Headers of tables that the file format defines: which column of a field each head is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from docduck.documents.document import Box, Cell
from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.extractors.layout.tables.column_fit import is_rate
from docduck.extraction.extractors.layout.tables.columns import concept_of
from docduck.extraction.extractors.layout.tables.taxes import TaxColumns, are_taxes, tax_columns
from docduck.extraction.extractors.structured.label_match import label_weight
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.result import Location
from docduck.extraction.values.currencies import currencies_in
from docduck.extraction.values.directions import names_directions
from docduck.extraction.values.numbers import parse_number
from docduck.fields import NUMERIC, FieldType

_SEARCH = 30
"""Rows from a grid's top in which its header is looked for, and rows below it whose values are seen."""
_LIKE, _SURE = 0.6, 0.78
"""The weights from which a head names a column, and from which two of them make a header."""
_CALLED = 0.9
"""The weight from which a head is believed to be of an amount, whatever others add up to."""

Place = tuple[int, Cell]
"""The number of a page and a cell on it."""
Line = list[Place]


@dataclass(slots=True)
class GridHead:
    """A header found: its table and its row there, what is below it, and the position of each column.

    ``rows`` are the rows below it that are of the table.
    """

    spot: tuple[int, int]
    line: Line
    below: Sequence[Line]
    positions: Mapping[str, int]
    score: float
    rows: list[Line] = field(default_factory=list)

    @property
    def span(self) -> range:
        """The positions of its neighbouring heads, those of no column among them."""
        first, last = min(self.positions.values()), max(self.positions.values())
        while first > 0 and _has_letters(self.line[first - 1][1]):
            first -= 1
        while last + 1 < len(self.line) and _has_letters(self.line[last + 1][1]):
            last += 1
        return range(first, last + 1)

    @property
    def others(self) -> dict[int, tuple[str, list[str]]]:
        """The heads of no column, each with the cells of the rows below it, by position."""
        taken = self.positions.values()
        return {
            at: (cell.text, [line[at][1].text if at < len(line) else "" for line in self.rows])
            for at, (_, cell) in enumerate(self.line)
            if at not in taken
        }

    @property
    def places(self) -> list[Location]:
        """The places of its row and those below it."""
        span = self.span
        parts = (line[span.start : span.stop] for line in (self.line, *self.rows))
        return [Location(part[0][0], Box.around(cell.box for _, cell in part), "") for part in parts if part]

    def common(self, at: int) -> Place | None:
        """Return the first cell at a position if all rows have its text there."""
        cells = [line[at] for line in self.rows if at < len(line)]
        return cells[0] if len({cell.text.strip() for _, cell in cells}) == 1 else None


def find_head(
    number: int, table: Sequence[Line], targets: Sequence[FieldQuery], locale: Locale
) -> GridHead | None:
    """Return the best header among the first rows of a table, of one row or two."""
    best: GridHead | None = None
    for index, line in enumerate(table[: min(_SEARCH, len(table) - 1)]):
        texts = [cell.text for _, cell in line]
        above = [cell.text for _, cell in table[index - 1]] if index else []
        values = _Values(table[index + 1 : index + 1 + _SEARCH], locale)
        for forms in ([_parts(text) for text in texts], _stacked(above, texts)):
            positions, weights = _assign(forms, values, targets)
            score = sum(weights.values())
            if (best is None or score > best.score) and _is_enough(positions, weights, values, targets):
                best = GridHead((number, index), line, table[index + 1 :], positions, score)
    return best


def cell_value(query: FieldQuery, cell: Cell, locale: Locale, in_column: bool = False) -> Any:
    """Return the value of a cell: its own date, whatever it shows of it, or what its text is read as."""
    if query.type is FieldType.DATE and cell.date:
        return cell.date
    return from_text(query.field, cell.text, locale, in_column)


class _Values:
    """What the cells of the rows below a header say of its columns."""

    def __init__(self, lines: Sequence[Line], locale: Locale) -> None:
        self._lines = lines
        self._locale = locale

    def share(self, target: FieldQuery, at: int) -> float:
        """Return the share of filled cells that are values of a column, 1 if none is filled."""
        cells = self._filled(at)
        read = sum(cell_value(target, cell, self._locale) is not None for cell in cells)
        return read / len(cells) if cells else 1.0

    def tells(self, target: FieldQuery, at: int) -> float:
        """Return how likely cells are of one of two columns that the same head names: numbers have digits."""
        cells = self._filled(at)
        if target.kind != "identifier" or not cells:
            return 1.0
        return sum(any(char.isdigit() for char in cell.text) for cell in cells) / len(cells)

    def is_filled(self, at: int) -> bool:
        """Return whether a position has values."""
        return bool(self._filled(at))

    def exclude(self, target: FieldQuery, at: int, weight: float) -> bool:
        """Return whether the amounts say that those at a position are not what a column asks for."""
        if is_rate(target):
            cells = self._filled(at)
            priced = sum(bool(currencies_in(cell.text, beside_digits=True)) for cell in cells)
            return (
                2 * priced > len(cells)
                or are_taxes(self._numbers, at)
                or (self._taxed is not None and self._taxed.has(at))
            )
        return self._taxed is not None and self._taxed.excludes(concept_of(target), at, weight >= _CALLED)

    def _filled(self, at: int) -> list[Cell]:
        """Return the cells at a position that are not empty."""
        cells = (line[at][1] for line in self._lines if at < len(line))
        return [cell for cell in cells if cell.text.strip()]

    @cached_property
    def _numbers(self) -> list[dict[int, Decimal]]:
        lines = (
            {at: parse_number(cell.text, self._locale.decimal) for at, (_, cell) in enumerate(line)}
            for line in self._lines
        )
        return [{at: number for at, number in line.items() if number is not None} for line in lines]

    @cached_property
    def _taxed(self) -> TaxColumns | None:
        return tax_columns(self._numbers)


def _is_enough(
    positions: Mapping[str, int],
    weights: Mapping[str, float],
    values: _Values,
    targets: Sequence[FieldQuery],
) -> bool:
    """Return whether heads make a header: they name half of the columns, or surely a number and another.

    A number and what it is the number of, such as a reference and its amount, may be facts of the document.
    """
    if len(weights) < min(2, len(targets)):
        return False
    sure = [t for t in targets if weights.get(t.name, 0.0) >= _SURE and values.is_filled(positions[t.name])]
    kinds = {t.type in NUMERIC for t in sure if t.kind != "identifier"}
    return 2 * len(weights) >= len(targets) or len(kinds) > 1


def _assign(
    forms: Sequence[Sequence[str]], values: _Values, targets: Sequence[FieldQuery]
) -> tuple[dict[str, int], dict[str, float]]:
    """Return the position of each column that a header names, and the weights of their heads.

    A column's own name comes before its other labels. A head over other values names none.
    """
    offers = (
        (*max((label_weight(t, form), key(form) == t.title.key) for form in texts), at, t)
        for at, texts in enumerate(forms)
        for t in targets
    )
    likely = [offer for offer in offers if offer[0] >= _LIKE]
    positions: dict[str, int] = {}
    weights: dict[str, float] = {}
    for weight, _, at, target in sorted(
        likely, key=lambda o: (o[0], o[1], values.tells(o[3], o[2]), -o[2], o[3].name), reverse=True
    ):
        if target.name in positions or at in positions.values():
            continue
        if values.share(target, at) and not values.exclude(target, at, weight):
            positions[target.name] = at
            weights[target.name] = weight
    left = [t for t in targets if t.name not in positions and t.field.type is FieldType.TEXT]
    if positions and len(left) == 1 and forms and 0 not in positions.values() and not forms[0][0].strip():
        positions[left[0].name] = 0
        weights[left[0].name] = 0.0
    return positions, weights


def _parts(text: str) -> list[str]:
    """Return a head, and what it names beside each other ("Payee / Details") unless that are directions."""
    return [text] if names_directions(text) else list(dict.fromkeys((text, *text.split("/"))))


def _stacked(above: Iterable[str], texts: Iterable[str]) -> list[list[str]]:
    """Return the texts of each column's header in two rows: both rows together, or the lower one alone."""
    return [
        [f"{upper} {text}", text] if upper and upper != text else [text]
        for upper, text in zip(above, texts, strict=False)
    ]


def _has_letters(cell: Cell) -> bool:
    return any(char.isalpha() for char in cell.text)
