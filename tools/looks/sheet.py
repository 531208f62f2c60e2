"""A sheet that a page is drawn on: runs of words, each with what it is, and lines."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from reportlab.pdfbase import pdfmetrics

from docduck.documents.document import Box, Page, Rule, Word
from docduck.documents.geometry.lines import build_lines

Kind = Literal["label", "value", "heading", "prose", "head", "cell", "option", "furniture"]
_FOLDED = str.maketrans(
    {"ł": "l", "Ł": "L", "ı": "i", "ø": "o", "Ø": "O", "æ": "ae", "ß": "ss", "€": "C", "₺": "C", "œ": "oe"}
)
_LOOKALIKE = {
    "0": "O",
    "1": "l",
    "5": "S",
    "8": "B",
    "l": "1",
    "o": "0",
    "e": "c",
    "ü": "u",
    "ö": "o",
    "ı": "i",
    "ł": "l",
    ".": ",",
}


@dataclass(eq=False)
class Piece:
    """One run of words on a sheet, in points from the left and top.

    ``captions`` are the pieces that label it; ``heads`` are those that head its column. ``role`` names the
    part of a party that it shows ("sender name", "addressee address" …).
    """

    text: str
    kind: Kind
    left: float
    top: float
    right: float
    bottom: float
    captions: tuple[Piece, ...] = ()
    heads: tuple[Piece, ...] = ()
    role: str = ""
    font: str = "Helvetica"
    size: float = 10.0


@dataclass(frozen=True)
class Type:
    """A face with its stretch: ``rise`` and ``fall`` are its box above and below the baseline, in sizes."""

    regular: str
    bold: str
    stretch: float
    rise: float
    fall: float

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of ``text`` in points."""
        widths = _widths(self.bold if bold else self.regular)
        return sum(widths[min(ord(char), 255)] for char in _folded(text)) * size * self.stretch / 1000


def place(left: float, top: float) -> tuple[int, int]:
    """Return the key of a word by its left and top in points."""
    return round(left * 20), round(top * 20)


@cache
def _widths(font: str) -> tuple[float, ...]:
    widths = pdfmetrics.getFont(font).widths
    return tuple(float(w) if w else 500.0 for w in widths)


@cache
def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED))
    return "".join(c for c in plain if not unicodedata.combining(c))


@dataclass
class Sheet:
    """A page being drawn, ``width`` by ``height`` points; ``kinds`` are those of its facts by label.

    ``rows`` are the cells of each row of its tables.
    """

    width: float
    height: float
    type: Type
    pieces: list[Piece] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    rows: list[list[Piece]] = field(default_factory=list)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        kind: Kind,
        size: float,
        *,
        bold: bool = False,
        align: str = "left",
        captions: Sequence[Piece] = (),
        heads: Sequence[Piece] = (),
        role: str = "",
    ) -> Piece:
        """Write ``text`` with its baseline at ``y``; ``x`` is its left or right edge, or its centre."""
        width = self.type.width(text, size, bold)
        left = x - {"left": 0.0, "right": width, "centre": width / 2}[align]
        piece = Piece(
            text, kind, left, y - self.type.rise * size, left + width, y + self.type.fall * size,
            tuple(captions), tuple(heads), role, self.type.bold if bold else self.type.regular, size,
        )  # fmt: skip
        self.pieces.append(piece)
        return piece

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a line."""
        self.rules.append((x0, y0, x1, y1))

    def box(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw the outline of a box."""
        self.rules += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]

    def page(self, scan: bool, rng: random.Random) -> tuple[Page, dict[tuple[int, int], Piece]]:
        """Return the page as it would be read, and the piece of each word by its ``place``.

        With ``scan``, as OCR would read it: no lines, boxes a little off, letters confused, words joined.
        """
        words: list[Word] = []
        owners: dict[tuple[int, int], Piece] = {}
        for piece in self.pieces:
            for word in self._scanned(self._words(piece), rng) if scan else self._words(piece):
                words.append(word)
                owners[place(word.box.left * self.width, word.box.top * self.height)] = piece
        rules = [
            Rule(x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height)
            for x0, y0, x1, y1 in ([] if scan else self.rules)
        ]
        rules.sort(key=lambda rule: (rule.y0, rule.x0))
        return Page(
            1, self.width, self.height, build_lines(words, self.width, self.height, rules), rules
        ), owners

    def _words(self, piece: Piece) -> list[Word]:
        words, at = [], piece.left
        bold = piece.font == self.type.bold
        space = self.type.width(" ", piece.size, bold)
        for text in piece.text.split(" "):
            width = self.type.width(text, piece.size, bold)
            if text:
                box = Box(
                    at / self.width,
                    piece.top / self.height,
                    width / self.width,
                    (piece.bottom - piece.top) / self.height,
                )
                words.append(Word(text, box))
            at += width + space
        return words

    def _scanned(self, words: Iterable[Word], rng: random.Random) -> list[Word]:
        seen: list[Word] = []
        for word in words:
            box, drift = word.box, 0.8 / self.height
            box = Box(
                box.left + rng.uniform(-drift, drift),
                box.top + rng.uniform(-drift, drift),
                box.width,
                box.height * rng.uniform(0.85, 1.05),
            )
            text = "".join(_LOOKALIKE.get(c, c) if rng.random() < 0.015 else c for c in word.text)
            if rng.random() < 0.005:
                continue
            if seen and rng.random() < 0.03:
                before = seen.pop()
                box = Box(before.box.left, before.box.top, box.right - before.box.left, before.box.height)
                text = before.text + text
            seen.append(replace(word, text=text, box=box, source="ocr", score=round(rng.uniform(0.8, 1), 2)))
        return seen
