"""Reading the pages of a file one after the other, within a number of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from docduck.documents.document import Box, Line, Page


def read_pages(
    numbers: Iterable[int], read: Callable[[int], Page | None], max_words: int, warnings: list[str]
) -> Iterator[Page]:
    """Yield the page that ``read`` returns for each of ``numbers``, except None.

    The page on which the words exceed ``max_words`` is cut, later ones are not read; both add a warning.
    """
    left = max_words
    for number in numbers:
        if left <= 0:
            warnings.append(
                f"Only the first {max_words} words were read; page {number} and later were left out"
            )
            return
        page = read(number)
        if page is None:
            continue
        count = sum(len(line.words) for line in page.lines)
        if count > left:
            page.lines = list(_first(page.lines, left))
            warnings.append(f"Only the first {left} of {count} words of page {number} were read")
        left -= count
        yield page


def _first(lines: Iterable[Line], words: int) -> Iterator[Line]:
    """Yield the lines up to a number of words."""
    for line in lines:
        if len(line.words) > words:
            words_ = line.words[:words]
            if words_:
                yield replace(line, words=words_, box=Box.around(word.box for word in words_))
            return
        words -= len(line.words)
        yield line
