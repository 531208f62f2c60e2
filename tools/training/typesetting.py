"""Typesetting of synthetic documents, as a text layer or as OCR output."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from random import Random

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.geometry.lines import build_lines

_CONFUSED = {
    "0": "O", "1": "l", "5": "S", "8": "B", "O": "0", "l": "1", "e": "c", "a": "o", "i": "l", "t": "l",
    ".": ",", "m": "rn", "n": "h", "u": "v", "é": "e", "ü": "u",
}  # fmt: skip
_CHARACTER = 0.5
"""The width of a character, as a share of its height."""
_BOLD = 14.0
"""Size from which words are bold."""


@dataclass(slots=True)
class Sheet:
    """A page under construction, in points from its upper left corner.

    ``noise`` is the share of characters that OCR misreads; 0 for a page with a text layer.
    """

    random: Random
    width: float = 595.0
    height: float = 842.0
    size: float = 9.0
    noise: float = 0.0
    ocr: bool = False
    words: list[Word] = field(default_factory=list)

    def put(self, x: float, y: float, text: str, size: float | None = None) -> float:
        """Print ``text`` from (x, y); return where it ends."""
        height = size or self.size
        for part in text.split():
            width = _CHARACTER * height * len(part)
            self._word(part, x, y, width, height)
            x += width + 0.3 * height
        return x

    def end(self, x: float, y: float, text: str) -> None:
        """Print ``text`` so that it ends at ``x``."""
        self.put(x - self.text_width(text, self.size), y, text)

    @staticmethod
    def text_width(text: str, size: float) -> float:
        """Return the width of ``text`` in one line."""
        parts = text.split()
        return sum(_CHARACTER * size * len(part) for part in parts) + 0.3 * size * (len(parts) - 1)

    def _word(self, text: str, x: float, y: float, width: float, height: float) -> None:
        read, score = text, 1.0
        if self.ocr:
            y += self.random.uniform(-0.12, 0.12) * height
            read = "".join(self._misread(char) for char in text)
            score = self.random.uniform(0.75, 0.93) if read != text else self.random.uniform(0.88, 1.0)
        box = Box(x / self.width, y / self.height, width / self.width, height / self.height)
        self.words.append(Word(read, box, "ocr" if self.ocr else "text", score))

    def _misread(self, char: str) -> str:
        return _CONFUSED.get(char, char) if self.random.random() < self.noise else char

    def page(self, number: int) -> Page:
        """Return the page as a reader returns it."""
        return Page(number, self.width, self.height, build_lines(self.words, self.width, self.height))


def document(*sheets: Sheet) -> Document:
    """Return a document of these sheets."""
    pages = [sheet.page(number) for number, sheet in enumerate(sheets, 1)]
    return Document("application/pdf", pages, len(pages))


def as_pdf(page: Page) -> bytes:
    """Return a PDF with the words of ``page`` at their places; large ones are bold."""
    target = BytesIO()
    canvas = Canvas(target, pagesize=(page.width, page.height), invariant=1)
    for word in (word for line in page.lines for word in line.words):
        size = word.box.height * page.height
        font = "Helvetica-Bold" if size > _BOLD else "Helvetica"
        text = canvas.beginText(
            word.box.left * page.width, page.height - word.box.top * page.height - 0.8 * size
        )
        text.setFont(font, size)
        text.setHorizScale(100 * word.box.width * page.width / stringWidth(word.text, font, size))
        text.textOut(word.text)
        canvas.drawText(text)
    canvas.save()
    return target.getvalue()
