"""Markdown that stays whole whatever the documents and their senders put into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LONGEST_CELL = 80
MOST_COLUMNS = 12
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!])")


def escaped(value: Any, longest: int = LONGEST_CELL) -> str:
    """A value as one line of plain text, cut to ``longest`` characters, nothing in it read as markup."""
    if value is None:
        return ""
    if isinstance(value, float):
        value = f"{value:g}" if abs(value) >= 1e15 else repr(value)
    if isinstance(value, list | tuple):
        value = "; ".join("" if item is None else str(item) for item in value)
    text = " ".join(str(value).split())
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return _SPECIAL.sub(r"\\\1", text)


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """A table of ``rows`` under ``columns``, of which those past the twelfth are only counted."""
    shown = list(columns[:MOST_COLUMNS])
    heads = [escaped(column) or " " for column in shown]
    if len(columns) > len(shown):
        heads.append(f"and {len(columns) - len(shown)} more")
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in rows:
        cells = [escaped(row.get(column)) for column in shown]
        lines.append(_line(cells + [""] * (len(heads) - len(cells))))
    return "\n".join(lines)


def bullets(lines: Iterable[str], most: int = 50) -> str:
    """A list of sentences; those past ``most`` are only counted."""
    given = list(lines)
    shown = [f"- {escaped(line, 500)}" for line in given[:most]]
    if len(given) > most:
        shown.append(f"- and {len(given) - most} more")
    return "\n".join(shown)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
