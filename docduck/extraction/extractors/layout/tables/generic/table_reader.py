"""Reads the tables of a document as printed: the header by the columns' names, then the rows beneath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docduck.extraction.confidence import probability
from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.cells import cell_text, read_cell
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.generic.body_lines import group_lines
from docduck.extraction.extractors.layout.tables.generic.captions import caption_overlap
from docduck.extraction.extractors.layout.tables.generic.header_detection import TableHeader, find_headers
from docduck.extraction.extractors.layout.tables.generic.name_search import NameSearch
from docduck.extraction.extractors.layout.tables.generic.row_grouping import BodyRow, group_rows
from docduck.extraction.extractors.layout.tables.generic.ruled_lines import add_grid_lines
from docduck.extraction.extractors.layout.tables.generic.table_blocks import (
    TableBlock,
    find_table_blocks,
    headers_by_likeness,
)
from docduck.extraction.extractors.layout.tables.generic.table_body import (
    TableBody,
    continued_from,
    find_body,
)
from docduck.extraction.extractors.layout.tables.generic.table_words import page_of
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Token, locations
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

TablePart = tuple[TableHeader, TableBody, list[BodyRow]]
"""A table's part on one page."""
_ALIKE = 0.1
"""Two headers of one page are alike if their scores differ by less, for each name that they show."""
_LOOKED_AT = 8
_TITLED = 0.3
"""What a caption that the field speaks of is worth, for each name; more than two alike may differ by."""
_WORDS = frozenset({FieldType.TEXT, FieldType.CHOICE, FieldType.BOOLEAN, FieldType.LIST})


@dataclass(frozen=True, slots=True)
class TableStart:
    """Where a table begins: its header, on the page at ``index`` of the view's pages."""

    targets: Sequence[FieldTarget]
    head: TableHeader
    index: int


class GenericTableReader:
    """Finds tables by the names of their columns; one header on a page serves one table field."""

    def __init__(self, scan: DocumentAnalysis) -> None:
        self.scan = scan
        for page, view in zip(scan.document.pages, scan.view.pages, strict=True):
            add_grid_lines(view, page.grids)
        self.starts: list[TableStart] = []
        self._finders: dict[int, NameSearch] = {}
        self._blocks: dict[int, list[TableBlock]] = {}
        self._used: set[int] = set()
        self._next: dict[int, TableHeader | None] = {}
        self._parts: dict[tuple[int, int], list[TablePart]] = {}

    def start(self, table: Field, targets: Sequence[FieldTarget]) -> TableStart | None:
        """The header that shows the names of a table's columns, first on the page that the field names."""
        hinted, others = self._pages(table)
        for some in (hinted, others):
            found = self._best(table, some, lambda at: find_headers(self._finder(at), targets))
            if found is None:
                found = self._best(table, some, lambda at: self._alike(at, targets, False))
            if found is not None:
                return self._begin(targets, *found)
        return None

    def start_by_type(self, table: Field, targets: Sequence[FieldTarget]) -> TableStart | None:
        """The columns that fit the types asked where no header tells; in ``auto`` only if one block does."""
        hinted, others = self._pages(table)
        for some in (hinted, others):
            fitting = [(head, at) for at in some for head in self._alike(at, targets, True)]
            fitting = [(head, at) for head, at in fitting if not self._used & head.tokens]
            if len(fitting) == 1 or (fitting and self.scan.options.tables == "enabled"):
                return self._begin(targets, *max(fitting, key=lambda f: f[0].score))
        return None

    def _pages(self, table: Field) -> tuple[list[int], list[int]]:
        """The pages that the field names, and the others."""
        hint = page_of(table)
        pages = self.scan.view.pages
        hinted = [i for i, page in enumerate(pages) if page.number == hint] if hint else []
        return hinted, [i for i in range(len(pages)) if i not in hinted]

    def _begin(self, targets: Sequence[FieldTarget], head: TableHeader, index: int) -> TableStart:
        start = TableStart(targets, head, index)
        self.starts.append(start)
        self._used |= head.tokens
        return start

    def _best(
        self, table: Field, pages: Sequence[int], heads: Callable[[int], Sequence[TableHeader]]
    ) -> tuple[TableHeader, int] | None:
        """The best header of some pages, by its names, what stands beneath it and the caption above it."""
        found = [(head, at) for at in pages for head in heads(at) if not self._used & head.tokens]
        found.sort(key=lambda f: -f[0].score)
        best: tuple[TableHeader, int] | None = None
        for head, at in found[:_LOOKED_AT]:
            if len(found) > 1:
                head.score *= 0.4 + 0.6 * _support(head)
                head.score += _TITLED * head.named * caption_overlap(table, head.page, head.top)
            if best is None or _better(head, best[0], at - best[1]):
                best = (head, at)
        return best

    def _alike(self, index: int, targets: Sequence[FieldTarget], by_type: bool) -> list[TableHeader]:
        page, context = self.scan.view.pages[index], TableContext(self.scan.locale)
        if index not in self._blocks:
            self._blocks[index] = find_table_blocks(page)
        return headers_by_likeness(page, self._blocks[index], targets, context, by_type)

    def parts(self, start: TableStart) -> list[TablePart]:
        """The parts of a table, one for each page that it stands on."""
        identity = (id(start), len(self.starts))
        if identity not in self._parts:
            self._parts[identity] = self._read(start)
        return self._parts[identity]

    def _read(self, start: TableStart) -> list[TablePart]:
        found: list[TablePart] = []
        head: TableHeader | None = start.head
        index = start.index
        while head is not None:
            body = find_body(head, self._stop(head, index))
            rows = group_rows(head, body)
            if rows:
                found.append((head, body, rows))
            if id(head) not in self._next:
                self._next[id(head)] = self._continued(head, body, index, start.targets)
            head = self._next[id(head)]
            index += 1
        return found

    def _finder(self, index: int) -> NameSearch:
        if index not in self._finders:
            self._finders[index] = NameSearch(self.scan.view.pages[index])
        return self._finders[index]

    def _stop(self, head: TableHeader, index: int) -> float:
        """How far down a table may reach: to the next one's header, or the page's end."""
        below = [
            other.head.top
            for other in self.starts
            if other.index == index
            and other.head is not head
            and other.head.top > head.bottom
            and other.head.left < head.right
            and head.left < other.head.right
        ]
        return min(below, default=head.page.height)

    def _continued(
        self, head: TableHeader, body: TableBody, index: int, targets: Sequence[FieldTarget]
    ) -> TableHeader | None:
        """The same header repeated on the next page, or its columns going on there without one.

        None unless the table ran to the end of its own page.
        """
        pages = self.scan.view.pages
        if index + 1 >= len(pages) or body.closed or not body.lines:
            return None
        for again in find_headers(self._finder(index + 1), targets)[:1]:
            high = again.top < 0.35 * pages[index + 1].height
            if high and again.named >= head.named and not self._used & again.tokens:
                self._used |= again.tokens
                return again
        start = continued_from(pages[index + 1], body)
        return (
            TableHeader(pages[index + 1], head.columns, start, start, head.score, head.named)
            if start
            else None
        )


