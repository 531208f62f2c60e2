"""Plain text as pages on a monospace grid, so that geometry works on it as on any page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PIL import Image

from docduck.documents.detection.encoding import decode_text
from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.formats.page_drawing import draw_page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.geometry.lines import build_lines
from docduck.documents.read_options import ReadOptions

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


class TextReader:
    """Reads ``text/plain``. Pages end at a form feed or after ``ROWS`` lines."""

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of pages that the text fills."""
        return len(_paginate(decode_text(data)))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the words at their places on the grid."""
        pages = _paginate(decode_text(data))
        document = Document(content_type, [], len(pages))
        numbers = options.page_numbers(len(pages))
        document.pages += read_pages(
            numbers, lambda number: text_page(number, pages[number - 1]), options.max_words, document.warnings
        )
        return document

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a page drawn from its words."""
        return draw_page(text_page(number, _paginate(decode_text(data))[number - 1]), width)


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


def text_page(number: int, lines: Sequence[str]) -> Page:
    """Return a page with these lines, without tabs; it grows beyond ``ROWS``."""
    rows = max(ROWS, len(lines))
    columns = min(max(COLUMNS, *(len(line) for line in lines)), MAX_COLUMNS)
    row_height = 1 / rows
    words: list[Word] = []
    for row, line in enumerate(lines):
        for match in _WORD.finditer(line):
            left = min(match.start() / columns, 1 - 1 / columns)
            right = min(match.end() / columns, 1.0)
            words.append(Word(match[0], Box(left, row * row_height, right - left, row_height * 0.9)))
    page_lines = build_lines(words, columns * 0.55, float(rows))
    return Page(number, PAGE_WIDTH, PAGE_HEIGHT * rows / ROWS, page_lines)
