"""Markdown for metadata; text from documents and their senders can't break it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MAX_CELL_LENGTH = 80
MAX_COLUMNS = 12
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$!])")


def escaped(value: Any, max_length: int = MAX_CELL_LENGTH) -> str:
    """Return a value as one line of escaped Markdown, cut to ``max_length`` characters."""
    if value is None:
        return ""
    if isinstance(value, float):
        value = f"{value:g}" if abs(value) >= 1e15 else repr(value)
    if isinstance(value, list | tuple):
        value = "; ".join("" if item is None else str(item) for item in value)
    text = " ".join(str(value).split())
    if len(text) > max_length:
        text = text[: max_length - 1] + "…"
    return _SPECIAL.sub(r"\\\1", text)


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return a table of ``rows``; columns past the twelfth are only counted."""
    shown = list(columns[:MAX_COLUMNS])
    heads = [escaped(column) or " " for column in shown]
    if len(columns) > len(shown):
        heads.append(f"and {len(columns) - len(shown)} more")
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in rows:
        cells = [escaped(row.get(column)) for column in shown]
        lines.append(_line(cells + [""] * (len(heads) - len(cells))))
    return "\n".join(lines)


def bullets(lines: Iterable[str], max_lines: int = 50) -> str:
    """Return a bulleted list; lines past ``max_lines`` are only counted."""
    all_lines = list(lines)
    shown = [f"- {escaped(line, 500)}" for line in all_lines[:max_lines]]
    if len(all_lines) > max_lines:
        shown.append(f"- and {len(all_lines) - max_lines} more")
    return "\n".join(shown)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
