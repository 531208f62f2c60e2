"""Values of fields that no label names: of the places that are left, the likeliest for each field.

People list the fields of a parser mostly in the order of the page: of two fields, the one listed first is
printed first in 84 of 100 pairs (116 documents of 51 senders). So a place is judged by its neighbours,
besides the form of its value and what its label says: few places are left between the values of the fields
listed before and after. ``remaining.json`` has the weights of a softmax over the places of a field and
"none of them", which ``python -m tools.training.remaining_fit`` fits.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log1p
from operator import mul
from pathlib import Path

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.labelled.labelled_fields import Choice, LabelledFields
from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, locations, ocr_score, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.result import Finding, Location
from docduck.fields import NUMERIC, FieldType

WEIGHTS = Path(__file__).parent / "remaining.json"
FEATURES = (
    "named", "likeness", "probability", "fit", "run_on", "in_row", "unlabelled", "large", "long",
    "in_order", "between", "beside_next", "off_turn", "places", "rivals",
)  # fmt: skip
NONE = ("none", "date", "number", "code", "boolean", "best_likeness", "answered")
"""Features of a place, and of "none of them" for a field."""
LEAST = 0.45
"""Probability from which a place answers a field."""
_SURE = 0.5
"""Confidence of a value from which its place says where others are."""
_ROW = 0.01
"""Part of a page's height within which places are in one row."""
_NEAR = 0.06
"""Part of a page's height within which places are beside each other."""
_LONG = 30
_NEVER_GUESSED = frozenset({FieldType.TABLE, FieldType.CHOICE})
_PRIOR, _MOST_OFF = 0.75, 0.5
"""Share of places in order, if no other field is answered, and how far a place is from its turn at most."""
_LARGE = 1.2
_MOST_PAIRS = 6000
"""Fields times places at most."""

_VALUE, _CAPTIONED = 0.5, 0.3
"""Probability from which a segment is a value, and one from which it has a label."""

