"""Amounts whose direction a column beside them says: it is their sign, or tells debits from credits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from docduck.extraction.extractor import TableRows
from docduck.extraction.fields.field_query import FieldQuery, by_concept, query_of
from docduck.extraction.result import Finding
from docduck.extraction.values.directions import directions, factors
from docduck.fields import Field, FieldType

_SIGNED = ("transaction_amount", "line_total")
_AMOUNT = query_of(Field(name="transaction amount", type=FieldType.CURRENCY), "columns")


def both_directions(columns: Sequence[FieldQuery]) -> list[FieldQuery]:
    """Return the column of amounts that a table of debits and credits may be printed with instead."""
    named = by_concept(columns)
    is_parted = {"debit", "credit"} <= named.keys() and named.keys().isdisjoint(_SIGNED)
    return [_AMOUNT] if is_parted else []


def nearest_directions(
    others: Mapping[int, tuple[str, Sequence[str]]], amount: int, dated: bool
) -> list[int]:
    """Return the directions of a table's rows by one of its columns, none if no column says them.

    ``others`` are the heads and cells of the columns that no field has, by place: of several the one nearest
    to the place of the ``amount`` counts, of equal ones that behind it. ``dated`` is whether rows have dates.
    """
    for at in sorted(others, key=lambda at: (abs(at - amount), -at)):
        if said := directions(*others[at], dated):
            return said
    return []


def direct(rows: TableRows, said: Sequence[int], columns: Sequence[FieldQuery]) -> None:
    """Give the amounts of rows the sign of the directions ``said``, or put them among debits and credits."""
    named = by_concept([*columns, *both_directions(columns)])
    name = amount_of(rows, columns)
    if name is None:
        return
    cells = [row.get(name) for row in rows]
    amounts = [_number(cell) for cell in cells]
    signs = factors(amounts, said) if said else [1] * len(rows)
    is_parted = name == _AMOUNT.name
    is_known = bool(said) or any(amount is not None and amount < 0 for amount in amounts)
    for row, cell, sign in zip(rows, cells, signs, strict=True):
        if cell is None or not isinstance(cell.value, int | float):
            continue
        cell.value *= sign
        if is_parted:
            del row[name]
            if is_known:
                row[named["debit" if cell.value < 0 else "credit"].name] = cell
                cell.value = abs(cell.value)


def amount_of(rows: TableRows, columns: Sequence[FieldQuery]) -> str | None:
    """Return the name of the column of rows that has amounts of both directions, None if none has."""
    named = by_concept([*columns, *both_directions(columns)])
    some = [named[concept].name for concept in _SIGNED if concept in named]
    return next((name for name in some if any(name in row for row in rows)), None)


def _number(cell: Finding | None) -> Decimal | None:
    value = cell.value if cell is not None else None
    return Decimal(str(value)) if isinstance(value, int | float) else None
