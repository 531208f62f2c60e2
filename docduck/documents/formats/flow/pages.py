"""Slabs to pages: headers, footers, footnotes and page breaks, and boxes in fractions of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck.documents.document import Box, Cell, Grid, Line, Page, Word
from docduck.documents.formats.flow.blocks import Block, Furniture, PageBreak, Paragraph, Section, Table
from docduck.documents.formats.flow.fragments import Row, Slab, slabs
from docduck.documents.formats.flow.typeset import PITCH, SIZE, Piece
from docduck.documents.geometry.long_words import divided

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0
MARGIN = 42.0
"""Points on every side, on a page of type A4."""

MAX_WORDS = 1_500_000
"""Words of one file that are laid out on pages."""

_NOTE_SIZE = 9.0
_FURNITURE_GAP = 10.0
_MAX_FURNITURE = 0.4
"""Of the page's height, at most, that a repeated header or footer takes; a higher one stands once."""
_MAX_PIECES = 200
"""Pieces of text of a repeated header or footer, at most; one of more stands once, too."""
_STRETCH = 2.0
"""Page heights by which a page may grow when the file itself tells where pages end."""
_GLYPH = 0.9
"""A word's box is this high, in sizes."""


@dataclass(slots=True)
class Draft:
    """A page as it fills up, in points; ``grids`` with whether each goes on one of the page before."""

    width: float = PAGE_WIDTH
    height: float = PAGE_HEIGHT
    pieces: list[Piece] = field(default_factory=list)
    grids: list[tuple[list[Row], bool]] = field(default_factory=list)

    def put(self, slab: Slab, left: float, top: float, begins: bool, continued: bool = False) -> None:
        """Sets a slab with its upper left at a place; ``begins`` says that its row begins a grid here."""
        self.pieces += [piece.moved(left, top) for piece in slab.pieces]
        for rows in slab.grids:
            self.grids.append((_moved(rows, left, top), False))
        if slab.row is not None:
            if begins:
                self.grids.append(([], continued))
            self.grids[-1][0].extend(_moved([slab.row], left, top))

    def fill(self, blocks: Sequence[Block], left: float, top: float, width: float, size: float) -> float:
        """Sets blocks into an area without regard to its height; gives the bottom they reach."""
        table: Table | None = None
        start = top
        for slab in slabs(blocks, width, size):
            top += slab.gap if top > start else 0.0
            self.put(slab, left, top, begins=slab.table is not table)
            table = slab.table
            top += slab.height
        return top

    def take(self, other: Draft, down: float) -> None:
        """Takes over what stands on another draft, ``down`` points lower."""
        self.pieces += [piece.moved(0.0, down) for piece in other.pieces]
        self.grids += [(_moved(rows, 0.0, down), continued) for rows, continued in other.grids]

    def page(self, number: int) -> Page:
        """The page in fractions."""
        lines = [self._line(piece) for piece in self.pieces]
        grids = [self._grid(rows, continued) for rows, continued in self.grids]
        return Page(number, self.width, self.height, lines, grids=grids)

    def _line(self, piece: Piece) -> Line:
        top, height = piece.top / self.height, _GLYPH * piece.size / self.height
        words = tuple(
            divided(
                Word(text, Box(left / self.width, top, (right - left) / self.width, height))
                for left, right, text in piece.words
            )
        )
        if len(words) == 1:
            return Line(words, words[0].box, piece.heading, piece.item)
        left, right = words[0].box.left, words[-1].box.right
        return Line(words, Box(left, top, right - left, height), piece.heading, piece.item)

    def _grid(self, rows: list[Row], continued: bool) -> Grid:
        cells = tuple(
            tuple(
                Cell(
                    place.text,
                    self._box(place.left, place.top, place.width, place.height),
                    place.header,
                    place.merged,
                )
                for place in row
            )
            for row in rows
        )
        return Grid(cells, Box.around(cell.box for row in cells for cell in row), continued)

    def _box(self, left: float, top: float, width: float, height: float) -> Box:
        right, bottom = min(left + width, self.width), min(top + height, self.height)
        left, top = max(left, 0.0), max(top, 0.0)
        return Box(
            left / self.width, top / self.height, (right - left) / self.width, (bottom - top) / self.height
        )


def _moved(rows: list[Row], right: float, down: float) -> list[Row]:
    return [[place.moved(right, down) for place in row] for row in rows]


