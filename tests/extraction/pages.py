"""Documents made by hand for the tests of this folder: words at places, no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from docduck.documents.document import Box, Document, Page, Rule, Word
from docduck.documents.geometry.lines import build_lines

WIDTH, HEIGHT = 600.0, 800.0
SIZE = 10.0
"""Text height in points; a character is half as wide."""


def words(x: float, y: float, text: str) -> list[Word]:
    """The words of ``text``, set from (x, y) in points, origin top-left."""
    made = []
    for part in text.split():
        width = 0.5 * SIZE * len(part)
        made.append(Word(part, Box(x / WIDTH, y / HEIGHT, width / WIDTH, SIZE / HEIGHT)))
        x += width + 0.3 * SIZE
    return made


def right(x: float, y: float, text: str) -> list[Word]:
    """The words of ``text``, set so that they end at ``x``."""
    last = words(0, y, text)[-1].box
    return words(x - (last.left + last.width) * WIDTH, y, text)


def page(*placed: list[Word], number: int = 1, rules: tuple[Rule, ...] = ()) -> Page:
    """A page with these words."""
    flat = [word for some in placed for word in some]
    return Page(number, WIDTH, HEIGHT, build_lines(flat, WIDTH, HEIGHT, rules), rules)


def document(*pages: Page) -> Document:
    """A document of these pages."""
    return Document("application/pdf", list(pages), len(pages))


def text_document(*lines: str) -> Document:
    """A one-page document of lines of text, 14 points apart; two spaces or more part columns."""
    placed = []
    for row, line in enumerate(lines):
        at = 0
        for part in line.split("  "):
            if part.strip():
                lead = len(part) - len(part.lstrip())
                placed.append(words(40 + (at + lead) * 5.5, 40 + 14 * row, part.strip()))
            at += len(part) + 2
    return document(page(*placed))


def by_ocr(source: Document, score: float = 0.9, misread: Mapping[str, str] | None = None) -> Document:
    """The document as if OCR had read it, some of its words wrongly."""

    def scanned(word: Word) -> Word:
        return replace(word, text=(misread or {}).get(word.text, word.text), source="ocr", score=score)

    pages = [
        replace(page, lines=[replace(line, words=tuple(map(scanned, line.words))) for line in page.lines])
        for page in source.pages
    ]
    return replace(source, pages=pages)
