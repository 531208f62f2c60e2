"""Layout fingerprints: the words that one sender's documents share, with their columns."""

from __future__ import annotations

from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.page.page_view import PageViews

MIN_SIMILARITY = 0.4
"""Minimum similarity of documents with the same layout."""

_COLUMNS = 25
_MIN_LETTERS = 3
_MAX_MARKS = 400


def fingerprint_of(view: PageViews) -> LayoutFingerprint:
    """Return the layout fingerprint of a document."""
    words: dict[str, None] = {}
    marks: dict[str, None] = {}
    for page in view.pages[:1]:
        for segment in page.segments:
            for token in segment.tokens:
                if len(token.key) >= _MIN_LETTERS and not any(c.isdigit() for c in token.key):
                    words[token.key] = None
                    marks[f"{token.key}@{round(token.left / page.width * _COLUMNS)}"] = None
    return LayoutFingerprint(frozenset(list(words)[:_MAX_MARKS]), frozenset(list(marks)[:_MAX_MARKS]))
