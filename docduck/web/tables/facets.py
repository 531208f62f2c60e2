"""Facets: the most frequent values of a column, or how its numbers and dates are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.warehouse.query_order import TeamResult
from docduck.web.tables.choice import LONGEST_VALUE, Choice, Comparison, filter_of
from docduck.web.tables.shown_table import ShownColumn
from docduck.web.tables.statements import MOST_VALUES


@dataclass(frozen=True, slots=True)
class Group:
    """Rows with a value, or with values of a range: a click on it chooses them.

    ``share`` is 0 to 100, of the group with most rows; ``choice`` is what is chosen after the click,
    None for a text that is too long for an address.
    """

    label: str
    rows: int
    share: float
    is_chosen: bool
    choice: Choice | None


@dataclass(frozen=True, slots=True)
class Facet:
    """The facet of a column; ``least`` and ``greatest`` are those of a range, ``more`` of values cut off."""

    column: ShownColumn
    groups: tuple[Group, ...]
    empty: Group | None
    least: str | None = None
    greatest: str | None = None
    more: bool = False


_NO_ROWS = Group("", 0, 0, False, None)
"""A range between others that has no rows."""


def facet_of(column: ShownColumn, result: TeamResult, choice: Choice) -> Facet:
    """Return the facet of a column from the result of its SELECT."""
    return (
        _range(column, result.rows, choice) if column.kind.is_range else _values(column, result.rows, choice)
    )


def _values(column: ShownColumn, rows: Sequence[Sequence[str | None]], choice: Choice) -> Facet:
    frequent = rows[:MOST_VALUES]
    most = max((int(count or 0) for _, count in frequent), default=1)
    groups, empty = [], None
    for value, text in frequent:
        count = int(text or 0)
        if value is None:
            empty = _empty(column, count, most, choice)
        else:
            filter_ = filter_of(column, Comparison.IS, value) if len(value) <= LONGEST_VALUE else None
            is_chosen = filter_ is not None and choice.has(filter_)
            after = None if filter_ is None else choice.toggled(filter_)
            groups.append(Group(value, count, _share(count, most), is_chosen, after))
    return Facet(column, tuple(groups), empty, more=len(rows) > MOST_VALUES)


def _range(column: ShownColumn, rows: Sequence[Sequence[str | None]], choice: Choice) -> Facet:
    most = max((int(count or 0) for *_, count in rows), default=1)
    groups: list[Group] = []
    empty, edges = None, []
    for bucket, low, high, text in rows:
        count = int(text or 0)
        if bucket is None or low is None or high is None:
            empty = _empty(column, count, most, choice)
            continue
        edges += [low, high]
        groups += [_NO_ROWS] * (int(bucket) - len(groups))
        bounds = filter_of(column, Comparison.FROM, low), filter_of(column, Comparison.TO, high)
        label = low if low == high else f"{low} to {high}"
        is_chosen = all(map(choice.has, bounds))
        after = choice.without(bounds) if is_chosen else choice.with_filters(*bounds)
        groups.append(Group(label, count, _share(count, most), is_chosen, after))
    ends = (edges[0], edges[-1]) if edges else (None, None)
    return Facet(column, tuple(groups), empty, *ends)


def _empty(column: ShownColumn, count: int, most: int, choice: Choice) -> Group:
    filter_ = filter_of(column, Comparison.EMPTY, "yes")
    return Group("(empty)", count, _share(count, most), choice.has(filter_), choice.toggled(filter_))


def _share(count: int, most: int) -> float:
    return round(count / most * 100, 1)
