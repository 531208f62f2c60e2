"""Assignment of header cells to columns, by label and by the values below."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.extractors.layout.tables.column_fit import column_fit
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header, HeaderCell
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import Token

_ALONE, _CODES = 0.75, 0.6
"""Share of fitting cells from which values alone identify a column, and a column of codes."""
_FIT = 0.35
"""Weight of fitting values relative to a fitting label (1.0)."""


def assign_columns(
    header: Header,
    columns: Sequence[FieldQuery],
    samples: dict[int, list[list[Token]]],
    context: TableContext,
) -> None:
    """Assign each header cell at most one column and each column at most one cell.

    ``samples`` are the tokens of some rows by cell. A column without a known label takes an unknown cell if
    its values fit and there is no other choice.
    """
    pairs_by_weight = []
    for index, cell in enumerate(header.cells):
        for order, column in enumerate(columns):
            weight = cell.weight(column)
            if weight > 0:
                fits = column_fit(column, samples.get(index, []), context)
                if fits == 0.0 and samples.get(index):
                    weight *= 0.4
                last = bool(column.concept and column.concept.name == "line_total")
                pairs_by_weight.append(
                    (weight + _FIT * fits, -order, index if last else -index, cell, column)
                )
    taken: set[str] = set()
    for _, _, _, cell, column in sorted(pairs_by_weight, key=lambda o: o[:3], reverse=True):
        if cell.target is None and column.name not in taken:
            cell.target = column
            taken.add(column.name)
    for column in columns:
        if column.name in taken or column.concept is None:
            continue
        name = column.concept.name
        least = _CODES if name == "sku" else _ALONE
        free = [
            cell
            for index, cell in enumerate(header.cells)
            if cell.target is None
            and _may_be_assigned(cell, name)
            and column_fit(column, samples.get(index, []), context) > least
        ]
        alone = name in ("description", "transaction_text", "quantity") and len(free) == 1
        if free and (alone or name == "sku"):
            free[0].target = column
        elif name == "line_total" and free and free[-1] is header.cells[-1]:
            free[-1].target = column


def _may_be_assigned(cell: HeaderCell, concept: str) -> bool:
    """Return whether values alone may identify a cell.

    Its header is unknown, or can also mean the concept: "Amount" a quantity, "Item" a code.
    """
    if concept == "quantity":
        return bool(cell.concepts & {"line_total", "transaction_amount"})
    if concept == "sku":
        return cell.concepts <= {"description"}
    return not cell.concepts
