"""Whether a new document begins at a page, by what it shows and what the pages before it do.

Evidence is added up in logarithms of odds, with weights set by hand: page counters say most, then numbers
of documents that change, then titles, other kinds of documents, salutations, blank and separating sheets,
and how alike the pages look.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docduck.documents.document import Page
from docduck.extraction.triage.classify.kinds import kinds
from docduck.extraction.triage.split.page_features import PageFeatures, features_of

_PRIOR = -1.6
_COUNTS_ON, _COUNT_RESTARTS, _FIRST_OF_MANY = -5.0, 4.5, 4.0
_NUMBERS_ON, _NUMBER_RESTARTS = -2.5, 2.0
_NO_NUMBER = 0.8
_NEW_NUMBER, _SAME_NUMBER = 3.5, -3.5
_TITLE, _SAME_TITLE = 3.2, 1.0
_OTHER_KIND, _SAME_ONE_PAGE = 4.5, 3.5
_KNOWN = 0.5
_TELLING = 5
"""The first page of the document so far, and this many of its last, tell its kind."""
_OPENING, _AFTER_CLOSING = 2.5, 1.2
_AFTER_SEPARATOR, _AFTER_BLANK = 7.0, 1.5
_CONTINUED = -2.5
_OTHER_SIZE = 1.5
_OTHER_HEAD, _SAME_HEAD = 1.2, -0.6
_ALIKE, _UNLIKE = 0.6, 0.15
_WHOLE = 5.0
"""Against a boundary at a blank page, which belongs to the pages before it."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """What speaks for a boundary before a page: log-odds, and the strongest reason for it."""

    odds: float
    reason: str

    @property
    def probability(self) -> float:
        return 1 / (1 + math.exp(-max(-20.0, min(20.0, self.odds))))

    @property
    def is_one(self) -> bool:
        return self.odds > 0

    def plus(self, odds: float, reason: str) -> Boundary:
        """Return the same with more evidence."""
        return replace(self, odds=self.odds + odds, reason=reason if odds > 0 else self.reason)


def boundaries(pages: Sequence[Page]) -> list[Boundary]:
    """Return a boundary, likely or not, before each page but the first."""
    features = [features_of(page) for page in pages]
    all_boundaries: list[Boundary] = []
    first = 0
    for index in range(1, len(features)):
        boundary = _before(features[index], features[first:index])
        if boundary.is_one:
            first = index
        all_boundaries.append(boundary)
    return all_boundaries


def _before(page: PageFeatures, before: Sequence[PageFeatures]) -> Boundary:
    """``before`` are the pages of the document so far."""
    last = before[-1]
    if page.blank:
        return Boundary(-_WHOLE, "")
    evidence = [
        *_counted(page, last),
        *_numbered(page, before),
        *_titled(page, last),
        *_of_kind(page, before),
        *_opened(page, last),
        *_parted(page, last),
        *_alike(page, before[0], last),
    ]
    odds = _PRIOR + sum(weight for weight, _ in evidence)
    strongest = max(evidence, default=(0.0, ""), key=lambda pair: pair[0])
    return Boundary(odds, strongest[1] or "The page looks different")


Evidence = list[tuple[float, str]]


def _counted(page: PageFeatures, last: PageFeatures) -> Evidence:
    if page.counter:
        number, count = page.counter
        reason = f"The page says that it is {number} of {count}"
        if last.counter and (last.counter[0] + 1, last.counter[1]) == (number, count):
            return [(_COUNTS_ON, reason)]
        if number == 1:
            return [(_FIRST_OF_MANY, reason)]
        if last.counter and (number <= last.counter[0] or count != last.counter[1]):
            return [(_COUNT_RESTARTS, reason)]
        return [(_COUNTS_ON / 2, reason)]
    if last.counter and last.counter[0] < last.counter[1]:
        return [(_COUNTS_ON / 2, "")]
    if last.counter and last.counter[0] == last.counter[1]:
        return [(_COUNT_RESTARTS / 2, "The page before was the last of its document")]
    if page.number is not None and last.number is not None:
        if page.number == last.number + 1:
            return [(_NUMBERS_ON, "")]
        if page.number == 1:
            return [(_NUMBER_RESTARTS, "The page numbers begin again")]
    elif last.number is not None and not last.blank:
        return [(_NO_NUMBER, "The page bears no number")]
    elif page.number is not None and page.number > 1:
        return [(_NUMBERS_ON / 2, "")]
    return []


def _numbered(page: PageFeatures, before: Sequence[PageFeatures]) -> Evidence:
    for name, value in page.identifiers.items():
        known = [look.identifiers[name] for look in before if name in look.identifiers]
        if value in known:
            return [(_SAME_NUMBER, "")]
        if known:
            return [(_NEW_NUMBER, f"{name} changes from {known[-1]} to {value}")]
    return []


def _titled(page: PageFeatures, last: PageFeatures) -> Evidence:
    """Return how surely a titled page begins a document; less so if the page before has such a title, too."""
    if not page.title:
        return []
    weight = _SAME_TITLE if page.title_kinds == last.title_kinds else _TITLE
    return [(weight * page.title_weight, f"The page is titled '{page.title}'")]


def _of_kind(page: PageFeatures, before: Sequence[PageFeatures]) -> Evidence:
    """Return how surely the page is of another kind than the document so far.

    Later pages of a document often look like none, so that says nothing.
    """
    telling = (before[0], *before[-_TELLING:])
    so_far = {name: max(features.kinds.get(name, 0.0) for features in telling) for name in page.kinds}
    kind, former = (max(some, key=some.__getitem__, default="") for some in (page.kinds, so_far))
    if not kind or page.kinds[kind] < _KNOWN:
        return []
    if kind != former and not _related(kind, former):
        sure = page.kinds[kind] * (so_far[former] - so_far[kind])
        return [(_OTHER_KIND * sure, f"The page is of the kind {_named(kind)}, not {_named(former)}")]
    if kind == former and kinds()[kind].one_page:
        sure = page.kinds[kind] * so_far[kind]
        return [(_SAME_ONE_PAGE * sure, f"The page is another {_named(kind)}")]
    return []


def _related(kind: str, other: str) -> bool:
    """Return whether pages of one kind may be pages of the other: one narrows it, and both may be long."""
    some = (kinds()[kind], kinds()[other])
    return not any(kind.one_page for kind in some) and (kind in some[1].narrows or other in some[0].narrows)


def _named(kind: str) -> str:
    return kind.replace("_", " ")


def _opened(page: PageFeatures, last: PageFeatures) -> Evidence:
    evidence: Evidence = []
    if page.opening:
        evidence.append((_OPENING, f"The page opens with '{page.opening.rstrip(',')}'"))
    if last.closing:
        evidence.append((_AFTER_CLOSING, f"The page before closes with '{last.closing.rstrip(',')}'"))
    return evidence


def _parted(page: PageFeatures, last: PageFeatures) -> Evidence:
    evidence: Evidence = []
    if last.separator:
        evidence.append((_AFTER_SEPARATOR, "The page before is a separator"))
    elif last.blank:
        evidence.append((_AFTER_BLANK, "The page before is blank"))
    if page.separator:
        evidence.append((-_WHOLE, ""))
    if page.continued:
        evidence.append((_CONTINUED, ""))
    return evidence


def _alike(page: PageFeatures, first: PageFeatures, last: PageFeatures) -> Evidence:
    evidence: Evidence = []
    if not last.blank and abs(page.width - last.width) + abs(page.height - last.height) > 0.04 * last.height:
        evidence.append((_OTHER_SIZE, "The page has another size"))
    likeness = max(page.like(first), page.like(last))
    if likeness > _ALIKE:
        evidence.append((_SAME_HEAD, ""))
    elif likeness < _UNLIKE and page.head and first.head:
        evidence.append((_OTHER_HEAD, "The head of the page is another one"))
    return evidence
