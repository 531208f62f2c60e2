"""Pages as markdown: headings, list items, paragraphs and tables, from the format or recognised by layout."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from docduck.documents.document import Document, Grid, Line, Page
from docduck.documents.geometry.borderless_tables import find_borderless_tables

_ORDINAL = re.compile(r"\d{1,9}[.)]$")
_BULLETS = frozenset("•●▪■◦‣∙·–-*➢❖○")
_SPECIAL = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!])")
_OPENING_MARK = re.compile(r"(#{1,6}\s|>|[-+=~]{3,}$)")
_HYPHENATED = re.compile(r"[^\W\d_]{2}-$")

_HEADINGS = ((1.8, 1), (1.35, 2), (1.25, 3))
"""Line heights in usual line heights, and the levels of headings that they make."""
_LONGEST_HEADING = 100
_PARAGRAPH_GAP = 0.8
"""A larger gap between two lines, in line heights, ends a paragraph."""
_FULL_LINE = 0.86
"""A line at least this share of its block's width continues in the next line."""
_LEAST_WIDTH = 0.3
"""A block narrower than this share of the page is not running text."""


@dataclass(slots=True)
class _Row:
    """The lines on one baseline, left to right; ``right`` is the right edge of their block."""

    lines: list[Line]
    right: float = 0.0

    @property
    def first(self) -> Line:
        return self.lines[0]


def markdown(document: Document) -> str:
    """Return the document's text as GitHub's markdown, pages separated by a rule."""
    return "\n\n---\n\n".join(page_markdown(page) for page in document.pages).strip() + "\n"


def page_markdown(page: Page) -> str:
    """Return one page as markdown; a table is placed at its first line."""
    parts: list[str] = []
    done: set[int] = set()
    run: list[_Row] = []
    usual = 0.0 if _has_structure(page) else _usual_height(page.lines)
    for row in _rows(page):
        if isinstance(row, _Row):
            run.append(row)
            continue
        if row not in done:
            parts += [*_between_grids(run, usual), "", _table(_grid_texts(page.grids[row])), ""]
            run = []
            done.add(row)
    parts += _between_grids(run, usual)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")


def _has_structure(page: Page) -> bool:
    """Return whether the format defines headings, lists or tables of the page."""
    return bool(page.grids) or any(line.heading or line.item for line in page.lines)


def _usual_height(lines: Sequence[Line]) -> float:
    """Return the line height of most of the text; 0 for too few lines."""
    if len(lines) < 4:
        return 0.0
    return median(line.box.height for line in lines for _ in line.words)


def _rows(page: Page) -> Sequence[_Row | int]:
    """Return lines of one row together, in reading order; for a line inside a grid the grid's index."""
    rows: list[_Row | int] = []
    grids = _GridsByHeight(page.grids)
    for line in page.lines:
        grid = grids.of(line)
        last = rows[-1] if rows else None
        if grid is not None:
            rows.append(grid)
        elif isinstance(last, _Row) and _beside(line, last.first):
            last.lines.append(line)
        else:
            rows.append(_Row([line]))
    return rows


class _GridsByHeight:
    """The grids of a page by the strips of it that they touch, each strip's in their order."""

    def __init__(self, grids: Sequence[Grid]) -> None:
        self._grids = grids
        self._strips: dict[int, list[int]] = defaultdict(list)
        for index, grid in enumerate(grids):
            for strip in range(self._strip(grid.box.top), self._strip(grid.box.bottom) + 1):
                self._strips[strip].append(index)

    def _strip(self, height: float) -> int:
        return min(max(int(height * len(self._grids)), 0), len(self._grids))

    def of(self, line: Line) -> int | None:
        """Return the index of the first grid that ``line`` is in, None if it is in none."""
        middle, left = line.box.middle, line.box.left
        for index in self._strips.get(self._strip(middle), ()):
            box = self._grids[index].box
            if box.top <= middle <= box.bottom and box.left <= left <= box.right:
                return index
        return None


def _beside(line: Line, first: Line) -> bool:
    return abs(line.box.middle - first.box.middle) < 0.4 * first.box.height and not line.heading


