"""Long numbers that pages print in groups, with blanks, points and hyphens."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from docduck.documents.document import Box, Document, Word
from docduck.extraction.result import Location

_GROUP = re.compile(r"[0-9][0-9.\-/]{0,79}")
_NOT_DIGITS = re.compile(r"[^0-9]")
_MOST_GROUPS = 16
"""Words of one number; that of a receipt may be in eleven groups of four digits."""


def find_digit_runs(document: Document, lengths: Collection[int]) -> Iterator[tuple[str, Location]]:
    """Yield the numbers of so many digits that consecutive words of a page make, as they are printed."""
    fewest, most = min(lengths), max(lengths)
    for page in document.pages:
        run: list[tuple[str, Word]] = []
        for word in [word for line in page.lines for word in line.words] + [None]:
            if word is not None and _GROUP.fullmatch(word.text):
                run.append((_NOT_DIGITS.sub("", word.text), word))
                continue
            if run and sum(len(digits) for digits, _ in run) >= fewest:
                for start, end in _windows([len(digits) for digits, _ in run], lengths, most):
                    words = [word for _, word in run[start:end]]
                    text = " ".join(word.text for word in words)
                    box = Box.around(word.box for word in words)
                    yield "".join(digits for digits, _ in run[start:end]), Location(page.number, box, text)
            run = []


def _windows(sizes: Sequence[int], lengths: Collection[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last groups, the latter excluded, that have one of some numbers of digits."""
    for start in range(len(sizes)):
        total = 0
        for end in range(start, min(len(sizes), start + _MOST_GROUPS)):
            total += sizes[end]
            if total in lengths:
                yield start, end + 1
            if total >= most:
                break