Position = tuple[int, float, float]
"""Page, top and left."""
Anchor = tuple[int, Position]
"""The place of a field in their list, and where its value is."""
Rivals = Mapping[tuple[Position, str], int]
"""How many fields each place can answer."""
_BEGIN, _END = (0, 0.0, 0.0), (1 << 30, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Offer:
    """A place that can answer a field, with what doesn't depend on the answers of others."""

    choice: Choice
    text: str
    position: Position
    own: tuple[float, ...]

    @property
    def identity(self) -> tuple[Position, str]:
        """What is the same for another field that this place can answer."""
        return self.position, self.text


class RemainingFields:
    """Answers the fields of a document that nothing else answered; ``queries`` are all, in their order."""

    def __init__(
        self, analysis: DocumentAnalysis, labelled: LabelledFields, queries: Sequence[FieldQuery]
    ) -> None:
        self._analysis = analysis
        self._labelled = labelled
        self._order = {query.name: at for at, query in enumerate(queries)}

    def find(self, open_: Sequence[FieldQuery], findings: Mapping[str, Finding]) -> dict[str, Finding]:
        """Return findings of the fields ``open_``, given those of others; the likeliest is decided first."""
        anchors, offers = self.anchors(findings), self.offers(open_, findings)
        rivals = rivals_of(offers)
        answers: dict[str, Finding] = {}
        while offers:
            name, offer, probability = max(
                (self._best(name, some, anchors, rivals) for name, some in offers.items()),
                key=lambda best: best[2],
            )
            if probability < LEAST:
                break
            answers[name] = _finding(offer, probability)
            insort(anchors, (self._order[name], offer.position))
            self._analysis.take(offer.choice.read.tokens, offer.choice.query)
            del offers[name]
            left = {
                other: [rival for rival in some if rival.identity != offer.identity]
                for other, some in offers.items()
            }
            offers = {other: offers for other, offers in left.items() if offers}
        return answers

    def anchors(self, findings: Mapping[str, Finding]) -> list[Anchor]:
        """Return where the sure ones of ``findings`` are, by the order of their fields."""
        return sorted(
            (self._order[name], position_of(finding.locations[0]))
            for name, finding in findings.items()
            if name in self._order and finding.locations and finding.confidence >= _SURE
        )

    def offers(self, open_: Sequence[FieldQuery], findings: Mapping[str, Finding]) -> dict[str, list[Offer]]:
        """Return the places that are left and can answer each of the fields ``open_``.

        Options are never guessed, nor fields that the lexicon knows, as it knows their labels too. There are
        no places if choosing would take long.
        """
        queries = [query for query in open_ if query.concept is None and query.type not in _NEVER_GUESSED]
        if not queries or len(queries) * len(self._places) > _MOST_PAIRS:
            return {}
        taken = {position_of(place) for finding in findings.values() for place in finding.locations}
        offers = {query.name: list(self._offers(query, queries)) for query in queries}
        left = {
            name: [offer for offer in some if offer.position not in taken] for name, some in offers.items()
        }
        return {name: offers for name, offers in left.items() if offers}

    def rows(self, name: str, own: Sequence[Offer], anchors: Sequence[Anchor], rivals: Rivals) -> Rows:
        """Return the features of the places ``own`` that can answer a field, and those of "none of them"."""
        at = self._order[name]
        query = own[0].choice.query
        first = bisect_left(anchors, (at,))
        listed_before, before = anchors[first - 1] if first else (-1, _BEGIN)
        listed_after, after = anchors[first] if first < len(anchors) else (len(self._order), _END)
        turn = (at - listed_before) / (listed_after - listed_before)
        between = sorted({offer.position for offer in own if before <= offer.position <= after})
        earlier = sorted(place for _, place in anchors[:first])
        later = sorted(place for _, place in anchors[first:])
        rows = []
        for offer in own:
            position = offer.position
            agree = bisect_right(earlier, position) + len(later) - bisect_right(later, position)
            is_between = before <= position <= after
            nth = (bisect_left(between, position) + 1) / (len(between) + 1)
            rows.append(
                [
                    *offer.own,
                    (agree + 2 * _PRIOR) / (len(anchors) + 2),
                    float(is_between),
                    float(position[0] == after[0] and abs(position[1] - after[1]) < _NEAR),
                    abs(nth - turn) if is_between else _MOST_OFF,
                    log1p(len(between) if is_between else len(own)),
                    log1p(rivals[offer.identity] - 1),
                ]
            )
        none = [
            1.0,
            float(query.kind == "date"),
            float(query.type in NUMERIC),
            float(query.kind == "identifier"),
            float(query.type is FieldType.BOOLEAN),
            max(offer.own[FEATURES.index("likeness")] for offer in own),
            len(anchors) / len(self._order),
        ]
        return Rows(rows, none)

    def _best(
        self, name: str, offers: Sequence[Offer], anchors: Sequence[Anchor], rivals: Rivals
    ) -> tuple[str, Offer, float]:
        """Return the likeliest place of a field with the probability of its value."""
        odds = self.rows(name, offers, anchors, rivals).probabilities(weights())
        by_value: defaultdict[str, float] = defaultdict(float)
        for offer, chance in zip(offers, odds, strict=True):
            by_value[offer.text] += chance
        at = max(range(len(offers)), key=lambda number: (by_value[offers[number].text], odds[number]))
        return name, offers[at], by_value[offers[at].text]

    def _offers(self, query: FieldQuery, open_: Sequence[FieldQuery]) -> Iterator[Offer]:
        """Yield the places that are left and can answer a field."""
        for place in self._places:
            if self._labelled.match.excludes(query, place.label):
                continue
            choice = self._labelled.scored(query, place, 1.0)
            if choice is not None and self._analysis.is_free(choice.read.tokens, query):
                position = position_of(locations(choice.read.tokens)[0])
                yield Offer(choice, str(choice.read.value), position, self._own(choice, open_))

    @cached_property
    def _places(self) -> list[Place]:
        outer = [page for page in self._analysis.view.pages if page.is_outer]
        return [*self._labelled.places, *(place for page in outer for place in unlabelled_places(page))]

    def _own(self, choice: Choice, open_: Sequence[FieldQuery]) -> tuple[float, ...]:
        """Return the features of a place that don't depend on other answers."""
        query, place, label = choice.query, choice.place, choice.place.label
        match = self._labelled.match
        like = match.likeness(query, label) if label else 0.0
        return (
            max(match.score(query, place), match.general_score(query, place, open_)) if label else 0.0,
            like,
            place.probability,
            choice.read.fit,
            float(place.run_on),
            float(bool(place.kinds)),
            float(not label),
            float(place.segment.height > _LARGE * place.page.line_height),
            float(len(text_of(choice.read.tokens)) > _LONG),
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of the places of a field, and of "none of them"."""

    places: Sequence[Sequence[float]]
    none: Sequence[float]

    def probabilities(self, weights: Weights) -> list[float]:
        """Return the probability of each place; the rest to 1 is that of none."""
        scores = [sum(map(mul, weights.places, row)) for row in self.places]
        scores.append(sum(map(mul, weights.none, self.none)))
        top = max(scores)
        powers = [exp(score - top) for score in scores]
        return [power / sum(powers) for power in powers[:-1]]


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of FEATURES and of NONE."""

    places: Sequence[float]
    none: Sequence[float]


@cache
def weights() -> Weights:
    """Return the packaged weights. Raise KeyError if they were fitted to other features."""
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Weights([data["places"][feature] for feature in FEATURES], [data["none"][text] for text in NONE])


def rivals_of(offers: Mapping[str, Sequence[Offer]]) -> Rivals:
    """Return how many of the fields each place can answer."""
    return Counter(offer.identity for some in offers.values() for offer in some)


def unlabelled_places(page: PageView) -> Iterator[Place]:
    """Yield the texts of a page but for prose, tables and labels that no label is near, each without one."""
    reading = reading_of(page)
    for segment in page.segments:
        probability = reading.kind(segment.index, "value", "heading", "both", "furniture")
        captioned = any(caption.probability >= _CAPTIONED for caption in reading.captions[segment.index])
        if probability >= _VALUE and not captioned:
            yield Place("", segment.tokens, probability, lines=(segment,))


def position_of(location: Location) -> Position:
    """Return where a value is, so that positions sort as people read: by rows."""
    return location.page, round(location.box.top / _ROW) * _ROW, location.box.left


def _finding(offer: Offer, probability: float) -> Finding:
    tokens = offer.choice.read.tokens
    evidence = Evidence("order", probability, ocr=ocr_score(tokens), known=False)
    return evidence.finding(offer.choice.read.value, locations(tokens), text_of(tokens))
