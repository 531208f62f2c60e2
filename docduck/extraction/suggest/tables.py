"""Tables that a document shows: from the format if it defines them, else rows aligned under a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from docduck.documents.document import Grid, Page
from docduck.extraction.lexicon import Concept, concepts
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import PageView, Row, Segment
from docduck.extraction.reading import reading_of
from docduck.extraction.suggest.naming import Names, cleaned, is_name
from docduck.extraction.suggest.types import OF_KINDS, type_of_column
from docduck.fields import Field, FieldType

_LEAST_COLUMNS, _LEAST_ROWS = 3, 2
_MOST_MISSES = 3
_MOST_NAME_WORDS = 5
_LABELS, _HEADS, _HEADING = 0.8, 0.9, 0.5
"""Probabilities from which texts side by side label values, from which they head even one row of a table, and
from which a line is a heading."""
_PARTS = frozenset(
    {"debit", "credit", "running_balance", "transaction_text", "transaction_amount", "value_date"}
)
_ITEMS = frozenset({"description", "sku", "quantity", "unit_price", "line_total"})


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as printed: names of columns, their cells, the rows of the page that it takes, its title."""

    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    rows: frozenset[int] = frozenset()
    title: str = ""

    @property
    def heads(self) -> frozenset[int]:
        """The row of its names."""
        return frozenset([min(self.rows)]) if self.rows else frozenset()


def find_tables(page: Page, view: PageView, locale: Locale) -> list[PrintedTable]:
    """Return the tables of a page."""
    grids = [seen for grid in page.grids if (seen := _of_grid(grid, view))]
    return grids or _printed(view, locale)


def as_field(seen: PrintedTable, names: Names, locale: Locale) -> Field:
    """Return a table field, whose columns are called as they are printed."""
    own = Names()
    known: set[str] = set()
    columns = []
    for header, values in zip(seen.header, seen.columns, strict=True):
        concept = _concept(header)
        type_ = type_of_column(values, locale)
        if concept is not None and concept.name not in known:
            known.add(concept.name)
            type_ = OF_KINDS.get(concept.kind, FieldType.TEXT)
        columns.append(Field(name=own.take(cleaned(header)), type=type_))
    return Field(name=names.take(_name(known, seen.title)), type=FieldType.TABLE, columns=tuple(columns))


def _name(known: set[str], title: str) -> str:
    if len(known & _PARTS) >= 2:
        return "Transactions"
    return "Line Items" if len(known & _ITEMS) >= 2 else title or "Table"


def _concept(header: str) -> Concept | None:
    form = key(header)
    return next((c for c in concepts("columns").values() if form in c.labels or form in c.names), None)


def _of_grid(grid: Grid, view: PageView) -> PrintedTable | None:
    if grid.continued or len(grid.rows) <= _LEAST_ROWS or len(grid.rows[0]) < 2:
        return None
    header = tuple(cell.text for cell in grid.rows[0])
    if sum(bool(text.strip()) for text in header) < 2 or any(
        len(t.split()) > 2 * _MOST_NAME_WORDS for t in header
    ):
        return None
    named = [index for index, text in enumerate(header) if text.strip()]
    columns = tuple(tuple(row[index].text for row in grid.rows[1:]) for index in named)
    top, bottom = grid.box.top * view.height, grid.box.bottom * view.height
    rows = frozenset(row.index for row in view.rows if top - 1 <= row.middle <= bottom + 1)
    title = _title(view, min(rows)) if rows else ""
    return PrintedTable(tuple(header[index] for index in named), columns, rows, title)


def _printed(view: PageView, locale: Locale) -> list[PrintedTable]:
    tables: list[PrintedTable] = []
    at = 0
    while at < len(view.rows):
        seen = _under(view, at, locale)
        if seen is None:
            at += 1
        else:
            tables.append(seen)
            at = max(seen.rows) + 1
    return tables


def _under(view: PageView, at: int, locale: Locale) -> PrintedTable | None:
    """Return the table whose header is row ``at``."""
    header = view.rows[at].segments
    if len(header) < _LEAST_COLUMNS or any(_is_no_name(segment) for segment in header):
        return None
    reading = reading_of(view)
    labels, heads = (mean(reading.kind(s.index, kind) for s in header) for kind in ("label", "head"))
    if labels >= _LABELS:
        return None
    cells: list[list[str]] = [[] for _ in header]
    taken, misses, rows = {at}, 0, 0
    for row in view.rows[at + 1 :]:
        columns = _columns(row, header)
        if len(set(columns.values())) >= max(2, len(header) - 2) and len(columns) == len(row.segments):
            for segment, index in columns.items():
                cells[index].append(segment.text)
            rows, misses = rows + 1, 0
            if 2 * len(columns) > len(header):
                taken.update(range(max(taken), row.index + 1))
        else:
            misses += 1
            if misses > _MOST_MISSES:
                break
    if rows < (1 if heads >= _HEADS else _LEAST_ROWS) or all(
        type_of_column(texts, locale) is FieldType.TEXT for texts in cells
    ):
        return None
    return PrintedTable(
        tuple(s.text for s in header),
        tuple(tuple(texts) for texts in cells),
        frozenset(taken),
        _title(view, at),
    )


def _title(view: PageView, at: int) -> str:
    """Return the heading printed alone above row ``at``, as a name; empty if there is none."""
    above = view.rows[at - 1].segments if at else ()
    if len(above) != 1 or reading_of(view).kind(above[0].index, "heading") < _HEADING:
        return ""
    name = cleaned(above[0].text)
    return name if is_name(name) else ""


def _is_no_name(segment: Segment) -> bool:
    text = segment.text
    return (
        len(segment.tokens) > _MOST_NAME_WORDS
        or text.endswith(":")
        or sum(c.isalpha() for c in text) < 2 * sum(c.isdigit() for c in text)
        or not any(c.isalpha() or c == "#" for c in text)
    )


def _columns(row: Row, header: Sequence[Segment]) -> dict[Segment, int]:
    """Return for each segment of a row the header above it; of two, the one it overlaps more."""
    columns = {}
    for segment in row.segments:
        overlaps = [min(segment.right, h.right) - max(segment.left, h.left) for h in header]
        best = max(range(len(header)), key=lambda index: overlaps[index])
        if overlaps[best] > 0:
            columns[segment] = best
    return columns
