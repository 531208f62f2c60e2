"""Plain text as pages on a monospace grid, so that geometry works on it as on any page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from unicodedata import east_asian_width

from docduck.documents.detection.encoding import decode_text
from docduck.documents.document import Box, Page, Word
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.geometry.lines import build_lines

PAGE_WIDTH, PAGE_HEIGHT = 595.0, 842.0
ROWS = 66
"""Lines on a page, the line printer's measure."""
COLUMNS = 80
"""Characters across a page; a page with longer lines gets as many as its longest, up to ``MAX_COLUMNS``."""
MAX_COLUMNS = 1000
"""Characters after which a line with gaps, which may be columns, is wrapped."""
TAB = 8
_LONG, _WRAP_AT = 250, 110
"""Characters: longer lines without gaps are running text, wrapped at ``_WRAP_AT``."""

_WORD = re.compile(r"\S+")


def _piece(width: int) -> re.Pattern[str]:
    """Return a pattern of as many whole words as fit into ``width`` characters, or part of a longer word."""
    return re.compile(rf"[^ ](?:.{{0,{width - 2}}}[^ ])?(?![^ ])|[^ ]{{{width}}}")


_BLANK_PAGE = ("",)
_TEXT_PIECE, _ROW_PIECE = _piece(_WRAP_AT), _piece(MAX_COLUMNS)
_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x85\u2028\u2029]")


class TextReader(FlowReader):
    """Reads ``text/plain``. Pages end at a form feed or after ``ROWS`` lines."""

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[_Lines]:
        """Return the pages that the text fills."""
        return [_Lines(lines) for lines in _paginate(decode_text(data))]


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a page."""

    lines: Sequence[str]

    def page(self, number: int) -> Page:
        """Return the page with its words at their places on the grid."""
        return text_page(number, self.lines)


def _wrapped(line: str) -> list[str]:
    """Return the parts of a line, divided if it is too long, in linear time."""
    if len(line) <= _LONG:
        return [line]
    if "   " not in line.strip():
        return _TEXT_PIECE.findall(line)
    return _ROW_PIECE.findall(line) if len(line) > MAX_COLUMNS else [line]


def _paginate(text: str) -> list[Sequence[str]]:
    """Return pages of lines with expanded tabs; an empty last page is left out."""
    sections = text.split("\f")
    if len(sections) > 1 and not sections[-1].strip():
        sections.pop()
    pages: list[Sequence[str]] = []
    for section in sections:
        if not section:
            pages.append(_BLANK_PAGE)
            continue
        lines = [
            part for line in _LINE_END.split(section) for part in _wrapped(line.expandtabs(TAB).rstrip())
        ]
        while len(lines) > 1 and not lines[-1]:
            lines.pop()
        pages.extend(lines[start : start + ROWS] for start in range(0, len(lines), ROWS))
    return pages


def _places(line: str) -> Sequence[int]:
    """Return the column of each character of a line, and of its end: wide ones take two."""
    if line.isascii():
        return range(len(line) + 1)
    return [0, *accumulate(1 + (east_asian_width(char) in "WF") for char in line)]


def text_page(number: int, lines: Sequence[str]) -> Page:
    """Return a page with these lines, without tabs; it grows beyond ``ROWS``."""
    rows = max(ROWS, len(lines))
    columns = min(max(COLUMNS, *(_places(line)[-1] for line in lines)), MAX_COLUMNS)
    row_height = 1 / rows
    words: list[Word] = []
    for row, line in enumerate(lines):
        places = _places(line)
        for match in _WORD.finditer(line):
            left = min(places[match.start()] / columns, 1 - 1 / columns)
            right = min(places[match.end()] / columns, 1.0)
            words.append(Word(match[0], Box(left, row * row_height, right - left, row_height * 0.9)))
    page_lines = build_lines(words, columns * 0.55, float(rows))
    return Page(number, PAGE_WIDTH, PAGE_HEIGHT * rows / ROWS, page_lines)
