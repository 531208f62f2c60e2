"""Values of tables that the file format defines: spreadsheets, office files, HTML."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docduck.documents.document import Cell, Document
from docduck.extraction.extractor import Findings, TableRows
from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.extractors.structured.label_match import as_label, label_weight, sure_forms
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, squeeze, words_of
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, locale_of
from docduck.extraction.result import Finding, Location
from docduck.extraction.values.numbers import column_signs, side_of_cell
from docduck.fields import FieldType

_CELL, _BESIDE = 0.97, 0.93
"""Confidence in a cell under its header, and in a cell beside its label."""
_HEADER_SEARCH = 30
"""Rows from a grid's top in which its header is looked for."""
_CERTAIN = 0.95
"""The weight from which a label alone decides."""
_LIKE = 0.6

Place = tuple[int, Cell]
"""The number of a page and a cell on it."""
Line = list[Place]
Spot = tuple[int, int, int]
"""A table, a line of it and a position on that, by their indices."""


@dataclass(slots=True)
class _Head:
    """A header found: the rows after it, and the position of each column."""

    body: list[Line]
    positions: Mapping[str, int]
    score: float


class GridFields:
    """The tables of one document, continued ones joined."""

    def __init__(self, document: Document, options: ExtractOptions) -> None:
        self.tables = list(_tables(document))
        self.options = options
        self.locale: Locale = locale_of(document.text, options.locale)

    def find(self, queries: Sequence[FieldQuery]) -> Findings:
        """Return findings for tables whose columns are headers, and for scalars whose labels are cells."""
        findings = Findings()
        for query in queries:
            if query.type is FieldType.TABLE:
                rows = self._rows(query.columns) if self.options.tables != "disabled" else []
                if rows:
                    findings.tables[query.name] = rows
                continue
            finding = self._beside(query)
            if finding is not None:
                findings.scalars[query.name] = finding
        return findings

    def _rows(self, targets: Sequence[FieldQuery]) -> TableRows:
        heads = [head for table in self.tables if (head := _header(table, targets)) is not None]
        if not heads:
            return []
        best = max(heads, key=lambda head: head.score)
        alike = [
            h for h in heads if len(h.positions.keys() & best.positions.keys()) >= 0.75 * len(best.positions)
        ]
        rows = [row for head in alike for row in self._body(head, targets)]
        for target in targets:
            if target.type is FieldType.CURRENCY:
                self._sign([row[target.name] for row in rows if target.name in row])
        return rows if any(len(row) > 1 or len(targets) == 1 for row in rows) else []

    def _sign(self, cells: Sequence[Finding]) -> None:
        """Make the amounts of a column negative that marks of debits or credits say are."""
        sides = [side_of_cell(cell.raw_text or "", self.locale.decimal) for cell in cells]
        for cell, sign in zip(cells, column_signs(sides), strict=True):
            cell.value *= sign

    def _body(self, head: _Head, targets: Sequence[FieldQuery]) -> Iterator[dict[str, Finding]]:
        named = {target.name: target for target in targets}
        first = min(head.positions.values())
        blank = False
        for line in head.body:
            if not any(cell.text.strip() for _, cell in line):
                blank = True
                continue
            row = {
                name: cell
                for name, at in head.positions.items()
                if at < len(line) and (cell := self._cell(named[name], line[at])) is not None
            }
            whole = 2 * len(row) > len(head.positions)
            if _says_sum(line, first) or (blank and not whole):
                if blank:
                    return
                continue
            if row and not _is_section(line, len(head.positions)) and not _repeats(line, head):
                yield {target.name: row[target.name] for target in targets if target.name in row}

    def _cell(self, query: FieldQuery, place: Place) -> Finding | None:
        number, cell = place
        if cell.merged and not cell.text.strip():
            return None
        value = self._value(query, cell, in_column=True)
        if value is None:
            return None
        where = Location(number, cell.box, squeeze(cell.text))
        return Finding(value, _CELL, (where,), cell.text, "structured")

    def _value(self, query: FieldQuery, cell: Cell, in_column: bool = False) -> Any:
        """Return the value of a cell: its own date, whatever it shows of it, or what its text is read as."""
        if query.type is FieldType.DATE and cell.date:
            return cell.date
        return from_text(query.field, cell.text, self.locale, in_column)

    def _beside(self, query: FieldQuery) -> Finding | None:
        """Return the value right of the label, or below it in a table of two rows; None if several differ."""
        findings: list[Finding] = []
        for number, index, at in self._labelled(query):
            table = self.tables[number]
            line = table[index]
            below = table[index + 1] if len(table) == 2 and index == 0 else None
            place = below[at] if below and len(line) > 2 else _right_of(line, at)
            if place is None or place[1].text.rstrip().endswith(":"):
                continue
            value = self._value(query, place[1])
            if value is not None:
                where = Location(place[0], place[1].box, squeeze(place[1].text))
                findings.append(Finding(value, _BESIDE, (where,), place[1].text, "structured"))
        if findings and all(finding.value == findings[0].value for finding in findings):
            return findings[0]
        return None

    def _labelled(self, query: FieldQuery) -> list[Spot]:
        """Return the cells that are certainly labels of a field, in reading order."""
        spots = (self._spots.get(form, ()) for form in sure_forms(query, _CERTAIN))
        return sorted({spot for some in spots for spot in some})

    @cached_property
    def _spots(self) -> dict[tuple[str, bool], list[Spot]]:
        """Where cells of each form are, whole and without what is in brackets."""
        spots: dict[tuple[str, bool], list[Spot]] = defaultdict(list)
        for number, table in enumerate(self.tables):
            for index, line in enumerate(table):
                for at, (_, cell) in enumerate(line):
                    read = None if cell.merged else as_label(cell.text)
                    if read is not None:
                        spots[read.whole, True].append((number, index, at))
                        spots[read.bare, False].append((number, index, at))
        return spots


