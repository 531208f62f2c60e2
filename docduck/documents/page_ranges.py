"""The grammar of ``parsePages``, and page numbers written as ranges.

``list = item ("," item)*``; ``item = N | N-M | N- | last | last-K | N-last | odd | even | [A]n[+B|-B]``.
Pages count from 1, ranges are inclusive, spaces are ignored, and digits are ASCII. ``An+B`` are the pages
A·n+B for n = 0, 1, 2… that are at least 1. Pages past the end are dropped.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from docduck.errors import InputError

_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}|last)?)?")
_LAST = re.compile(r"last(?:-([0-9]{1,9}))?")
_STEP = re.compile(r"([0-9]{0,9})n(?:([+-])([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True)
class Span:
    """Pages from ``first`` to ``last``, both inclusive; ``None`` as ``last`` is the file's last page.

    With ``back``, it is only the page that many before the last.
    """

    first: int
    last: int | None
    back: int | None = None

    def pages(self, page_count: int) -> range:
        """Return the pages of this span within 1…``page_count``."""
        if self.back is not None:
            page = page_count - self.back
            return range(max(page, 1), page + 1)
        last = page_count if self.last is None else min(self.last, page_count)
        return range(self.first, last + 1)


@dataclass(frozen=True, slots=True)
class Step:
    """The pages ``every``·n + ``offset`` for n = 0, 1, 2… that are at least 1."""

    every: int
    offset: int

    def pages(self, page_count: int) -> range:
        """Return the pages of this progression within 1…``page_count``."""
        first = self.offset
        if first < 1:
            first += -(-(1 - first) // self.every) * self.every
        return range(first, page_count + 1, self.every)


@dataclass(frozen=True, slots=True)
class PageSelection:
    """A parsed expression; no items select every page."""

    items: tuple[Span | Step, ...] = ()

    def select(self, page_count: int, most: int | None = None) -> list[int]:
        """Return the selected page numbers of a file of ``page_count`` pages, ascending, each once.

        At most the first ``most`` of them; a file may claim to have very many pages.
        """
        items = self.items or (Span(1, None),)
        pages = heapq.merge(*(item.pages(page_count) for item in items))
        return list(islice((page for page, _ in groupby(pages)), most))


def ranges_of(pages: Iterable[int], dash: str = "-") -> Iterator[str]:
    """Yield ascending page numbers as ranges: ``4-6``."""
    for _, group in groupby(enumerate(pages), lambda pair: pair[1] - pair[0]):
        first, *rest = (page for _, page in group)
        yield f"{first}{dash}{rest[-1]}" if rest else f"{first}"


def parse_pages(expression: str | None) -> PageSelection:
    """Parse ``expression``; ``None`` and the empty string select every page.

    Raise ``InputError`` naming the item that breaks the grammar.
    """
    text = "".join((expression or "").split())
    if not text:
        return PageSelection()
    return PageSelection(tuple(_parse_item(item) for item in text.split(",")))


def parse_item(expression: str) -> PageSelection:
    """Parse one item (no commas), as ``pageRanges`` splitting needs it. Raise ``InputError``."""
    return PageSelection((_parse_item("".join(expression.split())),))


def _parse_item(item: str) -> Span | Step:
    if item == "odd":
        return Step(2, 1)
    if item == "even":
        return Step(2, 2)
    if match := _LAST.fullmatch(item):
        return Span(1, None, back=int(match[1] or 0))
    if match := _RANGE.fullmatch(item):
        first = int(match[1])
        open_end = item.endswith("-") or match[2] == "last"
        last = None if open_end else int(match[2] or first)
        if first >= 1 and (last is None or last >= first):
            return Span(first, last)
    elif match := _STEP.fullmatch(item):
        every = int(match[1] or 1)
        offset = int(match[3] or 0) * (-1 if match[2] == "-" else 1)
        if every >= 1:
            return Step(every, offset)
    raise InputError(
        f"'{item}' is not a page or page range; write pages like 1, 2-4, 5-, last, odd, even or 2n+1",
        path="parsePages",
    )
