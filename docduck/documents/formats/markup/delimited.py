"""Delimited text (RFC 4180 and variants) with detected delimiter and encoding."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from docduck.documents.detection.delimiters import find_delimiter, most_common_delimiter
from docduck.documents.detection.encoding import decode_text
from docduck.documents.formats.flow.pages import PageDraft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.sheets.sheet_pages import (
    CellBudget,
    Cells,
    Sheet,
    SheetCell,
    SheetPages,
    clean_cell_text,
    numbered_rows,
)

_DECLARED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


class DelimitedReader(FlowReader):
    """Reads CSV and TSV as a sheet."""

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[PageDraft]:
        """Return a page for every ``sheets.ROWS`` rows."""
        text = decode_text(data).replace("\x00", "")
        declared = _DECLARED.match(text)
        delimiter = declared[1] if declared else find_delimiter(text) or most_common_delimiter(text)
        source = io.StringIO(text[declared.end() :] if declared else text, newline="")
        csv.field_size_limit(10 * 1024 * 1024)
        reader = csv.reader(source, delimiter=delimiter)
        budget = CellBudget(warnings)
        return SheetPages([Sheet("", numbered_rows(_rows(reader), budget, ""))], budget)


def _rows(reader: Iterator[list[str]]) -> Iterator[Cells]:
    for row in reader:
        texts = ((column, clean_cell_text(text)) for column, text in enumerate(row))
        yield [SheetCell(column, text) for column, text in texts if text]
