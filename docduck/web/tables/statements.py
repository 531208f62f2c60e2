"""The SQL of a table's page; names are quoted, and values are literals of their column's kind."""

from __future__ import annotations

from collections.abc import Iterable

from docduck.warehouse.names import DOCUMENTS, literal, quoted
from docduck.web.tables.choice import Choice, Comparison, Filter
from docduck.web.tables.shown_table import Kind, ShownColumn, ShownTable

PAGE_ROWS = 100
"""Of a page."""
MOST_VALUES = 15
"""Of a facet."""
BUCKETS = 16


def select(table: ShownTable, choice: Choice, number_of_rows: int | None = None) -> str:
    """Return the SELECT of all rows of a choice, or of its page of ``number_of_rows``."""
    lines = [f"SELECT *\nFROM {table.sql_name}", _where(choice.filters), _order(table, choice)]
    if number_of_rows is not None:
        lines.append(f"LIMIT {number_of_rows} OFFSET {(choice.page - 1) * number_of_rows}")
    return "\n".join(filter(None, lines))


def count(table: ShownTable, choice: Choice) -> str:
    """Return the SELECT of how many rows are chosen, and how many there are."""
    condition = _condition(choice.filters)
    chosen = f"count(*) FILTER (WHERE {condition})" if condition else "count(*)"
    return f"SELECT {chosen}, count(*) FROM {table.sql_name}"


def facet(table: ShownTable, choice: Choice, column: ShownColumn) -> str:
    """Return the SELECT of a column's facet, without the filters of the column itself.

    For numbers and dates: the least and greatest value and the rows of each bucket. For others: the most
    frequent values and their rows; the last row is one more than is shown.
    """
    where = _where([filter_ for filter_ in choice.filters if filter_.column != column])
    name = quoted(column.name)
    value = f"unnest({name})" if column.kind is Kind.LIST else _value(column)
    values = f"SELECT {value} AS value FROM {table.sql_name} {where}"
    if column.kind is Kind.LIST:
        # ``unnest`` leaves out rows without a list.
        empty = _where([*(filter_ for filter_ in choice.filters if filter_.column != column), _empty(column)])
        values += f" UNION ALL SELECT NULL FROM {table.sql_name} {empty}"
    if not column.kind.is_range:
        return (
            f"SELECT value, count(*) AS rows FROM ({values}) GROUP BY value"
            f" ORDER BY rows DESC, value LIMIT {MOST_VALUES + 1}"
        )
    number = "value::DOUBLE" if column.kind is Kind.NUMBER else "epoch(value)"
    share = f"({number} - low) / nullif(high - low, 0) * {BUCKETS}"
    return (
        f"WITH chosen AS ({values}),"
        f" edges AS (SELECT min({number}) AS low, max({number}) AS high FROM chosen)"
        f" SELECT CASE WHEN value IS NOT NULL THEN coalesce(least(floor({share}), {BUCKETS - 1}), 0)::INTEGER"
        " END AS bucket, min(value), max(value), count(*) FROM chosen, edges GROUP BY bucket ORDER BY bucket"
    )


def _where(filters: Iterable[Filter]) -> str:
    condition = _condition(filters)
    return f"WHERE {condition}" if condition else ""


def _condition(filters: Iterable[Filter]) -> str:
    by_column: dict[ShownColumn, list[Filter]] = {}
    for filter_ in filters:
        by_column.setdefault(filter_.column, []).append(filter_)
    return "\n  AND ".join(_of_column(column, several) for column, several in by_column.items())


def _of_column(column: ShownColumn, filters: list[Filter]) -> str:
    parts = [
        _compared(filter_) for filter_ in filters if filter_.test not in (Comparison.IS, Comparison.EMPTY)
    ]
    alternatives = []
    if values := [_literal(column, filter_.value) for filter_ in filters if filter_.test is Comparison.IS]:
        listed = ", ".join(values)
        name = quoted(column.name) if column.kind is Kind.TEXT else _value(column)
        is_list = column.kind is Kind.LIST
        alternatives.append(f"list_has_any({name}, [{listed}])" if is_list else f"{name} IN ({listed})")
    if any(filter_.test is Comparison.EMPTY for filter_ in filters):
        alternatives.append(f"{_value(column)} IS NULL")
    if alternatives:
        parts.append(alternatives[0] if len(alternatives) == 1 else f"({' OR '.join(alternatives)})")
    return "\n  AND ".join(parts)


def _compared(filter_: Filter) -> str:
    if filter_.test is Comparison.CONTAINS:
        name = quoted(filter_.column.name)
        text = {Kind.TEXT: name, Kind.LIST: f"array_to_string({name}, ', ')"}.get(
            filter_.column.kind, f"{name}::VARCHAR"
        )
        return f"contains(lower({text}), lower({literal(filter_.value)}))"
    sign = ">=" if filter_.test is Comparison.FROM else "<="
    return f"{_value(filter_.column)} {sign} {_literal(filter_.column, filter_.value)}"


def _value(column: ShownColumn) -> str:
    """Return a column's value as it is compared: the day of a moment, and NULL for an empty text."""
    name = quoted(column.name)
    return {Kind.MOMENT: f"{name}::DATE", Kind.TEXT: f"nullif({name}, '')"}.get(column.kind, name)


def _literal(column: ShownColumn, value: str) -> str:
    if column.kind in (Kind.NUMBER, Kind.BOOLEAN):
        return value
    return f"DATE {literal(value)}" if column.kind in (Kind.DATE, Kind.MOMENT) else literal(value)


def _empty(column: ShownColumn) -> Filter:
    return Filter(column, Comparison.EMPTY, "yes")


def _order(table: ShownTable, choice: Choice) -> str:
    names = [column.name for column in table.columns]
    ties = [quoted(name) for name in ("document_id", "row_number") if name in names and name != choice.sort]
    if choice.sort:
        ties.insert(0, f"{quoted(choice.sort)} {'DESC' if choice.is_descending else 'ASC'} NULLS LAST")
    elif table.name == DOCUMENTS:
        ties.insert(0, '"created_at" DESC')
    return f"ORDER BY {', '.join(ties)}" if ties else ""
