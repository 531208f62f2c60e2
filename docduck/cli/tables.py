"""Tables on stdout: fitted to a terminal, or at full width in a pipe or file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from docduck.cli.output import console, moment, print_json, say, shown
from docduck.ids import is_uuid

_GAP = 2
_SHORTEST = 10
"""Words may be broken down to this column width; ids never are."""


Column: TypeAlias = str | Callable[[Any], Any]
"""The place of a cell in its row, such as ``review.assignee.email``, or what returns the cell."""

Columns: TypeAlias = Mapping[str, Column]
"""Columns by their headings."""


def print_rows(
    rows: Iterable[Any],
    columns: Columns,
    json: bool = False,
    *,
    whole: Any = None,
    title: str | None = None,
) -> None:
    """Print rows, or what they are the rows of, as JSON, or as a table."""
    rows = [*rows]
    if json:
        print_json(rows if whole is None else whole)
        return
    cells = [[_cell(row, column) for column in columns.values()] for row in rows]
    print_table([*columns], cells, title)


def print_page(page: Mapping[str, Any], columns: Columns, json: bool) -> None:
    """Print a page of a list, and how many rows of it there are."""
    print_rows(page["data"], columns, json, whole=page)
    if not json:
        say(f"{len(page['data'])} of {page['pagination']['total']}")


def _cell(row: Any, column: Column) -> Any:
    """Return the cell; None where a part of its place is missing."""
    if not isinstance(column, str):
        return column(row)
    value, name = row, ""
    for name in column.split("."):
        if value is not None:
            value = value.get(name) if isinstance(value, Mapping) else getattr(value, name)
    # The API's names of moments.
    return moment(value) if isinstance(value, str) and (name == "at" or name.endswith("At")) else value


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    """Print rows under headings, or as a list of records if they are too wide for the terminal.

    Nothing is truncated, and values are never treated as markup.
    """
    values = [list(row) for row in rows]
    cells = [[shown(cell) for cell in row] for row in values]
    numeric = [_is_numeric(row[i] for row in values) for i in range(len(columns))]
    natural = [max(cell_len(row[i]) for row in [columns, *cells]) for i in range(len(columns))]
    if title is not None:
        console.print(Text(f"\n{title}", "bold"))
    if not console.is_terminal:
        for row in [list(columns), *cells]:
            padded = [_padded(*cell) for cell in zip(row, natural, numeric, strict=True)]
            console.file.write((" " * _GAP).join(padded).rstrip() + "\n")
        return
    widths = _fitted(
        natural, [_smallest_width(columns[i], cells, i) for i in range(len(columns))], console.width
    )
    if widths is None:
        _print_records(columns, cells)
    else:
        _print_grid(columns, cells, widths, numeric)


def _print_grid(
    columns: Sequence[str], cells: Sequence[Sequence[str]], widths: Sequence[int], numeric: Sequence[bool]
) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold", show_edge=False)
    for name, width, right in zip(columns, widths, numeric, strict=True):
        table.add_column(Text(name), width=width, overflow="fold", justify="right" if right else "left")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def _print_records(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    names = min(max(cell_len(name) for name in columns), max(_SHORTEST, console.width // 3))
    for number, row in enumerate(cells, start=1):
        console.print(Text(f"row {number}", "dim"))
        values = max(_SHORTEST, console.width - names - _GAP)
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=False, show_edge=False)
        table.add_column(width=names, overflow="fold", style="bold")
        table.add_column(width=values, overflow="fold")
        for name, cell in zip(columns, row, strict=True):
            table.add_row(Text(name), Text(cell))
        console.print(table)


def _smallest_width(name: str, cells: Sequence[Sequence[str]], column: int) -> int:
    """Return the smallest width of a column."""
    words = {word for row in cells for word in row[column].split()} | set(name.split())
    return max(
        (cell_len(word) if is_uuid(word) else min(cell_len(word), _SHORTEST) for word in words), default=1
    )


def _fitted(natural: Sequence[int], least: Sequence[int], width: int) -> list[int] | None:
    """Return widths that fit into ``width``, the widest columns narrowed first; None if it is too small."""
    room = width - _GAP * (len(natural) - 1)
    if sum(least) > room:
        return None
    widths = list(natural)
    while (excess := sum(widths) - room) > 0:
        widest = max((i for i in range(len(widths)) if widths[i] > least[i]), key=widths.__getitem__)
        others = [w for i, w in enumerate(widths) if i != widest and widths[i] > least[i]]
        step = max(1, widths[widest] - max(others, default=least[widest]))
        widths[widest] -= min(excess, step, widths[widest] - least[widest])
    return widths


def _is_numeric(values: Iterable[Any]) -> bool:
    present = [value for value in values if value is not None]
    return bool(present) and all(
        isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in present
    )


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
