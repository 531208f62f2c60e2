"""Figures with their limits, and the table that shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, in ``unit``; without a ``limit`` it is for information only."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    better: Literal["less", "more"] = "less"
    note: str = ""

    @property
    def passes(self) -> bool:
        """Whether the limit holds."""
        if self.limit is None:
            return True
        return self.value <= self.limit if self.better == "less" else self.value >= self.limit


def show(console: Console, title: str, figures: Iterable[Figure]) -> None:
    """Print the figures as a table."""
    table = Table(title=title, title_justify="left")
    table.add_column("figure", no_wrap=True)
    for heading in ("value", "limit"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("note")
    for figure in figures:
        sign = "≤" if figure.better == "less" else "≥"
        limit = "" if figure.limit is None else f"{sign} {figure.limit:g} {figure.unit}"
        mark = "" if figure.limit is None else "[green]pass[/]" if figure.passes else "[red]FAIL[/]"
        table.add_row(figure.name, f"{_number(figure.value)} {figure.unit}", limit, mark, figure.note)
    console.print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
