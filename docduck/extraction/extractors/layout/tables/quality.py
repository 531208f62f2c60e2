"""How complete and consistent the rows of a table are, to choose between two readings of it."""

from __future__ import annotations

from decimal import Decimal

from docduck.extraction.arithmetic import product_holds
from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.tables.line_items.row_repair import by_concept
from docduck.extraction.fields.field_query import FieldQuery

_FACTORS = ("quantity", "unit_price", "line_total")


def quality(query: FieldQuery, rows: TableRows) -> float:
    """Return the share, 0–1, of filled cells; if rows can have products, also counting how many hold."""
    if not rows:
        return 0.0
    filled = sum(len(row) for row in rows) / (len(rows) * len(query.columns))
    named = by_concept(query.columns)
    if any(name not in named for name in _FACTORS):
        return filled
    held = 0
    for row in rows:
        numbers = [row[named[name].name].value for name in _FACTORS if named[name].name in row]
        if len(numbers) == len(_FACTORS) and all(isinstance(one, int | float) for one in numbers):
            held += product_holds(*(Decimal(str(one)) for one in numbers))
    return (filled + held / len(rows)) / 2