def _between_grids(rows: list[_Row], usual: float) -> list[str]:
    """Return rows between two grids: tables that are only aligned first, the rest line by line."""
    parts: list[str] = []
    at = 0
    for table in find_borderless_tables([row.lines for row in rows]) if usual else ():
        parts += [*_blocks(rows[at : table.first], usual), "", _table(table.cells), ""]
        at = table.last
    return parts + _blocks(rows[at:], usual)


def _blocks(rows: list[_Row], usual: float) -> list[str]:
    """Return paragraphs joined from their lines, headings and list items; columns are kept row by row."""
    _find_rights(rows)
    parts: list[list[str]] = []
    above: _Row | None = None
    for row in rows:
        level = _level(row, usual)
        if above and parts and not level and _continues(above, row):
            _join(parts[-1], _escaped(row.first.text))
        else:
            if above and (
                level or row.first.box.top - above.first.box.bottom > _PARAGRAPH_GAP * row.first.box.height
            ):
                parts.append([])
            parts.append([_text(row, level)])
        if level:
            parts.append([])
        above = None if level else row
    return ["".join(part) for part in parts]


def _find_rights(rows: Sequence[_Row]) -> None:
    """Set how far the lines of each block reach that begin at one left edge."""
    start = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or not _same_block(rows[at - 1], rows[at]):
            right = max((row.lines[-1].box.right for row in rows[start:at]), default=0.0)
            for row in rows[start:at]:
                row.right = right
            start = at


def _same_block(above: _Row, row: _Row) -> bool:
    box, other = above.first.box, row.first.box
    return (
        len(above.lines) == len(row.lines) == 1
        and -0.5 * box.height < other.top - box.bottom <= _PARAGRAPH_GAP * other.height
        and abs(box.height - other.height) < 0.25 * box.height
    )


def _continues(above: _Row, row: _Row) -> bool:
    """Return whether ``row`` continues the sentence of the line above it."""
    box = above.first.box
    wide = row.right - box.left
    return (
        _same_block(above, row)
        and not row.first.item
        and not _has_bullet(row.first)
        and wide >= _LEAST_WIDTH
        and box.width >= _FULL_LINE * wide
        and row.first.box.left <= box.left + 0.05
        and len(above.first.words) >= 4
    )


def _join(part: list[str], more: str) -> None:
    """Add a line to those of a paragraph; a word hyphenated at the end of the last line is joined."""
    if more[:1].islower() and _HYPHENATED.search("".join(part[-3:])[-3:]):
        part[-1] = part[-1][:-1]
        part.append(more)
    else:
        part.append(f" {more}")


def _level(row: _Row, usual: float) -> int:
    line = row.first
    if line.heading or not usual or len(row.lines) > 1:
        return min(line.heading, 6)
    ratio = line.box.height / usual
    if ratio < _HEADINGS[-1][0]:
        return 0
    text = line.text
    letters = sum(map(str.isalpha, text))
    if letters < 3 or 2 * letters < len(text) or len(text) > _LONGEST_HEADING:
        return 0
    if line.words[0].source == "ocr" and ratio < _HEADINGS[1][0]:
        return 0
    return next(level for least, level in _HEADINGS if ratio >= least)


def _has_bullet(line: Line) -> bool:
    """Return whether ``line`` begins with a bullet."""
    return len(line.words) > 1 and line.words[0].text in _BULLETS


def _text(row: _Row, level: int) -> str:
    text = "  ".join(_escaped(line.text) for line in row.lines)
    if level:
        return "#" * level + " " + text
    first = row.first
    if first.item:
        label, _, rest = text.lstrip("\\").partition(" ")
        label = label if _ORDINAL.match(label) else "-" if not label[:1].isalnum() else f"- {label}"
        return "  " * (first.item - 1) + f"{label} {rest}"
    if _has_bullet(first):
        return "- " + text.lstrip("\\").partition(" ")[2]
    return f"\\{text}" if _OPENING_MARK.match(text) else text


def _escaped(text: str) -> str:
    """Return ``text`` with the characters escaped that are marks or tags in markdown."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _grid_texts(grid: Grid) -> list[list[str]]:
    return [["" if cell.merged else cell.text for cell in row] for row in grid.rows]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as GitHub's markdown has it; its first row is the header, as there must be one."""
    lines = [
        "| " + " | ".join(_escaped(cell).replace("|", "\\|").replace("\n", "<br>") for cell in row) + " |"
        for row in rows
    ]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])
