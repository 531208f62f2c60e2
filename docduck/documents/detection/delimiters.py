"""Which character separates the columns of a delimited text."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

_DELIMITERS = ",;\t|"


_SAMPLE = 64 * 1024


_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def find_delimiter(text: str) -> str | None:
    """The character that parts columns: the one that stands equally often, and oftenest, in most lines.

    None when no character does so in nine lines of ten: then the text is no table.
    """
    sample = _QUOTED.sub("", text[:_SAMPLE])
    lines = [line for line in sample.splitlines() if line.strip()]
    if len(text) > _SAMPLE and len(lines) > 1:
        lines.pop()
    best, most = None, 0
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in lines)
        count, times = max(((c, t) for c, t in counts.items() if c), key=lambda one: one[1], default=(0, 0))
        if count and times >= 0.9 * len(lines) and count > most:
            best, most = delimiter, count
    return best


def most_common_delimiter(text: str) -> str:
    """The delimiter that stands in most lines, for a file whose rows differ in length."""
    lines = _QUOTED.sub("", text[:_SAMPLE]).splitlines()
    return max(_DELIMITERS, key=lambda delimiter: sum(delimiter in line for line in lines))


def regular_columns(sample: str, delimiter: str, cut: bool) -> bool:
    """Whether every row of ``sample`` has as many columns, three at least; ``cut`` leaves out the last row.

    Running text is as regular as that by chance in a few lines with commas alone, so five rows are asked for
    there, three otherwise.
    """
    rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
    if cut:
        rows = rows[:-1]
    widths = {len(row) for row in rows}
    return len(widths) == 1 and widths.pop() > 2 and len(rows) >= (5 if delimiter == "," else 3)
