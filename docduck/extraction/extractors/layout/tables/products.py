"""Columns told apart by arithmetic: quantity times unit price is the amount of a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from itertools import permutations

from docduck.extraction.equations import product_holds
from docduck.extraction.extractors.layout.tables.bands import Cells
from docduck.extraction.extractors.layout.tables.cells import TableContext, cell_text, number_in
from docduck.extraction.extractors.layout.tables.column_fit import is_rate
from docduck.extraction.fields.field_query import FieldQuery, by_concept

ANCHORS = frozenset({"line_total", "transaction_amount", "debit", "credit", "gross_line_total"})
PARTS = frozenset({"quantity", "unit_price", "tax_rate", "running_balance"})
"""Concepts of amounts that each row has, and of those that lines beside rows have, too."""
FACTORS = ("quantity", "unit_price", "line_total")
"""The concepts of the columns of a product."""
_SHARE = 0.6
"""Minimum share of rows whose product holds."""
_MOST_COLUMNS = 8
"""Number columns that are tried at most."""


def with_products(
    chosen: Mapping[int, FieldQuery],
    by_name: Mapping[int, Collection[int]],
    query: FieldQuery,
    free: Sequence[int],
    lines: Sequence[Cells],
    context: TableContext,
) -> dict[int, FieldQuery]:
    """Return ``chosen`` with quantity, unit price and amount where their products hold.

    ``free`` are the cells that may be one of them, ``lines`` the words of some lines by cell. A column that
    a head names stays in one of the cells whose heads do (``by_name``, by its cell); all stay where they are
    if no other cells have more products that hold. Prices may have been taken for rates of tax.
    """
    named = by_concept(query.columns)
    places = {c.concept.name: i for i, c in chosen.items() if c.concept is not None}
    known = [places.get(name) for name in FACTORS]
    factors = [named.get(name) for name in FACTORS]
    if sum(column is not None for column in factors) < 2 or not any(i is not None for i in known):
        return dict(chosen)
    rows = [numbers_of(line, context) for line in lines]
    rates = {i for i, c in chosen.items() if is_rate(c) and "unit_price" not in places}
    others = {i for i, c in chosen.items() if c not in factors} - rates
    cells = [i for i in free if i not in others and any(i in row for row in rows)][:_MOST_COLUMNS]
    best, most = tuple(known), (_held(known, rows), len(FACTORS))
    for triple in permutations(cells, len(FACTORS)):
        agreeing = sum(a == b for a, b in zip(triple, known, strict=True))
        if any(a not in by_name.get(b, cells) for a, b in zip(triple, known, strict=True) if b is not None):
            continue
        held = _held(triple, rows)
        if agreeing and (held, agreeing) > most and (held > 1 or rates.isdisjoint(triple)):
            best, most = triple, (held, agreeing)
    moved = {i: c for i, c in chosen.items() if c not in factors and i not in best}
    moved.update(
        (i, column) for i, column in zip(best, factors, strict=True) if i is not None and column is not None
    )
    return moved


def numbers_of(line: Cells, context: TableContext) -> dict[int, Decimal]:
    """Return the numbers of a line by column, without percentages."""
    numbers = {i: number_in(tokens, context) for i, tokens in line.items() if "%" not in cell_text(tokens)}
    return {i: number[0] for i, number in numbers.items() if number is not None}


def _held(places: Sequence[int | None], rows: Sequence[Mapping[int, Decimal]]) -> int:
    """Return how many rows have products that hold, 0 if they are few of those with all numbers."""
    numbers = [[row[i] for i in places if i is not None and i in row] for row in rows]
    complete = [row for row in numbers if len(row) == len(FACTORS) and row[0] and row[1]]
    held = sum(product_holds(*row) for row in complete)
    return held if held >= _SHARE * len(complete) else 0
