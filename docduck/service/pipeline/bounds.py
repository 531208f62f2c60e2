"""The bounds of a parser's values and rows in pipeline.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from docduck.column_types import DECIMAL
from docduck.errors import InputError
from docduck.service.pipeline.pipeline_spec import BoundsSpec
from docduck.warehouse.layout import TABLE, Layout
from docduck.warehouse.names import DOCUMENTS


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds in a ``table`` of the warehouse: of the ``column`` with this key, or of the number of rows.

    ``label`` names what is checked; ``table_key`` is the id of the table field.
    """

    name: str
    label: str
    table: str
    table_key: str
    column: str | None
    minimum: Decimal | None
    maximum: Decimal | None
    is_blocking: bool

    @property
    def sentence(self) -> str:
        """What is expected, such as ``Total is at least 0 and at most 100``."""
        limits = {"at least": self.minimum, "at most": self.maximum}
        words = " and ".join(f"{word} {limit:f}" for word, limit in limits.items() if limit is not None)
        return f"{self.label} is {words}"

    def hold(self, value: Decimal | int) -> bool:
        """Return whether ``value`` is within the bounds."""
        return (self.minimum is None or value >= self.minimum) and (
            self.maximum is None or value <= self.maximum
        )


def bounds_of(layout: Layout, specs: Sequence[BoundsSpec]) -> tuple[Bounds, ...]:
    """Return the bounds in the tables of ``layout``; raise InputError with the path of the wrong key."""
    counts: dict[tuple[str, str], int] = {}
    bounds: list[Bounds] = []
    for index, spec in enumerate(specs):
        column = _row_count(layout, spec, index) if spec.field is None else _column(layout, spec, index)
        first = counts.setdefault((column.table, column.name), index)
        if first != index:
            raise InputError(f"is checked by checks[{first}] already", f"checks[{index}]")
        bounds.append(column)
    return tuple(bounds)


def _row_count(layout: Layout, spec: BoundsSpec, index: int) -> Bounds:
    names = {label.text: label.key for label in layout.labels if label.type == TABLE}
    keys = {DOCUMENTS: layout.tables[0].key, **names}
    if spec.rows not in keys:
        raise InputError(
            f"there is no table '{spec.rows}'; known are {', '.join(keys)}", f"checks[{index}].rows"
        )
    table = next(table for table in layout.tables if table.key == keys[spec.rows])
    label = f"The number of rows in {spec.rows}"
    return _bounds(spec, "row_count", label, table.name, table.key, None)


def _column(layout: Layout, spec: BoundsSpec, index: int) -> Bounds:
    numbers = {label.text: label.key for label in layout.labels if label.type == DECIMAL.family}
    if spec.field not in numbers:
        known = ", ".join(numbers) or "none"
        raise InputError(
            f"there is no number field '{spec.field}'; known are {known}", f"checks[{index}].field"
        )
    table, column = next(
        (table, column)
        for table in layout.tables
        for column in table.columns
        if column.key == numbers[spec.field]
    )
    return _bounds(spec, f"bounds_{column.name}", spec.field, table.name, table.key, column.key)


def _bounds(
    spec: BoundsSpec, name: str, label: str, table: str, table_key: str, column: str | None
) -> Bounds:
    return Bounds(name, label, table, table_key, column, spec.minimum, spec.maximum, spec.blocking)
