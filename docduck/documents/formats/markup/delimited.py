"""Delimited text (RFC 4180 and its relatives): delimiter and encoding found out, quoted newlines kept."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.pages import Draft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.sheets import Budget, Cells, Sheet, SheetPages, clean, numbered
from docduck.documents.read_options import ReadOptions

CSV, TSV = "text/csv", "text/tab-separated-values"

_DELIMITERS = ",;\t|"
_SAMPLE = 64 * 1024
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_DECLARED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


class DelimitedReader(FlowReader):
    """Reads CSV and TSV as a sheet."""

    content_types: tuple[str, ...] = (CSV, TSV)

    def drafts(self, data: bytes, options: ReadOptions, warnings: list[str]) -> Sequence[Draft]:
        """A page for every ``sheets.ROWS`` rows."""
        text = decode_text(data).replace("\x00", "")
        declared = _DECLARED.match(text)
        delimiter = declared[1] if declared else find_delimiter(text) or _commonest(text)
        source = io.StringIO(text[declared.end() :] if declared else text, newline="")
        csv.field_size_limit(10 * 1024 * 1024)
        reader = csv.reader(source, delimiter=delimiter)
        budget = Budget(warnings)
        return SheetPages([Sheet("", numbered(_rows(reader), budget, ""))], budget)


def _rows(reader: Iterator[list[str]]) -> Iterator[Cells]:
    for row in reader:
        texts = ((column, clean(text)) for column, text in enumerate(row))
        yield [(column, text) for column, text in texts if text]


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


def _commonest(text: str) -> str:
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
