"""A document as one running text that knows where on the pages each of its characters stands."""

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
"""A line pitch beyond this many of the page's usual ones begins a paragraph."""
_RUNNING = 7
"""Words from which a line can be running text."""
_PLAIN = 0.3
"""The share of words in small letters that a line of running text has at least (German capitalises nouns)."""
_LONGEST_SENTENCE = 10_000
"""Characters of a sentence at most; lists and tables have no full stop that ends one."""
_HYPHENATED = re.compile(r"[a-zà-ÿ]{2}[-\u00ad]$")
_END = re.compile(r"[.!?][\"”’'»)\]]{0,3}\s+(?=[“\"„‘«(\[]{0,2}[A-ZÀ-Þ0-9§])|\n\n")
_LAST_WORD = re.compile(r"[\w.&'’]+\.$")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line, or one cell of a table: its span in the text, and the words it is made of."""

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


class Prose:
    """The text of a document. Lines end in ``\\n``, paragraphs in ``\\n\\n``.

    ``flat`` is the text with spaces for line ends, ``low`` the same in lower case; both have the length of
    ``text``. Running heads after the first page and page numbers are left out; a word parted at a line's end
    is whole again.
    """

    def __init__(self, document: Document) -> None:
        self.lines: list[TextLine] = []
        self.pages = document.pages
        self._parts: list[str] = []
        self._length = 0
        self.ocr = False
        marked = cleaning.is_marked(document)
        heads = frozenset[str]() if marked else cleaning.running_headers(document.pages)
        for index, page in enumerate(document.pages):
            self._add(index, page, marked, heads if index else frozenset())
        self.text = "".join(self._parts)
        self.flat = self.text.replace("\n", " ")
        self.low = self.flat.replace("İ", "I").lower()
        self._starts = [line.start for line in self.lines]

    def _add(self, index: int, page: Page, marked: bool, heads: frozenset[str]) -> None:
        lines = page.lines
        pitch = _pitch(lines)
        last = len(lines) - 1
        top = None
        row = self.lines[-1].row if self.lines else 0
        for position, line in enumerate(lines):
            at_edge = position < 3 or position > last - 3
            if at_edge and not marked:
                text = line.text
                alone = position in (0, last - 1, last) and cleaning.is_page_number(text)
                if alone or (heads and cleaning.header_form(text) in heads):
                    continue
            apart = False
            if top is None or abs(line.box.top - top) > 0.3 * line.box.height:
                row += 1
                apart = top is not None and pitch > 0 and line.box.top - top > _PARAGRAPH * pitch
                top = line.box.top
            for count, run in enumerate(cleaning.runs(line, marked)):
                self._append(index, run, row, line.heading, apart and not count)

    def _append(self, page: int, run: cleaning.Run, row: int, heading: int, apart: bool) -> None:
        words, texts = run
        text = " ".join(texts)
        if self._parts:
            before = self._parts[-1]
            if not apart and _HYPHENATED.search(before) and text[:1].islower():
                cut = before[:-1]
                self._length -= len(before) - len(cut)
                self._parts[-1] = cut
                last = self.lines[-1]
                self.lines[-1] = replace(last, end=self._length)
            else:
                ends = "\n\n" if apart or heading or self.lines[-1].heading else "\n"
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
        """The share of words that stand in running text, 0–1: lines of some words, few of them numbers."""
        total = running = 0
        for line in self.lines[:3000]:
            count = len(line.texts)
            total += count
            if count >= _RUNNING:
                plain = sum(1 for text in line.texts if text.islower())
                running += count if plain >= _PLAIN * count else 0
        return running / total if total else 0.0

    @cached_property
    def words(self) -> int:
        """The number of words."""
        return sum(len(line.words) for line in self.lines)

    def line_index(self, position: int) -> int:
        """Return the index of the line that ``position`` stands on."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def line_text(self, index: int) -> str:
        """Return the text of one line."""
        line = self.lines[index]
        return self.text[line.start : line.end]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The spans of the sentences; a paragraph's end ends one, an abbreviation's point does not."""
        spans: list[tuple[int, int]] = []
        start = 0
        for match in _END.finditer(self.text):
            if self.text[match.start()] == "." and _abbreviated(self.text, match.start()):
                continue
            if match.start() > start:
                spans += _cut(start, match.end())
            start = match.end()
        if start < len(self.text):
            spans += _cut(start, len(self.text))
        return spans

    def sentence(self, position: int) -> tuple[int, int]:
        """Return the span of the sentence around ``position``."""
        starts = self.sentence_starts
        return self.sentences[max(bisect_right(starts, position) - 1, 0)]

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Where each sentence begins."""
        return [start for start, _ in self.sentences] or [0]

    def locations(self, start: int, end: int) -> tuple[Location, ...]:
        """Return where the characters ``start`` to ``end`` stand: one location per line."""
        found = []
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
                found.append(Location(number, box, " ".join(text for text, _ in words)))
            index += 1
        return tuple(found)

    def ocr_score(self, start: int, end: int) -> float:
        """Return the reader's own certainty of the words from ``start`` to ``end``: the lowest of them."""
        first, last = self.line_index(start), self.line_index(max(end - 1, start))
        return min((w.score for line in self.lines[first : last + 1] for w in line.words), default=1.0)


def _cut(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence's span, in pieces where it is longer than any sentence is."""
    for at in range(start, end, _LONGEST_SENTENCE):
        yield at, min(at + _LONGEST_SENTENCE, end)


def _abbreviated(text: str, point: int) -> bool:
    """Return whether the point at ``point`` belongs to an abbreviation or an initial."""
    match = _LAST_WORD.search(text[max(point - 14, 0) : point + 1])
    if match is None:
        return False
    word = match[0][:-1]
    return (len(word) == 1 and word.isupper()) or word.lower() in words("abbreviations")


def _pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of two lines of a page, in its height; 0 for a page of one line."""
    tops = [line.box.top for line in lines]
    height = lines[0].box.height if lines else 0.0
    steps = [b - a for a, b in pairwise(tops) if b - a > 0.3 * height]
    return median(steps) if steps else 0.0
