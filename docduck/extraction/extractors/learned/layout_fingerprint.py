"""The look of a document: the words that one sender's documents share, and where they stand."""

from __future__ import annotations

from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.page.page_view import PageViews

ALIKE = 0.4
"""The likeness from which two documents count as one look."""

_COLUMNS = 25
_LEAST_LETTERS = 3
_MOST_MARKS = 400


def fingerprint_of(view: PageViews) -> LayoutFingerprint:
    """Return the look of a document."""
    words: dict[str, None] = {}
    marks: dict[str, None] = {}
    for page in view.pages[:1]:
        for segment in page.segments:
            for token in segment.tokens:
                if len(token.key) >= _LEAST_LETTERS and not any(c.isdigit() for c in token.key):
                    words[token.key] = None
                    marks[f"{token.key}@{round(token.left / page.width * _COLUMNS)}"] = None
    return LayoutFingerprint(frozenset(list(words)[:_MOST_MARKS]), frozenset(list(marks)[:_MOST_MARKS]))
