"""Signs of amounts that are printed as words beside them: "12.00 CR", "87,40 S"."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.extractors.layout.tables.cells import number_in
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.page.page_view import Token

_CREDIT = frozenset({"cr", "h", "haben", "credit"})
_DEBIT = frozenset({"dr", "s", "soll", "debit"})


def signs(cells: Sequence[Sequence[Token]], context: TableContext) -> list[int]:
    """Return 1 or -1 for each cell of a column, by the words behind its number.

    Debits are negative. Where only credits are marked, the others are charges, and credits are negative.
    """
    marks = [_mark(cell, context) for cell in cells]
    if -1 in marks:
        return [mark or 1 for mark in marks]
    return [-mark or 1 for mark in marks] if 0 in marks else [1] * len(marks)


def _mark(cell: Sequence[Token], context: TableContext) -> int:
    """Return 1 for a credit, -1 for a debit, 0 for an amount without a mark."""
    found = number_in(cell, context)
    behind = [t for t in cell if found is not None and t.left >= found[1][-1].right]
    words = {t.key for t in behind}
    return 1 if words & _CREDIT else -1 if words & _DEBIT else 0
