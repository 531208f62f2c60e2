"""The places on pages that show a given value.

A value that somebody typed or a language model returned is compared by its type, so that ``2024-03-01`` is
found in ``1 March 2024``, and ``1234.5`` in ``1.234,50 €``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import accumulate
from typing import Any

from docduck.documents.document import Box, Document, Page, Word
from docduck.extraction.normal_text import value_key
from docduck.extraction.result import Location
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import parse_number
from docduck.fields import NUMERIC, FieldType

_MOST_WORDS_OF_A_NUMBER = 4
_LEAST_DIGITS = 3
"""Digits by which a number is known without its separators."""
_CENTS = Decimal("0.01")
_AHEAD = 100
"""Pages on which the next place of a value is looked for."""
_SLACK = 0.006

Height = tuple[int, float]
"""A page's number and an upper edge on it, 0–1."""


class Lookup:
    """The words of a document, indexed to look up many values."""

    def __init__(self, document: Document) -> None:
        self._pages = [_PageText(page) for page in document.pages]

    def places(self, value: Any, kind: FieldType) -> list[tuple[Location, ...]]:
        """Return all places that show ``value`` of type ``kind``, in reading order: a location for each line.

        None for booleans and empty values, which no words need show.
        """
        if value is None or isinstance(value, bool | list | dict) or kind is FieldType.BOOLEAN:
            return []
        spans = self._spans(self._pages, value, kind)
        return [_locations(page.page, page.words[first:last]) for page, first, last in spans]

    def number_with_digits(self, value: float, pages: Container[int]) -> Decimal | None:
        """Return the number that ``pages`` print with the digits of ``value`` and the separators elsewhere.

        ``5.90555`` or ``590555`` is found in ``5.905,55``. None if several such numbers are printed.
        """
        digits = _digits(Decimal(str(value)))
        if len(digits) < _LEAST_DIGITS:
            return None
        here = (page for page in self._pages if page.page.number in pages)
        found = {number for page in here for number in page.numbers if _digits(number) == digits}
        return found.pop() if len(found) == 1 else None

    def next_place(self, value: Any, kind: FieldType, start: Height) -> tuple[Location, ...]:
        """Return the first place of ``value`` from ``start`` on, at most ``_AHEAD`` pages later."""
        first_page = bisect_left(self._pages, start[0], key=lambda page: page.page.number)
        ahead = self._pages[first_page : first_page + _AHEAD]
        for page, first, last in self._spans(ahead, value, kind):
            number, top = page.page.number, page.words[first].box.top
            if number > start[0] or height(number, top) >= start:
                place = _locations(page.page, page.words[first:last])
                if height(place[0].page, place[0].box.top) >= start:
                    return place
        return ()

    def _spans(
        self, pages: Iterable[_PageText], value: Any, kind: FieldType
    ) -> Iterator[tuple[_PageText, int, int]]:
        number = _number(value) if kind in NUMERIC else None
        text = value_key(str(value))
        for page in pages:
            if number is not None:
                spans: Iterable[tuple[int, int]] = page.numbers.get(number, ())
            elif kind is FieldType.DATE:
                spans = page.dates.get(str(value)[:10], ())
            else:
                spans = page.texts(text)
            yield from ((page, first, last) for first, last in spans)


def height(page: int, top: float) -> Height:
    """Return the position of a box, with some slack for words of one line that differ in height."""
    return page, round(top - _SLACK, 4)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, int | float):
        try:
            return abs(Decimal(str(value))).quantize(_CENTS)
        except InvalidOperation:
            return None
    number = parse_number(str(value))
    return None if number is None else abs(number).quantize(_CENTS)


def _digits(number: Decimal) -> str:
    """Return the digits of a number without zeros at its ends."""
    return "".join(map(str, number.as_tuple().digits)).strip("0")


class _PageText:
    """A page's words; ``text`` is all their keys in a row, and word ``n`` begins at ``starts[n]``."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.words = page.words
        keys = [value_key(word.text) for word in self.words]
        self.text = "".join(keys)
        self.starts = [0, *accumulate(len(key) for key in keys)][:-1]

    def texts(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield spans of whole words whose keys make up ``text``."""
        if not text:
            return
        at = self.text.find(text)
        while at >= 0:
            end = at + len(text)
            first, last = bisect_right(self.starts, at) - 1, bisect_left(self.starts, end)
            if self.starts[first] == at and (last == len(self.starts) or self.starts[last] == end):
                yield first, last
            at = self.text.find(text, at + 1)

    @cached_property
    def numbers(self) -> dict[Decimal, list[tuple[int, int]]]:
        """Spans of words that together write a number, by its amount in cents' precision."""
        by_number: dict[Decimal, list[tuple[int, int]]] = defaultdict(list)
        for first in range(len(self.words)):
            text, seen = "", set[Decimal]()
            for last in range(first, min(first + _MOST_WORDS_OF_A_NUMBER, len(self.words))):
                text = f"{text} {self.words[last].text}".strip()
                fresh = {abs(number).quantize(_CENTS) for number in _readings(text)} - seen
                seen |= fresh
                for number in fresh:
                    by_number[number].append((first, last + 1))
                if not text[-1:].isdigit():
                    break
        return by_number

    @cached_property
    def dates(self) -> dict[str, list[tuple[int, int]]]:
        """Spans of words that write a date, by each of its readings (``YYYY-MM-DD``)."""
        by_day: dict[str, set[tuple[int, int]]] = defaultdict(set)
        starts = [0, *accumulate(len(word.text) + 1 for word in self.words)][:-1]
        text = " ".join(word.text for word in self.words)
        for match in (*find_dates(text), *find_dates(text, year_first=True)):
            span = bisect_right(starts, match.start) - 1, bisect_left(starts, match.end)
            for reading in match.readings:
                by_day[reading.isoformat()].add(span)
        return {iso: sorted(spans) for iso, spans in by_day.items()}


def _readings(text: str) -> Iterator[Decimal]:
    """Yield the number that a text is, its separators read either way."""
    bare = text.strip("$€£¥%()[]:;*|+-−–/= ").rstrip(".,").strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    for decimal in (".", ","):
        try:
            number = parse_number(bare, decimal)
        except InvalidOperation:
            continue
        if number is not None and abs(number) < Decimal(10) ** 24:
            yield number


def _locations(page: Page, words: Sequence[Word]) -> tuple[Location, ...]:
    """Return a location for each line of the words."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and _same_line(lines[-1][-1].box, word.box):
            lines[-1].append(word)
        else:
            lines.append([word])
    return tuple(
        Location(page.number, Box.around(word.box for word in line), " ".join(word.text for word in line))
        for line in lines
    )


def _same_line(before: Box, after: Box) -> bool:
    return after.left >= before.left and abs(after.middle - before.middle) < 0.6 * max(
        before.height, after.height
    )
