"""Values of tables that the file format defines: spreadsheets, office files, HTML."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property

from docduck.documents.document import Document
from docduck.extraction.equations import TOTALS, makes_gross, product_holds
from docduck.extraction.extractor import Findings, TableRows
from docduck.extraction.extractors.layout.tables.directed import (
    amount_of,
    both_directions,
    direct,
    nearest_directions,
)
from docduck.extraction.extractors.layout.tables.products import FACTORS
from docduck.extraction.extractors.structured.grid_heads import GridHead, Line, Place, cell_value, find_head
from docduck.extraction.extractors.structured.label_match import as_label, sure_forms
from docduck.extraction.fields.field_query import FieldQuery, by_concept
from docduck.extraction.lexicon import concepts_by_label, word_set
from docduck.extraction.normal_text import key, squeeze, words_of
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.carried_sums import is_carried
from docduck.extraction.page.locale import Locale, locale_of
from docduck.extraction.result import Finding, Location
from docduck.extraction.values.numbers import column_signs, parse_number, side_of_cell
from docduck.fields import FieldType

_CELL, _BESIDE = 0.97, 0.93
"""Confidence in a cell under its header, and in a cell beside its label."""
_CERTAIN = 0.95
"""The weight from which a label alone decides."""

Spot = tuple[int, int, int]
"""A table, a line of it and a position on that, by their indices."""


class GridFields:
    """The tables of one document, continued ones joined."""

    def __init__(self, document: Document, options: ExtractOptions) -> None:
        self.tables = list(_tables(document))
        self.options = options
        self.locale: Locale = locale_of(document.text, options.locale)
        self._heads: dict[tuple[int, int], GridHead] = {}

    def find(self, queries: Sequence[FieldQuery]) -> Findings:
        """Return findings for tables whose columns are headers, and for scalars whose labels are cells."""
        findings = Findings()
        tables = [query for query in queries if query.type is FieldType.TABLE]
        for query in tables if self.options.tables != "disabled" else ():
            rows = self._rows(query.columns, findings)
            if rows:
                findings.tables[query.name] = rows
        for query in queries:
            finding = self._beside(query) if query.type is not FieldType.TABLE else None
            if finding is not None:
                findings.scalars[query.name] = finding
        return findings

    def _rows(self, columns: Sequence[FieldQuery], findings: Findings) -> TableRows:
        """Return the rows of the tables with the best header, and claim their places in ``findings``."""
        targets = [*columns, *both_directions(columns)]
        found = (find_head(number, table, targets, self.locale) for number, table in enumerate(self.tables))
        heads = [head for head in found if head is not None]
        if not heads:
            return []
        best = max(heads, key=lambda head: head.score)
        alike = [
            h for h in heads if len(h.positions.keys() & best.positions.keys()) >= 0.75 * len(best.positions)
        ]
        bodies = [self._body(head, targets) for head in alike]
        rows = [row for body in bodies for row in body]
        for target in targets:
            if target.type is FieldType.CURRENCY:
                self._sign([row[target.name] for row in rows if target.name in row])
        dated = any(t.type is FieldType.DATE and t.name in best.positions for t in targets)
        for head, body in zip(alike, bodies, strict=True):
            amount = amount_of(body, columns)
            if amount is not None:
                direct(body, nearest_directions(head.others, head.positions[amount], dated), columns)
        if not any(len(row) > 1 or len(columns) == 1 for row in rows):
            return []
        self._heads |= {head.spot: head for head in alike}
        findings.claimed += [place for head in alike for place in head.places]
        return rows

    def _sign(self, cells: Sequence[Finding]) -> None:
        """Make the amounts of a column negative that marks of debits or credits say are."""
        sides = [side_of_cell(cell.raw_text or "", self.locale.decimal) for cell in cells]
        for cell, sign in zip(cells, column_signs(sides), strict=True):
            cell.value *= sign

    def _body(self, head: GridHead, targets: Sequence[FieldQuery]) -> TableRows:
        """Return the rows below a header, each with its cells by the names of their columns."""
        rows: TableRows = []
        named = {target.name: target for target in targets}
        first = min(head.positions.values())
        blank = False
        for line in head.below:
            if not any(cell.text.strip() for _, cell in line):
                blank = True
                continue
            row = {
                name: cell
                for name, at in head.positions.items()
                if at < len(line) and (cell := self._cell(named[name], line[at])) is not None
            }
            whole = 2 * len(row) > len(head.positions)
            is_sum = (_says_sum(line, first) or _says_tax(line)) and not _is_item(row, targets)
            if is_sum or _carries(line) or (blank and not whole):
                if blank:
                    break
                continue
            if row and not _is_section(line, len(head.positions)) and not _repeats(line, head):
                head.rows.append(line)
                rows.append({target.name: row[target.name] for target in targets if target.name in row})
        return rows

    def _cell(self, query: FieldQuery, place: Place) -> Finding | None:
        number, cell = place
        if cell.merged and not cell.text.strip():
            return None
        value = cell_value(query, cell, self.locale, in_column=True)
        if value is None:
            return None
        where = Location(number, cell.box, squeeze(cell.text))
        return Finding(value, _CELL, (where,), cell.text, "structured")

    def _beside(self, query: FieldQuery) -> Finding | None:
        """Return the value right of the label, or below it in a table of two rows; None if several differ.

        Below the head of a column of rows that were read, it is what all of these have.
        """
        findings: list[Finding] = []
        for number, index, at in self._labelled(query):
            table = self.tables[number]
            line = table[index]
            head = self._heads.get((number, index))
            if head is not None and at in head.span:
                place = self._common(query, head, at)
            elif len(table) == 2 and index == 0 and len(line) > 2:
                place = table[1][at]
            else:
                place = self._total(query, line[at + 1 :]) or _right_of(line, at)
            if place is None or place[1].text.rstrip().endswith(":"):
                continue
            value = cell_value(query, place[1], self.locale)
            if value is not None:
                where = Location(place[0], place[1].box, squeeze(place[1].text))
                findings.append(Finding(value, _BESIDE, (where,), place[1].text, "structured"))
        if findings and all(finding.value == findings[0].value for finding in findings):
            return findings[0]
        return None

    def _common(self, query: FieldQuery, head: GridHead, at: int) -> Place | None:
        """Return what all rows have below a head of no column, but no amounts for a text."""
        place = head.common(at) if at not in head.positions.values() else None
        if place is None or query.type is not FieldType.TEXT:
            return place
        text = place[1].text.strip()
        is_amount = not text.isdigit() and parse_number(text.rstrip("%"), self.locale.decimal) is not None
        return None if is_amount else place

    def _total(self, query: FieldQuery, cells: Line) -> Place | None:
        """Return the total that a field asks for among net, tax and gross amounts at the end of a row."""
        concept = query.concept.name if query.concept is not None else None
        filled = [place for place in cells if place[1].text.strip() and not place[1].merged]
        numbers = [parse_number(cell.text, self.locale.decimal) for _, cell in filled[-len(TOTALS) :]]
        amounts = [number for number in numbers if number is not None]
        if concept in TOTALS and len(amounts) == len(TOTALS) and makes_gross(*amounts):
            return filled[TOTALS.index(concept) - len(TOTALS)]
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


def _says_tax(line: Line) -> bool:
    """Whether the first text of a row is a label of the tax, with or without its rate."""
    text = next((cell.text for _, cell in line if cell.text.strip()), "")
    words = [word for word in words_of(text) if not any(char.isdigit() or char == "%" for char in word)]
    return "tax_total" in concepts_by_label().get(key("".join(words)), ())


def _is_item(row: Mapping[str, Finding], targets: Sequence[FieldQuery]) -> bool:
    """Whether quantity times unit price is the amount of a row."""
    named = by_concept(targets)
    cells = [row.get(named[concept].name) for concept in FACTORS if concept in named]
    values = [Decimal(str(cell.value)) for cell in cells if cell and isinstance(cell.value, int | float)]
    return len(values) == len(FACTORS) and product_holds(*values)


def _carries(line: Line) -> bool:
    """Whether a row carries a sum over from or to another page: one text and an amount."""
    texts = list(dict.fromkeys(cell.text.strip() for _, cell in line if cell.text.strip()))
    words = [text for text in texts if any(char.isalpha() for char in text)]
    return len(texts) == 2 and len(words) == 1 and is_carried(words[0], summed=False)


def _is_section(line: Line, columns: int) -> bool:
    """Whether a row is a heading over the rows below: one text across the table."""
    texts = {cell.text.strip() for _, cell in line if cell.text.strip()}
    return columns > 1 and len(texts) == 1 and any(cell.merged for _, cell in line)


def _repeats(line: Line, head: GridHead) -> bool:
    """Whether a row is the header once more, at the top of a new page."""
    return any(cell.header for _, cell in line) and len(head.positions) > 1 and not any(
        char.isdigit() for _, cell in line for char in cell.text
    )  # fmt: skip
