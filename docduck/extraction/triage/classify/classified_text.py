"""What classification reads of a document: its titles, its text, and the concepts of its labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from docduck.documents.document import Document, Line, Page
from docduck.extraction.extractors.layout.labels.label_finder import LabelFinder
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.triage.classify.kinds import plain

_PAGES = 3
_HEAD = 0.45
"""The part of the first page that has titles."""
_MOST_TITLE_WORDS = 10
_MOST_SHORT_WORDS = 6
_CALLING = (",", "!", ":")
_LARGE = 1.25
_NO_TITLE = 0.3
"""Subtracted from text that begins or ends like a label or a sentence."""


@dataclass(frozen=True, slots=True)
class Title:
    """A short line at the head of a page: its plain text, and 0–1 how much it looks like a title."""

    text: str
    printed: str
    weight: float


@dataclass(frozen=True, slots=True)
class ClassifiedText:
    """``text`` is plain, of the first pages and the last one; ``concepts`` are those that labels announce.

    ``content_type`` is the file's MIME type, ``short_lines`` are the lines of a few words, in order.
    """

    titles: tuple[Title, ...]
    text: str
    concepts: frozenset[str]
    content_type: str
    short_lines: tuple[str, ...] = ()


def classified_text(document: Document) -> ClassifiedText:
    """Return what classification reads of a document."""
    pages = document.pages[:_PAGES]
    if len(document.pages) > _PAGES:
        pages = [*pages, document.pages[-1]]
    views = [PageView(page) for page in pages]
    finder = LabelFinder([])
    concepts = {name for view in views[:_PAGES] for label in finder.find(view) for name in label.concepts}
    return ClassifiedText(
        titles_of(pages[0]) if pages else (),
        plain("\n".join(p.text for p in pages)),
        frozenset(concepts),
        document.content_type,
        short_lines(line for page in pages for line in page.lines),
    )


def short_lines(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the plain text of the lines of a few words; those that call somebody end with a comma."""
    return tuple(
        plain(line.text) + ("," if line.text.endswith(_CALLING) else "")
        for line in lines
        if len(line.words) <= _MOST_SHORT_WORDS
    )


def titles_of(page: Page) -> tuple[Title, ...]:
    """Return the lines of a page that may be its title, the likeliest first."""
    view = PageView(page)
    if not view.segments:
        return ()
    usual = median(segment.height for segment in view.segments)
    titles = [
        Title(plain(segment.text), segment.text, _weight(segment, view, usual))
        for segment in view.segments
        if segment.top < _HEAD * view.height and len(segment.tokens) <= _MOST_TITLE_WORDS
    ]
    return tuple(sorted((title for title in titles if title.text), key=lambda title: -title.weight))


def _weight(segment: Segment, view: PageView, usual: float) -> float:
    """Return a weight by size, capitals, position, and whether it is alone on its line."""
    weight = 0.45
    if segment.height > _LARGE * usual:
        weight += 0.35
    letters = [c for c in segment.text if c.isalpha()]
    if letters and all(c.isupper() for c in letters):
        weight += 0.1
    if len(view.rows[segment.row].segments) == 1:
        weight += 0.05
    if len(segment.tokens) > 5:
        weight -= 0.15
    if segment.text.endswith((":", ".", ";", ",")) or segment.text[0].islower() or segment.text[0] in '("“„«':
        weight -= _NO_TITLE
    return min(1.0, max(0.0, weight) + 0.1 * (1 - segment.top / (_HEAD * view.height)))
