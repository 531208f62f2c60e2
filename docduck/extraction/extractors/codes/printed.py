"""Where the pages print a value that a code states in another form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import islice

from docduck.documents.document import Box, Document, Line, Word
from docduck.extraction.normal_text import key
from docduck.extraction.result import Location
from docduck.extraction.values.dates import find_dates, repair_date

_MOST_WORDS = 20
"""Words of a printed value at most."""
_MOST_TRIED = 100
"""Words that are compared with their labels, and labels."""
_SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "þ": "th"}
"""Letters that ICAO Doc 9303, part 3, section 6 spells with two others."""
_AROUND = ",;:.()[]|*"
_LABEL_ABOVE, _LABEL_WIDTH = 3.0, 0.04
"""How far above a value its label may be, in its heights, and beside it, in 0–1 of the page."""


class PrintedText:
    """The text of a document, without the lines of its machine-readable zones."""

    def __init__(self, document: Document, zones: Collection[int]) -> None:
        self._pages = document.pages
        self._zones = zones
        """The ids of the lines that are zones."""

    @cached_property
    def _lines(self) -> list[tuple[int, Line]]:
        return [
            (page.number, line) for page in self._pages for line in page.lines if id(line) not in self._zones
        ]

    def find(self, value: str, *, name: bool = False, may_go_on: bool = False) -> Location | None:
        """Return the printed text with the letters and digits of ``value``, a whole line first.

        A ``name`` may have a number glued to its front, accents, and letters that codes spell with two.
        """
        found = list(self._windows(key(value), name, may_go_on)) if key(value) else []
        return max(found, key=lambda one: one[0], default=(False, None))[1]

    def _windows(self, form: str, name: bool, may_go_on: bool) -> Iterator[tuple[bool, Location]]:
        for page, line in self._lines:
            for spelled in (False, True) if name and not line.text.isascii() else (False,):
                keys = [_key(word, name, spelled) for word in line.words]
                for start, end in _spans(keys, form, may_go_on):
                    words = line.words[start:end]
                    text = " ".join([_bare(words[0].text, name), *(word.text for word in words[1:])])
                    whole = len(words) == len(line.words)
                    yield whole, Location(page, Box.around(word.box for word in words), text.strip(_AROUND))

    def find_labelled(self, value: str, labels: Collection[str]) -> Location | None:
        """Return a word of this value that is printed below or behind one of some labels, in normal form."""
        announcing = self._labelling(labels)
        same = (
            (page, word) for page, line in self._lines for word in line.words if key(word.text) == key(value)
        )
        for page, word in islice(same, _MOST_TRIED if announcing else 0):
            if any(number == page and _announces(line, word) for number, line in announcing):
                return Location(page, word.box, word.text.strip(_AROUND))
        return None

    def find_exact(self, value: str) -> Location | None:
        """Return the word that prints ``value`` with its signs."""
        for page, line in self._lines:
            for word in line.words:
                if _bare(word.text, name=False).strip(_AROUND) == value:
                    return Location(page, word.box, value)
        return None

    def find_date(self, date: dt.date) -> Location | None:
        """Return the words that print a date and nothing else."""
        for page, line in self._lines:
            for match in find_dates(repair_date(line.text)):
                if date in match.readings:
                    words = _words_of(line, match.start, match.end)
                    text = " ".join(word.text for word in words)
                    if key(_bare(text, name=False)) == key(line.text[match.start : match.end]):
                        return Location(page, Box.around(word.box for word in words), text)
        return None

    def has_label(self, labels: Collection[str]) -> bool:
        """Return whether a label is printed."""
        return bool(self._labelling(labels))

    def _labelling(self, labels: Collection[str]) -> list[tuple[int, Line]]:
        """Return the first lines that have a label in them."""
        named = (
            (page, line)
            for page, line in self._lines
            if any(label in key(line.text[:200]) for label in labels)
        )
        return list(islice(named, _MOST_TRIED))


def _announces(line: Line, word: Word) -> bool:
    """Return whether a line is above a word, or begins before it at the same height."""
    drop = word.box.middle - line.box.middle
    is_behind = abs(drop) < word.box.height / 2 and line.box.left < word.box.left
    is_over = line.box.left - _LABEL_WIDTH <= word.box.left <= line.box.right
    return is_behind or (is_over and 0 < drop <= _LABEL_ABOVE * word.box.height)


def _spans(keys: Sequence[str], form: str, may_go_on: bool) -> Iterator[tuple[int, int]]:
    """Yield the first and last words, the latter excluded, whose normal forms make ``form``."""
    for start, first in enumerate(keys):
        made = ""
        for end in range(start, min(len(keys), start + _MOST_WORDS) if first else start):
            made += keys[end]
            if made == form or (may_go_on and made.startswith(form)):
                yield start, end + 1
                break
            if not form.startswith(made):
                break


def _words_of(line: Line, start: int, end: int) -> list[Word]:
    """Return the words of a line that have a part of its text."""
    words, at = [], 0
    for word in line.words:
        if at < end and start < at + len(word.text):
            words.append(word)
        at += len(word.text) + 1
    return words


def _key(word: Word, name: bool, spelled: bool) -> str:
    text = _bare(word.text, name)
    if spelled:
        text = "".join(_SPELLED.get(char, char) for char in text.lower())
    return key(text)


def _bare(text: str, name: bool) -> str:
    """Return a word without the label before its colon, and a name without the number of its field."""
    text = text.rpartition(":")[2] if text[-1:] != ":" else text
    return text.lstrip("0123456789") if name else text
