"""Pagination: fragments to pages with headers, footers, footnotes and page breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck.documents.document import Box, Cell, Grid, Line, Page, Word
from docduck.documents.formats.flow.blocks import Block, Furniture, PageBreak, Paragraph, Section, Table
from docduck.documents.formats.flow.fragments import Fragment, PlacedRow, lay_out
from docduck.documents.formats.flow.typeset import FONT_SIZE, LINE_HEIGHT, TextRun
from docduck.documents.geometry.long_words import split_long_words

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0
MARGIN = 42.0
"""Points on every side, on a page of type A4."""

MAX_WORDS = 1_500_000
"""Words of one file that are laid out."""

_NOTE_SIZE = 9.0
_FURNITURE_GAP = 10.0
_MAX_FURNITURE = 0.4
"""Share of the page's height of a repeated header or footer; a higher one is shown once."""
_MAX_RUNS = 200
"""Text runs of a repeated header or footer; one with more is shown once."""
_STRETCH = 2.0
"""Page heights by which a page may grow if the file has its own page breaks."""
_GLYPH = 0.9
"""Height of a word's box, in font sizes."""


@dataclass(slots=True)
class PageDraft:
    """A page while it is filled, in points; ``grids`` with whether each continues one of the page before."""

    width: float = PAGE_WIDTH
    height: float = PAGE_HEIGHT
    runs: list[TextRun] = field(default_factory=list)
    grids: list[tuple[list[PlacedRow], bool]] = field(default_factory=list)

    def add(self, fragment: Fragment, left: float, top: float, begins: bool, continued: bool = False) -> None:
        """Add a fragment with its upper left at a place; if ``begins``, its row is the first of a grid."""
        self.runs += [run.moved(left, top) for run in fragment.runs]
        for rows in fragment.grids:
            self.grids.append((_moved(rows, left, top), False))
        if fragment.row is not None:
            if begins:
                self.grids.append(([], continued))
            self.grids[-1][0].extend(_moved([fragment.row], left, top))

    def add_blocks(
        self, blocks: Sequence[Block], left: float, top: float, width: float, size: float
    ) -> float:
        """Add blocks in an area of unlimited height; return the bottom they reach."""
        table: Table | None = None
        start = top
        for fragment in lay_out(blocks, width, size):
            top += fragment.gap if top > start else 0.0
            self.add(fragment, left, top, begins=fragment.table is not table)
            table = fragment.table
            top += fragment.height
        return top

    def add_draft(self, other: PageDraft, down: float) -> None:
        """Add the content of another draft, ``down`` points lower."""
        self.runs += [run.moved(0.0, down) for run in other.runs]
        self.grids += [(_moved(rows, 0.0, down), continued) for rows, continued in other.grids]

    def page(self, number: int) -> Page:
        """Return the page with boxes in fractions of it."""
        lines = [self._line(run) for run in self.runs]
        grids = [self._grid(rows, continued) for rows, continued in self.grids]
        return Page(number, self.width, self.height, lines, grids=grids)

    def _line(self, run: TextRun) -> Line:
        top, height = run.top / self.height, _GLYPH * run.size / self.height
        words = tuple(
            split_long_words(
                Word(text, Box(left / self.width, top, (right - left) / self.width, height))
                for left, right, text in run.words
            )
        )
        if len(words) == 1:
            return Line(words, words[0].box, run.heading, run.item)
        left, right = words[0].box.left, words[-1].box.right
        return Line(words, Box(left, top, right - left, height), run.heading, run.item)

    def _grid(self, rows: list[PlacedRow], continued: bool) -> Grid:
        cells = tuple(
            tuple(
                Cell(
                    place.text,
                    self._box(place.left, place.top, place.width, place.height),
                    place.header,
                    place.merged,
                    place.date,
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


def _moved(rows: list[PlacedRow], right: float, down: float) -> list[PlacedRow]:
    return [[place.moved(right, down) for place in row] for row in rows]


class _Paginator:
    """Fills pages with sections; see ``paginate``."""

    def __init__(self, elastic: bool) -> None:
        self.drafts: list[PageDraft] = []
        self.stretch = _STRETCH * PAGE_HEIGHT if elastic else 0.0
        self.section = Section([])
        self.furniture: dict[int, PageDraft] = {}
        self.words = 0
        self.first = True
        self.draft: PageDraft | None = None

    def add_section(self, section: Section) -> None:
        """Add a section; it begins a new page unless it is joined."""
        if self.draft is None or not section.joined:
            self.close()
            self.section, self.first = section, True
            self._open()
        self.section = section
        for fragment in lay_out(section.blocks, PAGE_WIDTH - 2 * MARGIN, FONT_SIZE):
            if self.words > MAX_WORDS:
                break
            self.words += sum(len(run.words) for run in fragment.runs)
            self._add(fragment)

    def close(self) -> None:
        """End the page with its notes and footer."""
        draft = self.draft
        if draft is None:
            return
        end = self.top
        if self.notes:
            notes = [Paragraph(note) for note in self.notes]
            end = draft.add_blocks(notes, MARGIN, end + _FURNITURE_GAP, PAGE_WIDTH - 2 * MARGIN, _NOTE_SIZE)
        if self.footer is not None:
            foot = max(draft.height - MARGIN - self.footer.height, end + _FURNITURE_GAP)
            draft.add_draft(self.footer, foot)
            end = foot + self.footer.height
        draft.height = max(draft.height, end + 0.5 * MARGIN)
        self.drafts.append(draft)
        self.draft = None

    def _open(self) -> None:
        number, room = len(self.drafts) + 1, PAGE_WIDTH - 2 * MARGIN
        self.draft, self.top = PageDraft(), MARGIN
        header = self._furniture(self.section.header, number, room)
        if header is not None:
            self.draft.add_draft(header, MARGIN)
            self.top += header.height + _FURNITURE_GAP
        self.footer = self._furniture(self.section.footer, number, room)
        footing = self.footer.height + _FURNITURE_GAP if self.footer is not None else 0.0
        self.bottom = max(PAGE_HEIGHT - MARGIN - footing, self.top + 0.2 * PAGE_HEIGHT) + self.stretch
        self.first, self.fresh = False, True
        self.notes: list[str] = []
        self.table: Table | None = None

    def _furniture(self, furniture: Furniture, number: int, room: float) -> PageDraft | None:
        blocks = furniture.for_page(number, self.first)
        if not blocks:
            return None
        if id(blocks) not in self.furniture:
            draft = PageDraft()
            draft.height = draft.add_blocks(blocks, MARGIN, 0.0, room, FONT_SIZE)
            self.furniture[id(blocks)] = draft
        draft = self.furniture[id(blocks)]
        high = draft.height > _MAX_FURNITURE * PAGE_HEIGHT or len(draft.runs) > _MAX_RUNS
        return None if high and not self.first else draft

    def _add(self, fragment: Fragment) -> None:
        goes_on = fragment.row is not None and fragment.table is self.table
        if fragment.page_break is not None and not (fragment.page_break.rendered and self.fresh):
            self._break_page()
        noted = sum(LINE_HEIGHT * _NOTE_SIZE * (1 + len(note) // 100) + 3.0 for note in fragment.notes)
        self.bottom -= noted
        if self.top + fragment.gap + fragment.height > self.bottom and not self.fresh:
            self._break_page()
            self.bottom -= noted
        assert self.draft is not None
        self.top += 0.0 if self.fresh else fragment.gap
        self.draft.add(fragment, MARGIN, self.top, begins=fragment.table is not self.table, continued=goes_on)
        self.table = fragment.table
        self.notes += fragment.notes
        self.top += fragment.height
        self.fresh = self.fresh and not fragment.height

    def _break_page(self) -> None:
        self.close()
        self._open()


def paginate(sections: Sequence[Section], warnings: list[str]) -> list[PageDraft]:
    """Return the A4 pages that sections fill, at least one; warn of what ``MAX_WORDS`` leaves out.

    If the file has page breaks of its last layout (``PageBreak.rendered``), pages end there and grow as high
    as they need; so does a page with a table row higher than a page.
    """
    paginator = _Paginator(any(_tells_pages(section.blocks) for section in sections))
    for section in sections or [Section([])]:
        paginator.add_section(section)
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