def _tables(document: Document) -> Iterator[list[Line]]:
    """Yield the lines of each table, those of its parts on later pages after the first."""
    current: list[Line] = []
    for page in document.pages:
        for grid in page.grids:
            if not grid.continued and current:
                yield current
                current = []
            current += [[(page.number, cell) for cell in row] for row in grid.rows]
    if current:
        yield current


def _header(table: Sequence[Line], targets: Sequence[FieldQuery]) -> _Head | None:
    """Return the best header among the first rows of a table, of one row or two."""
    best: _Head | None = None
    for index, line in enumerate(table[:_HEADER_SEARCH]):
        texts = [cell.text for _, cell in line]
        above = [cell.text for _, cell in table[index - 1]] if index else []
        for forms in ([[text] for text in texts], _stacked(above, texts)):
            positions, score = _assign(forms, targets)
            enough = len(positions) >= min(2, len(targets)) and 2 * len(positions) >= len(targets)
            if enough and index + 1 < len(table) and (best is None or score > best.score):
                best = _Head(list(table[index + 1 :]), positions, score)
    return best


def _stacked(above: Sequence[str], texts: Sequence[str]) -> list[list[str]]:
    """Return the texts of each column's header in two rows: both rows together, or the lower one alone."""
    return [
        [f"{upper} {text}", text] if upper and upper != text else [text]
        for upper, text in zip(above, texts, strict=False)
    ]


def _assign(forms: Sequence[Sequence[str]], targets: Sequence[FieldQuery]) -> tuple[dict[str, int], float]:
    """Return the position of each column that a header names, and the sum of their weights."""
    offers = sorted(
        (
            (max(label_weight(target, form) for form in texts), -at, target.name)
            for at, texts in enumerate(forms)
            for target in targets
        ),
        reverse=True,
    )
    positions: dict[str, int] = {}
    total = 0.0
    for weight, minus, name in offers:
        if weight < _LIKE or name in positions or -minus in positions.values():
            continue
        positions[name] = -minus
        total += weight
    left = [t for t in targets if t.name not in positions and t.field.type is FieldType.TEXT]
    if positions and len(left) == 1 and forms and 0 not in positions.values() and not forms[0][0].strip():
        positions[left[0].name] = 0
    return positions, total


def _right_of(line: Line, at: int) -> Place | None:
    """Return the next cell to the right with a text of its own."""
    for place in line[at + 1 : at + 5]:
        text = place[1].text.strip()
        if text and text != line[at][1].text.strip():
            return place
    return None


def _says_sum(line: Line, first: int) -> bool:
    """Whether a row is a sum: its first words say so, in one of the first columns."""
    for at, (_, cell) in enumerate(line):
        if cell.text.strip():
            words = [key(word) for word in words_of(cell.text)]
            return at <= first + 1 and bool(words) and len(words) <= 4 and words[0] in word_set("sum_words")
    return False


def _is_section(line: Line, columns: int) -> bool:
    """Whether a row is a heading over the rows below: one text across the table."""
    texts = {cell.text.strip() for _, cell in line if cell.text.strip()}
    return columns > 1 and len(texts) == 1 and any(cell.merged for _, cell in line)


def _repeats(line: Line, head: _Head) -> bool:
    """Whether a row is the header once more, at the top of a new page."""
    return any(cell.header for _, cell in line) and len(head.positions) > 1 and not any(
        char.isdigit() for _, cell in line for char in cell.text
    )  # fmt: skip
