"""Detection of the delimiter of a delimited text."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

_DELIMITERS = ",;\t|"


_SAMPLE = 64 * 1024


_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def find_delimiter(text: str) -> str | None:
    """Return the delimiter that occurs equally often in most lines, the most frequent of several.

    None if there is none for nine of ten lines: then the text is no table.
    """
    sample = _QUOTED.sub("", text[:_SAMPLE])
    lines = [line for line in sample.splitlines() if line.strip()]
    if len(text) > _SAMPLE and len(lines) > 1:
        lines.pop()
    best, most = None, 0
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in lines)
        count, times = max(((c, t) for c, t in counts.items() if c), key=lambda item: item[1], default=(0, 0))
        if count and times >= 0.9 * len(lines) and count > most:
            best, most = delimiter, count
    return best


def most_common_delimiter(text: str) -> str:
    """Return the delimiter that occurs in most lines, for a file whose rows differ in length."""
    lines = _QUOTED.sub("", text[:_SAMPLE]).splitlines()
    return max(_DELIMITERS, key=lambda delimiter: sum(delimiter in line for line in lines))


def regular_columns(sample: str, delimiter: str, cut: bool) -> bool:
    """Return whether all rows have equally many columns, at least three; ``cut`` ignores the last row.

    Running text can have regular commas in a few lines by chance, so commas need five rows, others three.
    """
    rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
    if cut:
        rows = rows[:-1]
    widths = {len(row) for row in rows}
    return len(widths) == 1 and widths.pop() > 2 and len(rows) >= (5 if delimiter == "," else 3)
