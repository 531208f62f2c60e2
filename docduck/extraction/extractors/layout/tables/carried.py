"""Sums that a table carries over from one page to the next: they are no rows of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from statistics import median

from docduck.extraction.extractors.layout.tables.bands import Cells
from docduck.extraction.extractors.layout.tables.cells import TableContext, number_in
from docduck.extraction.extractors.layout.tables.products import PARTS
from docduck.extraction.extractors.layout.tables.rows import Line, TableRow
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.carried_sums import is_carried
from docduck.extraction.page.page_view import Row
from docduck.fields import NUMERIC, FieldType

_FEW = 2
"""Cells of a line that carries a sum at most, if rows have no more, and rows that add up by chance."""


class CarriedSums:
    """The sums of a table's rows, page by page, to know lines that carry them over."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._sums: dict[str, Decimal] = {}
        self._widths: list[int] = []

    def add(self, rows: Iterable[TableRow], columns: Mapping[int, FieldQuery]) -> None:
        """Add rows to the sums."""
        for row in rows:
            self._widths.append(len(row.cells))
            for name, value in self._amounts(row.cells, columns):
                self._sums[name] = self._sums.get(name, Decimal(0)) + value

    def carries(self, cells: Cells, row: Row, columns: Mapping[int, FieldQuery]) -> bool:
        """Return whether a line carries the sum so far: its words say so, or it has little else than that."""
        if not self._widths:
            return False
        summed = self._is_sum(cells, columns)
        is_short = len(cells) < median(self._widths)
        if summed and is_short and len(self._widths) >= _FEW:
            return True
        dated = any(columns[i].type is FieldType.DATE for i in cells if i in columns)
        may_say = (is_short or len(cells) <= _FEW) and (summed or not dated)
        return may_say and is_carried(row.text, summed)

    def carrying_lines(self, lines: Iterable[Line], columns: Mapping[int, FieldQuery]) -> list[Line]:
        """Return those of some lines, all of them sums, that carry the sum so far."""
        return [
            line
            for line in lines
            if self._is_sum(line.cells, columns) or is_carried(line.row.text, summed=False)
        ]

    def _is_sum(self, cells: Cells, columns: Mapping[int, FieldQuery]) -> bool:
        """Return whether an amount of a line is the sum so far."""
        return any(value and value == self._sums.get(name) for name, value in self._amounts(cells, columns))

    def _amounts(self, cells: Cells, columns: Mapping[int, FieldQuery]) -> list[tuple[str, Decimal]]:
        """Return the amounts of a line that rows sum to, by the names of their columns."""
        amounts = []
        for i, column in columns.items():
            is_part = column.concept is not None and column.concept.name in PARTS
            number = number_in(cells.get(i, ()), self._context)
            if column.type in NUMERIC and not is_part and number is not None:
                amounts.append((column.name, number[0]))
        return amounts
