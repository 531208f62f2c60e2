"""Delimited text (RFC 4180 and its relatives): delimiter and encoding found out, quoted newlines kept."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from docduck.documents.detection.delimiters import _commonest, find_delimiter
from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.pages import Draft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.sheets import Budget, Cells, Sheet, SheetPages, clean, numbered

CSV, TSV = "text/csv", "text/tab-separated-values"

_DECLARED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


class DelimitedReader(FlowReader):
    """Reads CSV and TSV as a sheet."""

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[Draft]:
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
