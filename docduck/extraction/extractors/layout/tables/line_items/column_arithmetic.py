"""Columns found by arithmetic: quantity times unit price is the amount, so two determine the third."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from docduck.extraction.extractors.layout.tables.cells import number_in
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import Token

_FACTORS = ("quantity", "unit_price", "line_total")
_SHARE = 0.6
"""Minimum share of rows whose product holds."""


def assign_by_product(
    header: Header,
    columns: Sequence[FieldQuery],
    rows: Sequence[Mapping[int, Sequence[Token]]],
    context: TableContext,
) -> None:
    """Assign the missing one of quantity, price and amount to the cell for which the products hold.

    ``rows`` are the tokens of some rows by cell.
    """
    known = {name: _cell(header, name) for name in _FACTORS}
    missing = [name for name, index in known.items() if index is None]
    wanted = [c for c in columns if c.concept is not None and c.concept.name in missing]
    if len(missing) != 1 or not wanted:
        return
    numbers = [{i: found[0] for i, t in row.items() if (found := number_in(t, context))} for row in rows]
    best: tuple[int, int] | None = None
    for index, cell in enumerate(header.cells):
        if cell.target is not None or cell.concepts & {"position", "tax_rate"}:
            continue
        positions = {**known, missing[0]: index}
        complete = [row for row in numbers if all(positions[name] in row for name in _FACTORS)]
        single = missing[0] == "quantity" and index > 0
        held = sum(
            _holds(
                row[positions["quantity"] or 0],
                row[positions["unit_price"] or 0],
                row[positions["line_total"] or 0],
                single,
            )
            for row in complete
        )
        if held and held >= _SHARE * len(complete) and (best is None or held > best[0]):
            best = (held, index)
    if best is not None:
        header.cells[best[1]].target = wanted[0]


def _cell(header: Header, concept: str) -> int | None:
    """Return the index of a concept's cell: the assigned one, else the only one of just this concept."""
    for index, cell in enumerate(header.cells):
        if (
            cell.target is not None
            and cell.target.concept is not None
            and cell.target.concept.name == concept
        ):
            return index
    return next((i for i, c in enumerate(header.cells) if c.target is None and c.concepts == {concept}), None)


def _holds(quantity: Decimal, price: Decimal, total: Decimal, single: bool) -> bool:
    """Return whether a product holds; a quantity of one is evidence only if ``single``."""
    if not quantity or not price or (quantity == 1 and not single):
        return False
    return abs(quantity * price - total) <= max(Decimal("0.011"), abs(total) / 2000)
