"""A document as running text that knows the place of each character on the pages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.extractors.prose.lexicon import words
from docduck.extraction.extractors.prose.text import cleaning
from docduck.extraction.result import Location

_PARAGRAPH = 1.45
"""Multiple of the page's usual line pitch that begins a paragraph."""
_MIN_WORDS = 7
"""Minimum number of words of a line of running text."""
_MIN_LOWER_CASE = 0.3
"""Minimum share of lower-case words in running text (German capitalises nouns)."""
_MAX_SENTENCE = 10_000
"""Maximum length of a sentence; lists and tables have no full stops."""
_HYPHENATED = re.compile(r"[a-zà-ÿ]{2}[-\u00ad]$")
_END = re.compile(r"[.!?][\"”’'»)\]]{0,3}\s+(?=[“\"„‘«(\[]{0,2}[A-ZÀ-Þ0-9§])|\n\n")
_LAST_WORD = re.compile(r"[\w.&'’]+\.$")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line or table cell: its span in the text, and its words."""

    start: int
    end: int
    page: int
    words: Sequence[Word]
    texts: Sequence[str]
    row: int
    heading: int = 0

    @property
    def left(self) -> float:
        return self.words[0].box.left

    @property
    def right(self) -> float:
        return self.words[-1].box.right


@dataclass(frozen=True, slots=True)
class ProseFinding:
    """A value, its span in the text, and a weight, 0–1, for ranking."""

    value: str
    start: int
    end: int
    weight: float


class Prose:
    """The text of a document. Lines end in a newline, paragraphs in two.

    ``flat`` is the text with spaces for line ends, ``low`` the same in lower case; both have the length of
    ``text``. Running headers after the first page and page numbers are left out. A word hyphenated at a
    line's end is joined.
    """

    def __init__(self, document: Document) -> None:
        self.lines: list[TextLine] = []
        self.pages = document.pages
        self._parts: list[str] = []
        self._length = 0
        markdown = cleaning.is_markdown(document)
        heads = frozenset[str]() if markdown else cleaning.running_headers(document.pages)
        for index, page in enumerate(document.pages):
            self._add(index, page, markdown, heads if index else frozenset())
        self.text = "".join(self._parts)
        self.flat = self.text.replace("\n", " ")
        self.low = self.flat.replace("İ", "I").lower()
        self._starts = [line.start for line in self.lines]

    def _add(self, index: int, page: Page, markdown: bool, heads: frozenset[str]) -> None:
        lines = page.lines
        pitch = _pitch(lines)
        last = len(lines) - 1
        top = None
        row = self.lines[-1].row if self.lines else 0
        for position, line in enumerate(lines):
            at_edge = position < 3 or position > last - 3
            if at_edge and not markdown:
                text = line.text
                alone = position in (0, last - 1, last) and cleaning.is_page_number(text)
                if alone or (heads and cleaning.header_form(text) in heads):
                    continue
            is_paragraph = False
            if top is None or abs(line.box.top - top) > 0.3 * line.box.height:
                row += 1
                is_paragraph = top is not None and pitch > 0 and line.box.top - top > _PARAGRAPH * pitch
                top = line.box.top
            for count, run in enumerate(cleaning.runs(line, markdown)):
                self._append(index, run, row, line.heading, is_paragraph and not count)

    def _append(self, page: int, run: cleaning.Run, row: int, heading: int, is_paragraph: bool) -> None:
        words, texts = run
        text = " ".join(texts)
        if self._parts:
            before = self._parts[-1]
            if not is_paragraph and _HYPHENATED.search(before) and text[:1].islower():
                cut = before[:-1]
                self._length -= len(before) - len(cut)
                self._parts[-1] = cut
                last = self.lines[-1]
                self.lines[-1] = replace(last, end=self._length)
            else:
                ends = "\n\n" if is_paragraph or heading or self.lines[-1].heading else "\n"
                self._parts.append(ends)
                self._length += len(ends)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self.lines.append(TextLine(start, self._length, page, words, texts, row, heading))

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def share(self) -> float:
        """The share, 0–1, of words in running text: lines of some words, few of them numbers."""
        total = running = 0
        for line in self.lines[:3000]:
            count = len(line.texts)
            total += count
            if count >= _MIN_WORDS:
                plain = sum(1 for text in line.texts if text.islower())
                running += count if plain >= _MIN_LOWER_CASE * count else 0
        return running / total if total else 0.0

    def line_index(self, position: int) -> int:
        """Return the index of the line that holds ``position``."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def line_text(self, index: int) -> str:
        """Return the text of one line."""
        line = self.lines[index]
        return self.text[line.start : line.end]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The spans of the sentences; they end at a paragraph's end, but not at an abbreviation."""
        spans: list[tuple[int, int]] = []
        start = 0
        for match in _END.finditer(self.text):
            if self.text[match.start()] == "." and _is_abbreviation(self.text, match.start()):
                continue
            if match.start() > start:
                spans += _cut(start, match.end())
            start = match.end()
        if start < len(self.text):
            spans += _cut(start, len(self.text))
        return spans

    def sentence(self, position: int) -> tuple[int, int]:
        """Return the span of the sentence at ``position``."""
        starts = self.sentence_starts
        return self.sentences[max(bisect_right(starts, position) - 1, 0)]

    @cached_property
    def sentence_starts(self) -> list[int]:
        """The start of each sentence."""
        return [start for start, _ in self.sentences] or [0]

    def locations(self, start: int, end: int) -> tuple[Location, ...]:
        """Return the locations of the characters ``start`` to ``end``, one per line."""
        locations = []
        index = self.line_index(start)
        while index < len(self.lines) and self.lines[index].start < end:
            line = self.lines[index]
            at, words = line.start, []
            for text, word in zip(line.texts, line.words, strict=True):
                if at < end and at + len(text) > start:
                    words.append((text, word))
                at += len(text) + 1
            if words:
                box = Box.around(word.box for _, word in words)
                number = self.pages[line.page].number
                locations.append(Location(number, box, " ".join(text for text, _ in words)))
            index += 1
        return tuple(locations)

    def ocr_score(self, start: int, end: int) -> float:
        """Return the lowest OCR score of the words from ``start`` to ``end``."""
        first, last = self.line_index(start), self.line_index(max(end - 1, start))
        return min((w.score for line in self.lines[first : last + 1] for w in line.words), default=1.0)


def _cut(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence's span, divided if it is too long."""
    for at in range(start, end, _MAX_SENTENCE):
        yield at, min(at + _MAX_SENTENCE, end)


def _is_abbreviation(text: str, point: int) -> bool:
    """Return whether the full stop at ``point`` belongs to an abbreviation or initial."""
    match = _LAST_WORD.search(text[max(point - 14, 0) : point + 1])
    if match is None:
        return False
    word = match[0][:-1]
    return (len(word) == 1 and word.isupper()) or word.lower() in words("abbreviations")


def _pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of two lines, as a share of the page's height; 0 for a page of one line."""
    tops = [line.box.top for line in lines]
    height = lines[0].box.height if lines else 0.0
    steps = [b - a for a, b in pairwise(tops) if b - a > 0.3 * height]
    return median(steps) if steps else 0.0
