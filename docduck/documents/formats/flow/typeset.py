"""Layout of a paragraph in a virtual font: every character is half as wide as high."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from docduck.documents.formats.flow.blocks import Align, Paragraph, TabStop

FONT_SIZE = 10.0
"""Points, of plain text."""
LINE_HEIGHT = 1.25
"""From one line to the next, in sizes."""
CHARACTER_WIDTH = 0.5
"""A character's width, in sizes."""
INDENT = 18.0
"""Points by which a list item is indented from its parent."""

_HEADING_SIZES = (FONT_SIZE, 16.0, 14.0, 12.0, 11.0, 10.5, 10.0)
_TAB = 36.0
_TAB_GAP = 1.2
"""Least width of a tab in font sizes, so that it separates columns."""
_WORD = re.compile(r"\S+")


class PlacedWord(NamedTuple):
    """A word with its left and right edge in points."""

    left: float
    right: float
    text: str


@dataclass(slots=True)
class TextRun:
    """Words on one baseline without a gap: a line to be. ``left`` edges count from the area's left."""

    words: list[PlacedWord]
    top: float
    size: float
    heading: int = 0
    item: int = 0

    def moved(self, right: float, down: float) -> TextRun:
        """Return the same, further right and down."""
        words = [PlacedWord(left + right, edge + right, text) for left, edge, text in self.words]
        return TextRun(words, self.top + down, self.size, self.heading, self.item)


def font_size(paragraph: Paragraph, size: float = FONT_SIZE) -> float:
    """Return the size of a paragraph's type, when plain text has ``size``."""
    return _HEADING_SIZES[min(paragraph.heading, 6)] * size / FONT_SIZE


def natural_width(paragraph: Paragraph, size: float = FONT_SIZE) -> tuple[float, float]:
    """Return the width of the paragraph's longest line when nothing is wrapped, and of its longest word."""
    type_size = font_size(paragraph, size)
    indent = _indent(paragraph)
    longest = widest = 0
    for line in paragraph.text.split("\n"):
        longest = max(longest, len(line) + 3 * line.count("\t"))
        widest = max(widest, max(map(len, line.split()), default=0))
    unit = CHARACTER_WIDTH * type_size
    return indent + unit * longest, indent + unit * widest


def typeset(paragraph: Paragraph, width: float, size: float = FONT_SIZE) -> Iterator[list[TextRun]]:
    """Yield the paragraph's lines within ``width`` points, each as runs whose ``top`` is 0.

    An empty line has no runs. A word wider than the line is narrowed to it.
    """
    type_size = font_size(paragraph, size)
    indent = min(_indent(paragraph), 0.6 * width)
    label, item = paragraph.label, paragraph.item
    for line in paragraph.text.split("\n"):
        for words in _wrapped(line, label, paragraph, indent, width, type_size):
            runs = _runs(words, type_size, paragraph.heading)
            if runs:
                runs[0].item, item = item, 0
            yield runs
        label = ""


def _indent(paragraph: Paragraph) -> float:
    label = CHARACTER_WIDTH * FONT_SIZE * (len(paragraph.label) + 1) if paragraph.label else 0.0
    return paragraph.indent + max(INDENT * paragraph.item, label)


def _wrapped(
    line: str, label: str, paragraph: Paragraph, indent: float, width: float, size: float
) -> Iterator[list[PlacedWord]]:
    """Yield the words of one line of text, wrapped and preceded by ``label``."""
    unit = CHARACTER_WIDTH * size
    words: list[PlacedWord] = []
    if label:
        start = max(indent - unit * (len(label) + 1), 0.0)
        words.append(_fitted(start, unit * len(label), width, label))
    if paragraph.literal:
        for match in _WORD.finditer(line.expandtabs(8)):
            words.append(_fitted(indent + unit * match.start(), unit * len(match[0]), width, match[0]))
        yield words
        return
    at, fixed = indent, len(words)
    for index, chunk in enumerate(line.split("\t")):
        if index:
            after = _TAB_GAP * size if words else 1.0
            stop = _next_stop(at + after, paragraph.tabs)
            room = unit * len(chunk) * {"left": 0.0, "center": 0.5, "right": 1.0}[stop.align]
            at = max(stop.position - room, at + after)
        for text in chunk.split():
            wide = unit * len(text)
            if at + wide > width + 0.01 and len(words) > fixed:
                yield _aligned(words, paragraph.align, width)
                words, at, fixed = [], indent, 0
            words.append(_fitted(at, wide, width, text))
            at = words[-1].right + unit
    yield _aligned(words, paragraph.align, width)


def _fitted(left: float, wide: float, width: float, text: str) -> PlacedWord:
    left = min(left, max(0.0, width - 1))
    return PlacedWord(left, min(left + wide, width), text)


def _next_stop(at: float, tabs: Sequence[TabStop]) -> TabStop:
    for stop in tabs:
        if stop.position >= at:
            return stop
    return TabStop((at // _TAB + 1) * _TAB)


def _aligned(words: list[PlacedWord], align: Align, width: float) -> list[PlacedWord]:
    if align == "left" or not words:
        return words
    room = max(0.0, width - words[-1].right) * (0.5 if align == "center" else 1.0)
    return [PlacedWord(left + room, right + room, text) for left, right, text in words]


def _runs(words: list[PlacedWord], size: float, heading: int) -> list[TextRun]:
    runs: list[TextRun] = []
    for word in words:
        if runs and word.left - runs[-1].words[-1].right < 0.9 * size:
            runs[-1].words.append(word)
        else:
            runs.append(TextRun([word], 0.0, size, heading))
    return runs
