"""How commands print: tables for people, JSON for programs, and everything else to stderr."""

from __future__ import annotations

import datetime as dt
import decimal
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from docduck import clock
from docduck.service.installation import Installation, open_installation

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False)

_NARROWEST = 8
_WIDE = 4000

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


@contextmanager
def installation() -> Iterator[Installation]:
    """The installation that the settings name, closed at the end of the block."""
    inst = open_installation()
    try:
        yield inst
    finally:
        inst.close()


def print_json(value: Any, indent: int | None = 2) -> None:
    """``value`` on stdout as JSON; dataclasses become objects, moments ISO 8601."""
    typer.echo(json.dumps(value, indent=indent, ensure_ascii=False, default=_plain))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str | None = None) -> None:
    """Rows under their headings, or each row down the page when they are too wide for the screen.

    What documents hold is never taken for markup.
    """
    cells = [[shown(cell) for cell in row] for row in rows]
    if len(columns) * _NARROWEST > console.width and console.is_terminal:
        for number, row in enumerate(cells, start=1):
            print_table(["", f"row {number}"], zip(columns, row, strict=True), title)
        return
    table = Table(*columns, title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    # A pipe or file has no width: nothing is cut there.
    console.print(table, width=None if console.is_terminal else _WIDE)


def shown(value: Any) -> str:
    """A value as a cell: nothing for None, local time for a moment, no control characters."""
    if value is None:
        return ""
    if isinstance(value, dt.datetime):
        return f"{value.astimezone():%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list | tuple):
        return "; ".join(shown(item) for item in value)
    return "".join(c if c.isprintable() else " " for c in str(value))


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Any]:
    """A bar on stderr while the block runs; the block gets ``advance(done, total=None)``."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    with bar:
        task = bar.add_task(what, total=total)

        def advance(done: int, of: int | None = None) -> None:
            bar.update(task, completed=done, total=of if of is not None else total)

        yield advance


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return clock.iso(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)
