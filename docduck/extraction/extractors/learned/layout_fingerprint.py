"""The look of a document: the words that one sender's documents share, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.extraction.page.page_view import DocumentView

ALIKE = 0.4
"""The likeness from which two documents count as one look."""

_COLUMNS = 25
_LEAST_LETTERS = 3
_MOST_MARKS = 400


@dataclass(frozen=True, slots=True)
class Look:
    """The first page's words without digits: ``words`` as they are, ``marks`` with the column of each."""

    words: frozenset[str]
    marks: frozenset[str]

    def likeness(self, other: Look) -> float:
        """How alike two looks are, 0–1: the mean share of common words and of common marks."""
        return (_shared(self.words, other.words) + _shared(self.marks, other.marks)) / 2


def look_of(view: DocumentView) -> Look:
    """The look of a document."""
    words: dict[str, None] = {}
    marks: dict[str, None] = {}
    for page in view.pages[:1]:
        for segment in page.segments:
            for token in segment.tokens:
                if len(token.key) >= _LEAST_LETTERS and not any(c.isdigit() for c in token.key):
                    words[token.key] = None
                    marks[f"{token.key}@{round(token.left / page.width * _COLUMNS)}"] = None
    return Look(frozenset(list(words)[:_MOST_MARKS]), frozenset(list(marks)[:_MOST_MARKS]))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both) if both else 0.0
