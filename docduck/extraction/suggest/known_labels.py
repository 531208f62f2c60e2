"""Printed labels that the lexicon knows, wherever they are, and how near a value is to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from docduck.documents.document import Box
from docduck.extraction.extractors.layout.labels.label_finder import LabelFinder, LabelMatch
from docduck.extraction.lexicon import Concept, scalar_concepts
from docduck.extraction.page.page_view import PageView
from docduck.extraction.reading import reading_of
from docduck.extraction.suggest.naming import cleaned, is_name
from docduck.extraction.suggest.types import OF_KINDS
from docduck.fields import FieldType

_PARTS_OF_ADDRESSES = frozenset({"street", "zip", "city", "country"})
_LEAST_TRUST, _PROSE, _SENTENCE = 0.8, 0.5, 8
"""What a label is trusted at least, and the probability and number of words from which a segment is prose."""


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """A label on a page, as it is to name a field, with the type that its concepts have."""

    name: str
    type: FieldType
    match: LabelMatch

    def distance(self, place: Mapping[str, Any]) -> float:
        """Return how far, in line heights, it is before a value or above it; inf if it is neither."""
        is_here = place["page"] == self.match.segment.page.number
        return self.match.distance(Box(**place["bbox"])) if is_here else inf


def find_known_labels(view: PageView, taken: Collection[int]) -> Iterator[KnownLabel]:
    """Yield the labels of a page that can name a field, outside the rows ``taken`` by tables."""
    pool = scalar_concepts()
    for match in LabelFinder([]).find(view):
        meant = _meant(pool, match)
        name = cleaned(" ".join(token.text for token in match.tokens))
        if meant and match.segment.row not in taken and is_name(name) and _is_label(match):
            yield KnownLabel(name, _type(meant), match)


def _is_label(match: LabelMatch) -> bool:
    """Return whether a label is none by chance, in a sentence."""
    segment = match.segment
    prose = reading_of(segment.page).kind(segment.index, "prose")
    return match.trust >= _LEAST_TRUST and (prose < _PROSE or len(segment.tokens) < _SENTENCE)


def _meant(pool: Mapping[str, Concept], label: LabelMatch) -> list[Concept]:
    """Return what a label can announce, but for parts of an address."""
    known = (pool[name] for name in sorted(label.concepts) if name in pool)
    return [concept for concept in known if concept.kind not in _PARTS_OF_ADDRESSES]


def _type(meant: Sequence[Concept]) -> FieldType:
    """Return the type of all these concepts; text if they differ, as with a label that is one word."""
    types = {OF_KINDS.get(concept.kind, FieldType.TEXT) for concept in meant}
    return types.pop() if len(types) == 1 else FieldType.TEXT
