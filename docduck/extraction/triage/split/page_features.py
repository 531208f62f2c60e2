"""What a page shows of its position in its document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from docduck.documents.detection.content_types import PDF
from docduck.documents.document import Document, Page
from docduck.extraction.lexicon import entries
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.triage.classify.classified_text import short_lines, titles_of
from docduck.extraction.triage.classify.classifier import classify
from docduck.extraction.triage.classify.kinds import (
    closing_in,
    found_in,
    kinds,
    opening_in,
    phrases_of,
    plain,
    titles_in,
)
from docduck.extraction.triage.classify.labels import Label
from docduck.fields import Field

_HEAD, _EDGE = 0.18, 0.12
_MOST_EDGE_WORDS = 6
_BARE_NUMBER = re.compile(r"[-–—\s]*(\d{1,4})[-–—\s]*")
_FEW_WORDS = 12
_LEAST_TITLE = 0.45
_SURE = 0.5
_SHORTEST_NUMBER = 3


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page: ``counter`` is its "2 of 3", ``number`` a bare page number at its edge.

    ``identifiers`` are numbers of documents by their names, ``head`` the words at its top; ``title_kinds``
    are the kinds of documents that its title names, ``kinds`` the probability of each kind against none.
    ``opening`` and ``closing`` are lines with which the text of a document begins and ends.
    """

    width: float
    height: float
    blank: bool
    separator: bool
    continued: bool
    counter: tuple[int, int] | None
    number: int | None
    title: str
    title_weight: float
    title_kinds: frozenset[str]
    kinds: Mapping[str, float]
    opening: str
    closing: str
    identifiers: Mapping[str, str]
    head: frozenset[str]

    def like(self, other: PageFeatures) -> float:
        """Return how many words the heads of two pages share, 0–1."""
        if not self.head or not other.head:
            return 0.0
        return len(self.head & other.head) / len(self.head | other.head)


def features_of(page: Page) -> PageFeatures:
    """Return the features of a page."""
    text = plain(page.text)
    few = len(text.split()) <= _FEW_WORDS
    top = plain(" ".join(line.text for line in page.lines if line.box.middle < _HEAD))
    title, weight, named = _title(page)
    lines = short_lines(page.lines)
    return PageFeatures(
        width=page.width,
        height=page.height,
        blank=not text,
        separator=few and bool(found_in(text, _words("separators"))),
        continued=bool(found_in(top, _words("continued"))),
        counter=_counter(page),
        number=_number(page),
        title=title,
        title_weight=weight,
        title_kinds=named,
        kinds=_kinds(page) if text else {},
        opening=opening_in(lines, phrases_of("openings")) or "",
        closing=closing_in(lines, phrases_of("closings")) or "",
        identifiers=_identifiers(page) if text else {},
        head=frozenset(word for word in top.split() if not any(c.isdigit() for c in word)),
    )


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(plain(word) for word in entries("paging")[name])


@cache
def _counters() -> tuple[re.Pattern[str], re.Pattern[str]]:
    page, of = (
        "|".join(sorted(map(re.escape, entries("paging")[name]), key=len, reverse=True))
        for name in ("page", "of")
    )
    counted = rf"(\d{{1,4}})\s*(?:/|\\|(?:{of})\b)\s*(\d{{1,4}})"
    return (
        re.compile(rf"\b(?:{page})\b\s*[.:]?\s*(?:n[ro°º]\.?\s*)?{counted}(?!\d)", re.IGNORECASE),
        re.compile(rf"[-–—\s(\[]*{counted}[-–—\s)\]]*", re.IGNORECASE),
    )


def _counter(page: Page) -> tuple[int, int] | None:
    """Return the page's own count: "Page 2 of 3" anywhere, a bare "2/3" at the edges."""
    named, bare = _counters()
    match = named.search(" ".join(line.text for line in page.lines))
    for line in page.lines:
        if match is None and _at_edge(line.box.middle):
            match = bare.fullmatch(line.text)
    if match is None:
        return None
    number, count = int(match[1]), int(match[2])
    return (number, count) if 1 <= number <= count else None


def _number(page: Page) -> int | None:
    """Return a page number alone on its line, or after the word for it, at the page's edge."""
    words = _words("page")
    for line in reversed(page.lines):
        if not _at_edge(line.box.middle) or len(line.words) > _MOST_EDGE_WORDS:
            continue
        if match := _BARE_NUMBER.fullmatch(line.text):
            return int(match[1])
        parts = plain(line.text).split()
        if len(parts) == 2 and parts[0] in words and parts[1].isdigit() and len(parts[1]) <= 4:
            return int(parts[1])
    return None


def _at_edge(middle: float) -> bool:
    return middle < _EDGE or middle > 1 - _EDGE


def _title(page: Page) -> tuple[str, float, frozenset[str]]:
    """Return the likeliest line that names a kind of document, as printed."""
    for title in titles_of(page):
        named = {kind.name: titles_in(title.text, kind) for kind in kinds().values()}
        longest = max((len(texts[0]) for texts in named.values() if texts), default=0)
        best = frozenset(name for name, texts in named.items() if texts and len(texts[0]) == longest)
        if best and title.weight >= _LEAST_TITLE and longest >= len(title.text) / 2:
            return title.printed, title.weight, best
    return "", 0.0, frozenset()


def _kinds(page: Page) -> dict[str, float]:
    """Return the probability of each kind that the classifier gives a page, if it is that kind or none."""
    classification = classify(Document(PDF, [page], 1), list(_labels().values()))
    none = 1 - sum(classification.scores.values())
    return {
        name: classification.scores[label.name] / (classification.scores[label.name] + none)
        for name, label in _labels().items()
    }


@cache
def _labels() -> dict[str, Label]:
    return {name: Label(name.replace("_", " ")) for name in kinds()}


def _identifiers(page: Page) -> dict[str, str]:
    """Return the numbers by which a page names its document."""
    alone = Document(PDF, [page], 1)
    extraction = extract_document(alone, _number_fields())
    return {
        name: str(value)
        for name, value in extraction.data.items()
        if value is not None
        and len(str(value)) >= _SHORTEST_NUMBER
        and extraction.field_metadata[name]["confidence"] >= _SURE
    }


@cache
def _number_fields() -> tuple[Field, ...]:
    return tuple(Field(name=name) for name in entries("paging")["numbers"])