def _support(head: TableHeader) -> float:
    """The share, 0–1, of the asked columns' cells that are filled in the rows beneath a header."""
    asked = [i for i, column in enumerate(head.columns) if column.target is not None]
    rows = [row for row in group_rows(head, find_body(head, head.page.height)) if not row.section]
    if not rows or not asked:
        return 0.0
    return sum(i in row.cells for row in rows for i in asked) / (len(rows) * len(asked))


def _better(head: TableHeader, best: TableHeader, pages: int) -> bool:
    """Whether a header is to be taken before another; of two that are alike, the upper one.

    ``pages`` is how many pages later than ``best`` it stands.
    """
    alike = head.named == best.named and abs(head.score - best.score) < _ALIKE * head.named
    if alike:
        return pages < 0 or (pages == 0 and head.top < best.top)
    return head.score > best.score


def findings(parts: Sequence[TablePart], targets: Sequence[FieldTarget], context: TableContext) -> TableRows:
    """The cells of a table's rows, read by the types of their columns.

    A table of words alone is given as printed, with its headings and sums; one that asks for figures or
    dates has only the rows that show some.
    """
    typed = any(t.field.type not in _WORDS for t in targets)
    found: TableRows = []
    for head, _body, rows in parts:
        height = head.page.line_height
        certainty = min(1.0, head.named / max(1, len(targets)))
        for row in rows:
            cells: dict[str, Finding] = {}
            for index, column in enumerate(head.columns):
                if column.target is None or index not in row.cells:
                    continue
                tokens = ordered(row.cells[index], height)
                value = read_cell(column.target, tokens, context)
                if value is not None:
                    weight = 0.55 + 0.3 * certainty + (0.1 if column.header_span is not None else 0.0)
                    cells[column.target.name] = _finding(value[0], value[1], weight)
            if cells and (not typed or (_shows(cells, targets) and not _is_sum(row))):
                found.append(cells)
    return found


def _shows(cells: dict[str, Finding], targets: Sequence[FieldTarget]) -> bool:
    return any(t.name in cells and t.field.type not in _WORDS for t in targets)


def _is_sum(row: BodyRow) -> bool:
    """Whether a row is labelled as the sum of others: "Total", "Zwischensumme", "Grand total"."""
    label = [key(t.text) for t in row.cells.get(0, ())]
    sums = word_set("sum_words")
    return bool(label) and ((label[0] in sums and len(label) <= 2) or (label[-1] in sums and len(label) <= 3))


def ordered(tokens: Sequence[Token], height: float) -> list[Token]:
    """A cell's words in reading order."""
    return [t for line in group_lines(tokens, height) for t in line.tokens]


def _finding(value: object, tokens: Sequence[Token], weight: float) -> Finding:
    ocr = min((t.score for t in tokens), default=1.0)
    return Finding(value, probability(0.85 * weight, ocr=ocr), locations(tokens), cell_text(tokens))
