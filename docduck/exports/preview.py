"""The first rows of an export: sheets as they are laid out for files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docduck.exports.model import ExportDocument
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Convert, Row, sheets
from docduck.exports.values import json_ready
from docduck.ids import each_unique


@dataclass(frozen=True, slots=True)
class SheetPreview:
    """The first rows of a sheet; a row has a value for each column."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of an export's sheets; ``is_cut`` if it has more."""

    sheets: Sequence[SheetPreview]
    is_cut: bool


def first_rows(
    documents: Iterable[ExportDocument],
    plan: ExportPlan,
    most_rows: float,
    most_bytes: float,
    convert: Convert = json_ready,
) -> Preview:
    """Return the first rows, over all sheets at most ``most_rows``, with values by ``convert``.

    As JSON they have at most ``most_bytes``. No more documents are read than that takes. Nested documents are
    shown as the sheets of ``all_sheets``.
    """
    layout = sheets(plan)
    readers = [sheet.reader(lambda column: convert) for sheet in layout]
    rows: list[list[Row]] = [[] for _ in layout]
    parts = ((place, read(document)) for document in documents for place, read in enumerate(readers))
    is_cut = _fill(rows, parts, most_rows, most_bytes)
    names = each_unique(sheet.name for sheet in layout)
    previews = [
        SheetPreview(name, [column.name for column in sheet.columns], kept)
        for name, sheet, kept in zip(names, layout, rows, strict=True)
    ]
    return Preview(previews, is_cut)


def _fill(
    rows: Sequence[list[Row]], parts: Iterable[tuple[int, Iterable[Row]]], most_rows: float, most_bytes: float
) -> bool:
    """Add rows to their sheets until a limit is reached; return whether there are more."""
    rows_left, bytes_left = most_rows, most_bytes
    for place, read_rows in parts:
        for row in read_rows:
            size = len(json.dumps(row, ensure_ascii=False).encode())
            if not rows_left or size > bytes_left:
                return True
            rows[place].append(row)
            rows_left, bytes_left = rows_left - 1, bytes_left - size
    return False
