"""What a flowing document is made of: paragraphs, tables and page breaks, in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Align: TypeAlias = Literal["left", "center", "right"]
ALIGNS: dict[str, Align] = {"center": "center", "right": "right", "end": "right"}
"""Alignments by the words of CSS, OpenDocument and WordprocessingML; others are on the left."""


@dataclass(frozen=True, slots=True)
class TabStop:
    """A tab stop at ``position``, in points from the text's left edge."""

    position: float
    align: Align = "left"


@dataclass(slots=True)
class Paragraph:
    """Text that is wrapped as one. ``\\n`` in it ends a line, ``\\t`` goes to the next tab stop.

    ``heading`` is 1–6 (0 for none), ``item`` the depth of the list item it begins, from 1; ``label`` ("•",
    "3.1") precedes the text. ``indent`` is in points. ``notes`` are foot- and endnotes that the text refers
    to. ``literal`` text is not collapsed: its spaces are kept.
    """

    text: str = ""
    heading: int = 0
    item: int = 0
    label: str = ""
    align: Align = "left"
    indent: float = 0.0
    tabs: Sequence[TabStop] = ()
    notes: Sequence[str] = ()
    literal: bool = False


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A page ends here. ``rendered`` breaks were noted by the program that laid the document out last."""

    rendered: bool = False


@dataclass(slots=True)
class TableCell:
    """A cell over ``columns`` columns and ``rows`` rows."""

    blocks: list[Block]
    columns: int = 1
    rows: int = 1
    header: bool = False


@dataclass(slots=True)
class Table:
    """Rows of cells; positions that a cell of an earlier row covers have no cell of their own."""

    rows: list[list[TableCell]] = field(default_factory=list)


Block: TypeAlias = "Paragraph | PageBreak | Table"


@dataclass(slots=True)
class Furniture:
    """A section's header or footer: on its first page, on even pages, on all others; None as ``default``."""

    default: Sequence[Block] = ()
    first: Sequence[Block] | None = None
    even: Sequence[Block] | None = None

    def for_page(self, number: int, is_first: bool) -> Sequence[Block]:
        """Return the blocks shown on page ``number``."""
        if is_first and self.first is not None:
            return self.first
        if number % 2 == 0 and self.even is not None:
            return self.even
        return self.default


@dataclass(slots=True)
class Section:
    """Blocks that share header and footer; ``joined`` sections begin on the page where the last one ends."""

    blocks: Sequence[Block]
    header: Furniture = field(default_factory=Furniture)
    footer: Furniture = field(default_factory=Furniture)
    joined: bool = False


def plain_text(blocks: Sequence[Block]) -> str:
    """Return the blocks' text: paragraphs on lines of their own, cells of a row side by side."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            text = block.text.replace("\t", " ").strip()
            parts.append(f"{block.label} {text}".strip())
        elif isinstance(block, Table):
            for row in block.rows:
                parts.append(" ".join(filter(None, (plain_text(cell.blocks) for cell in row))))
    return "\n".join(filter(None, parts))