class _Paginator:
    """Fills pages with sections; see ``paginate``."""

    def __init__(self, elastic: bool, size: float) -> None:
        self.size = size
        self.drafts: list[Draft] = []
        self.stretch = _STRETCH * PAGE_HEIGHT if elastic else 0.0
        self.section = Section([])
        self.furniture: dict[int, Draft] = {}
        self.words = 0
        self.first = True
        self.draft: Draft | None = None

    def add(self, section: Section) -> None:
        """Sets one section after the last; it begins a new page unless it is joined."""
        if self.draft is None or not section.joined:
            self.close()
            self.section, self.first = section, True
            self._open()
        self.section = section
        for slab in slabs(section.blocks, PAGE_WIDTH - 2 * MARGIN, self.size):
            if self.words > MAX_WORDS:
                break
            self.words += sum(len(piece.words) for piece in slab.pieces)
            self._add(slab)

    def close(self) -> None:
        """Ends the page: its notes, its footer."""
        draft = self.draft
        if draft is None:
            return
        end = self.top
        if self.notes:
            notes = [Paragraph(note) for note in self.notes]
            end = draft.fill(notes, MARGIN, end + _FURNITURE_GAP, PAGE_WIDTH - 2 * MARGIN, _NOTE_SIZE)
        if self.footer is not None:
            foot = max(draft.height - MARGIN - self.footer.height, end + _FURNITURE_GAP)
            draft.take(self.footer, foot)
            end = foot + self.footer.height
        draft.height = max(draft.height, end + 0.5 * MARGIN)
        self.drafts.append(draft)
        self.draft = None

    def _open(self) -> None:
        number, room = len(self.drafts) + 1, PAGE_WIDTH - 2 * MARGIN
        self.draft, self.top = Draft(), MARGIN
        header = self._furniture(self.section.header, number, room)
        if header is not None:
            self.draft.take(header, MARGIN)
            self.top += header.height + _FURNITURE_GAP
        self.footer = self._furniture(self.section.footer, number, room)
        footing = self.footer.height + _FURNITURE_GAP if self.footer is not None else 0.0
        self.bottom = max(PAGE_HEIGHT - MARGIN - footing, self.top + 0.2 * PAGE_HEIGHT) + self.stretch
        self.first, self.fresh = False, True
        self.notes: list[str] = []
        self.table: Table | None = None

    def _furniture(self, furniture: Furniture, number: int, room: float) -> Draft | None:
        blocks = furniture.on(number, self.first)
        if not blocks:
            return None
        if id(blocks) not in self.furniture:
            draft = Draft()
            draft.height = draft.fill(blocks, MARGIN, 0.0, room, self.size)
            self.furniture[id(blocks)] = draft
        draft = self.furniture[id(blocks)]
        high = draft.height > _MAX_FURNITURE * PAGE_HEIGHT or len(draft.pieces) > _MAX_PIECES
        return None if high and not self.first else draft

    def _add(self, slab: Slab) -> None:
        goes_on = slab.row is not None and slab.table is self.table
        if slab.turn is not None and not (slab.turn.rendered and self.fresh):
            self._turn()
        noted = sum(PITCH * _NOTE_SIZE * (1 + len(note) // 100) + 3.0 for note in slab.notes)
        self.bottom -= noted
        if self.top + slab.gap + slab.height > self.bottom and not self.fresh:
            self._turn()
            self.bottom -= noted
        assert self.draft is not None
        self.top += 0.0 if self.fresh else slab.gap
        self.draft.put(slab, MARGIN, self.top, begins=slab.table is not self.table, continued=goes_on)
        self.table = slab.table
        self.notes += slab.notes
        self.top += slab.height
        self.fresh = self.fresh and not slab.height

    def _turn(self) -> None:
        self.close()
        self._open()


def paginate(sections: Sequence[Section], warnings: list[str], size: float = SIZE) -> list[Draft]:
    """The pages that sections fill; at least one. What ``MAX_WORDS`` leaves out is told in ``warnings``.

    Pages are A4. Where the file tells how it was divided when it was last laid out (``PageBreak.rendered``),
    pages end there and grow higher as they need; so does a page with a table row higher than a page.
    """
    paginator = _Paginator(any(_tells_pages(section.blocks) for section in sections), size)
    for section in sections or [Section([])]:
        paginator.add(section)
    paginator.close()
    if paginator.words > MAX_WORDS:
        warnings.append(f"Only the first {MAX_WORDS} words were read")
    return paginator.drafts


def _tells_pages(blocks: Sequence[Block]) -> bool:
    for block in blocks:
        if isinstance(block, PageBreak) and block.rendered:
            return True
        if isinstance(block, Table) and any(_tells_pages(cell.blocks) for row in block.rows for cell in row):
            return True
    return False
