"""Stories of an RTF file: runs of paragraphs with their tables, notes and text boxes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate

from docduck.documents.formats.flow.blocks import Align, Block, Paragraph, Table, TableCell, TabStop
from docduck.documents.formats.flow.list_labels import BULLET

_MAX_CELLS = 1000


@dataclass(slots=True)
class ParagraphFormat:
    """The format of a paragraph; ``depth`` counts the tables that it is in."""

    depth: int = 0
    heading: int = 0
    align: Align = "left"
    tabs: tuple[TabStop, ...] = ()


@dataclass(slots=True)
class RowFormat:
    """A row's definition: for each cell whether it continues the one to its left, and the one above."""

    merges: list[tuple[bool, bool]] = field(default_factory=list)
    header: bool = False
    _left: bool = False
    _above: bool = False

    def apply(self, word: str) -> None:
        """Apply a control word of a row's definition."""
        if word == "trhdr":
            self.header = True
        elif word == "clmrg":
            self._left = True
        elif word == "clvmrg":
            self._above = True
        elif word == "cellx":
            if len(self.merges) < _MAX_CELLS:
                self.merges.append((self._left, self._above))
            self._left = self._above = False


@dataclass(slots=True)
class _OpenTable:
    """A table that is being filled: the open row's cells, the open cell's blocks.

    ``above`` is the last cell of the rows that begins at each column.
    """

    table: Table = field(default_factory=Table)
    cells: list[TableCell] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    above: dict[int, TableCell] = field(default_factory=dict)

    def end_cell(self) -> None:
        self.cells.append(TableCell(self.blocks))
        self.blocks = []

    def end_row(self, definition: RowFormat) -> None:
        row: list[TableCell] = []
        column = 0
        for index, cell in enumerate(self.cells):
            left, above = definition.merges[index] if index < len(definition.merges) else (False, False)
            cell.header = definition.header
            if left and row:
                row[-1].columns += 1
                column += 1
            elif above and column in self.above:
                self.above[column].rows += 1
            else:
                row.append(cell)
                column += cell.columns
        self.table.rows.append(row)
        starts = accumulate((cell.columns for cell in row), initial=0)
        self.above.update(zip(starts, row, strict=False))
        self.cells = []


@dataclass(slots=True)
class Story:
    """The body, a header, a note or a text box; ``open_tables`` are its unfinished tables by depth."""

    role: str = ""
    blocks: list[Block] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    label: str = ""
    notes: list[str] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)
    open_tables: dict[int, _OpenTable] = field(default_factory=dict)

    def end_paragraph(self, form: ParagraphFormat, always: bool = True) -> None:
        """End the open paragraph; an empty one is dropped unless ``always``."""
        text = "".join(self.parts).strip(" \n")
        self.end_tables(form.depth)
        target = self._open_table(form.depth).blocks if form.depth else self.blocks
        if text.strip() or self.notes or always:
            label = self.label if text.strip() else ""
            label = BULLET if label and not any(char.isalnum() for char in label) else label
            item = 1 if label and not form.heading else 0
            target.append(Paragraph(text, form.heading, item, label, form.align, 0.0, form.tabs, self.notes))
        target += self.boxes
        self.parts, self.label, self.notes, self.boxes = [], "", [], []

    def end_cell(self, form: ParagraphFormat) -> None:
        """End the open cell of the table at the paragraph's depth."""
        self.end_paragraph(form, always=False)
        self.end_tables(form.depth)
        self._open_table(form.depth).end_cell()

    def end_row(self, depth: int, definition: RowFormat) -> None:
        """End the open row of the table at ``depth``."""
        table = self.open_tables.get(depth)
        if table is not None and table.cells:
            table.end_row(definition)

    def end_tables(self, depth: int) -> None:
        """End the tables deeper than ``depth``."""
        for deeper in sorted((level for level in self.open_tables if level > depth), reverse=True):
            inner = self.open_tables.pop(deeper)
            if inner.cells or inner.blocks:
                rest = [TableCell(inner.blocks)] if inner.blocks else []
                inner.table.rows.append([*inner.cells, *rest])
            outer = self.open_tables.get(deeper - 1)
            if inner.table.rows:
                (outer.blocks if outer is not None else self.blocks).append(inner.table)

    def _open_table(self, depth: int) -> _OpenTable:
        return self.open_tables.setdefault(depth, _OpenTable())
