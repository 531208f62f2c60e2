"""What is chosen on a table's page, as its address says: filters, order, page and facets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from urllib.parse import parse_qsl, urlencode

from docduck.errors import InputError
from docduck.extraction.values.typed_values import date_of, decimal_of
from docduck.web.tables.shown_table import Kind, ShownColumn, ShownTable

_MOST_FILTERS, _MOST_PAGE = 50, 1_000_000
_PLACES = 28
_SCIENTIFIC = re.compile(r"-?\d(\.\d{1,17})?e-?\d{1,2}")
"""As DuckDB shows small and large numbers."""
LONGEST_VALUE = 400
MOST_FACETS = 4


class Comparison(StrEnum):
    """How a filter compares the values of its column; names of the address begin with it."""

    CONTAINS = "contains"
    FROM = "from"
    TO = "to"
    IS = "is"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a column; several of ``IS`` and ``EMPTY`` on one column are alternatives."""

    column: ShownColumn
    test: Comparison
    value: str

    @property
    def key(self) -> str:
        """The filter's name in the address."""
        return f"{self.test}.{self.column.name}"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen; ``sort`` is a column's name, None for the usual order."""

    filters: tuple[Filter, ...] = ()
    sort: str | None = None
    is_descending: bool = False
    page: int = 1
    facets: tuple[str, ...] = ()
    all_columns: bool = False

    def query(self) -> str:
        """Return the choice as the query of an address; empty for the usual one."""
        pairs = [(filter_.key, filter_.value) for filter_ in self.filters]
        if self.sort:
            pairs.append(("sort", f"-{self.sort}" if self.is_descending else self.sort))
        pairs += [("facet", name) for name in self.facets]
        if self.all_columns:
            pairs.append(("columns", "all"))
        if self.page > 1:
            pairs.append(("page", str(self.page)))
        return urlencode(pairs)

    def value(self, test: str, column: str) -> str:
        """Return the value of a filter that has one; empty without."""
        return next((filter_.value for filter_ in self.filters if filter_.key == f"{test}.{column}"), "")

    def has(self, filter_: Filter) -> bool:
        """Return whether a filter is set."""
        return filter_ in self.filters

    def with_filters(self, *filters: Filter) -> Choice:
        """Return the choice with these filters in place of those of the same test and column."""
        keys = {filter_.key for filter_ in filters}
        others = (filter_ for filter_ in self.filters if filter_.key not in keys)
        return replace(self, filters=(*others, *(filter_ for filter_ in filters if filter_.value)), page=1)

    def without(self, unwanted: Collection[Filter]) -> Choice:
        """Return the choice without these filters."""
        return replace(
            self, filters=tuple(filter_ for filter_ in self.filters if filter_ not in unwanted), page=1
        )

    def toggled(self, filter_: Filter) -> Choice:
        """Return the choice with a filter added, or without it if it is set."""
        return (
            self.without([filter_])
            if self.has(filter_)
            else replace(self, filters=(*self.filters, filter_), page=1)
        )

    def sorted_by(self, column: str) -> Choice:
        """Return the choice sorted by a column: ascending, then descending, then in the usual order."""
        if self.sort != column:
            return replace(self, sort=column, is_descending=False, page=1)
        return replace(self, sort=None if self.is_descending else column, is_descending=True, page=1)

    def with_facet(self, column: str) -> Choice:
        """Return the choice with the facet of a column, or without it if it is shown."""
        facets = tuple(name for name in self.facets if name != column)
        changed = facets if column in self.facets else (*facets, column)
        return replace(self, facets=changed[-MOST_FACETS:])

    def at(self, page: int) -> Choice:
        """Return the choice at another page."""
        return replace(self, page=page)


def choice_of(table: ShownTable, pairs: Iterable[tuple[str, str]]) -> Choice:
    """Return what an address chooses; raise InputError for a column or a value that can't be."""
    filters: list[Filter] = []
    choice = Choice()
    for key, value in pairs:
        test, dot, name = key.partition(".")
        if not value:
            continue
        if dot and test in list(Comparison):
            filters.append(filter_of(table.column(name), Comparison(test), value))
        elif key == "sort":
            sort = table.column(value.removeprefix("-")).name
            choice = replace(choice, sort=sort, is_descending=value.startswith("-"))
        elif key == "facet":
            choice = choice.with_facet(table.column(value).name)
        elif key == "columns":
            choice = replace(choice, all_columns=value == "all")
        elif key == "page":
            choice = replace(choice, page=_page(value))
    if len(filters) > _MOST_FILTERS:
        raise InputError(f"A table has at most {_MOST_FILTERS} filters at a time")
    return replace(choice, filters=tuple(dict.fromkeys(filters)))


def _page(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 1 <= int(value[:9]) <= _MOST_PAGE):
        raise InputError(f"There is no page {value[:20]}", "page")
    return int(value)


def filter_of(column: ShownColumn, test: Comparison, value: str) -> Filter:
    """Return a filter, its value as SQL has it; raise InputError."""
    if len(value) > LONGEST_VALUE:
        raise InputError(f"{column.name}: a value has at most {LONGEST_VALUE} characters", column.name)
    if test is Comparison.EMPTY:
        return Filter(column, test, "yes")
    if test in (Comparison.FROM, Comparison.TO) and not column.kind.is_range:
        raise InputError(f"{column.name} has no range: its values are no numbers and no dates", column.name)
    if test is not Comparison.CONTAINS:
        value = _READ.get(column.kind, _same)(column.name, value)
    return Filter(column, test, value)


def _same(name: str, value: str) -> str:
    return value


def _number(name: str, value: str) -> str:
    number = Decimal(value) if _SCIENTIFIC.fullmatch(value) else decimal_of(value)
    if number is None or number.adjusted() >= _PLACES:
        raise InputError(f"{name}: {value!r} is not a number. Numbers are written as in 1234.50", name)
    return f"{number:f}"


def _date(name: str, value: str) -> str:
    date = date_of(value)
    if date is None:
        raise InputError(f"{name}: {value!r} is not a date. Dates are written as in 2026-01-31", name)
    return date.isoformat()


def _boolean(name: str, value: str) -> str:
    if value not in ("true", "false"):
        raise InputError(f"{name}: {value!r} is neither true nor false", name)
    return value


_READ = {Kind.NUMBER: _number, Kind.DATE: _date, Kind.MOMENT: _date, Kind.BOOLEAN: _boolean}


def controls_of(column: ShownColumn) -> tuple[Comparison, ...]:
    """Return the comparisons for which the form of filters has a control."""
    if column.kind.is_range:
        return (Comparison.FROM, Comparison.TO)
    return (Comparison.IS if column.kind is Kind.BOOLEAN else Comparison.CONTAINS,)


def kept_pairs(choice: Choice, columns: Sequence[ShownColumn]) -> list[tuple[str, str]]:
    """Return what the form of filters keeps of a choice: all that it has no control for."""
    controls = {Filter(column, test, "").key for column in columns for test in controls_of(column)}
    pairs = parse_qsl(replace(choice, page=1).query())
    return [(key, value) for key, value in pairs if key not in controls]
