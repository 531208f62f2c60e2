"""What speaks for each proposal of a field: the features that the trees see."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.chooser.proposals import Proposal, Proposals
from docduck.extraction.extractors.layout.chooser.spans import (
    NEIGHBOURS,
    SPAN_FEATURES,
    Position,
    Spans,
    position_of,
)
from docduck.extraction.extractors.layout.labelled.places import Place, label_text
from docduck.extraction.extractors.layout.labelled.registrations import is_of_other
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import words_of
from docduck.extraction.page.page_view import Segment, Token, text_of
from docduck.extraction.result import Finding

_KINDS = ("text", "party", "address", "identifier", "date", "amount", "number", "boolean", "choice")
_SOURCES = ("label", "date", "amount", "identifier", "text", "party", "sentence", "cell", "other")
_SIDES = ("seller", "buyer")
FEATURES = (
    *SPAN_FEATURES,
    *(f"match {where}" for where in NEIGHBOURS),
    *(f"spelled as {where}" for where in NEIGHBOURS),
    "named in value", "match before", "match full", "match part", "match meaning", "match above rival",
    "spelled alike", "paired", "fit", "run on", "of kind", "context alike", "described", "label words",
    "of other", "lines", "typed score", "best match", "below best", "above second", "in order", "between",
    "off turn", "places between", "beside next", "anchors", "listed", "fields", "proposals", "same value",
    "is found", "found here", "confidence", "confidence of other", "held by other",
    *(f"found by {source}" for source in _SOURCES),
    "found score", "found paired", "found labelled", "found ocr",
    *(f"asks {kind}" for kind in _KINDS),
    *(f"asks {side}" for side in _SIDES),
    "known", "for name", "name words",
)  # fmt: skip

_SURE = 0.5
"""Confidence of a value from which its place says where others are."""
_PRIOR, _MOST_OFF = 0.75, 0.5
"""Share of places in order, if no other field is answered, and how far a place is from its turn at most."""
_NEAR = 0.06
"""Part of a page's height within which places are beside each other."""
_MARKS = ",;:.|–-"
_LABEL = 80
"""Characters of a text beside a value that are matched with a name at most."""
_BEGIN, _END = (0, 0.0, 0.0), (1 << 30, 0.0, 0.0)
_NOWHERE = (0, -1.0, 0.0)
"""The position of a value that no place shows."""

Anchor = tuple[int, Position]
"""The place of a field in their list, and where its value is."""


@dataclass(slots=True)
class Offer:
    """A value at a place that could answer a field, from however many proposals."""

    query: FieldQuery
    value: Any
    identity: str
    position: Position
    span: int | None
    """The number of its words, None for a value that was found without a place."""
    tokens: Sequence[Token]
    is_found: bool
    """Whether it is what was found for the field before."""
    best: Proposal | None = None
    score: float = 0.0
    fit: float = 0.0

    @property
    def place(self) -> tuple[Position, str] | None:
        """What one field has at most: the value at its place, None without a place."""
        return (self.position, self.identity) if self.tokens else None


def identity_of(value: Any) -> str:
    """Return what is equal for values that are the same: marks between words are left out."""
    if not isinstance(value, str):
        return repr(value)
    first, *others = value.casefold().split() or [""]
    words = [first.rstrip(_MARKS), *(word.strip(_MARKS) for word in others)]
    return " ".join(filter(None, words))


class Matrix:
    """The offers of a document's fields with their features, a row for each."""

    def __init__(
        self,
        proposals: Proposals,
        queries: Sequence[FieldQuery],
        findings: Findings,
    ) -> None:
        self._proposals, self._queries = proposals, queries
        self._spans = Spans()
        self._order = {query.name: at for at, query in enumerate(queries)}
        self._findings, self._claims = findings.scalars, findings.claims
        self._matches: dict[tuple[str, str], float] = {}
        self._arounds: dict[tuple[str, Segment], list[float]] = {}
        self._names = {query.name: query.name.replace("_", " ").casefold() for query in queries}
        self._rivals = self._strongest()
        self.offers: dict[str, list[Offer]] = {}

    def add(self, query: FieldQuery) -> None:
        """Propose values for a field."""
        found = self._findings.get(query.name)
        offers: dict[tuple[str, Position], Offer] = {}
        held = identity_of(found.value) if found is not None and found.value is not None else None
        for proposal in self._proposals.of(query):
            shown = proposal.value if isinstance(proposal.value, str) else text_of(proposal.tokens)
            if not has_form(query, shown):
                continue
            identity = identity_of(proposal.value)
            span = self._spans.number(proposal.tokens)
            if self._claims(self._spans.places[span]):
                continue
            position = self._spans.positions[span]
            offer = offers.get((identity, position))
            if offer is None:
                offer = offers[identity, position] = Offer(
                    query, proposal.value, identity, position, span, proposal.tokens, identity == held
                )
            offer.score, offer.fit = max(offer.score, proposal.score), max(offer.fit, proposal.fit)
            if proposal.named and (offer.best is None or _strength(proposal) > _strength(offer.best)):
                offer.best = proposal
        if found is not None and held is not None:
            position = position_of(found.locations[0]) if found.locations else _NOWHERE
            if (held, position) not in offers:
                near = next((offer for offer in offers.values() if offer.position == position), None)
                offers[held, position] = Offer(
                    query,
                    found.value,
                    held,
                    position,
                    near.span if near else None,
                    near.tokens if near else (),
                    True,
                )
        if offers:
            self.offers[query.name] = list(offers.values())

    def rows(self) -> NDArray[np.float32]:
        """Return a row of FEATURES for each offer, in the order of ``offers``."""
        features = self._spans.features
        anchors = sorted(
            (self._order[name], position_of(one.locations[0]))
            for name, one in self._findings.items()
            if name in self._order and one.locations and one.confidence >= _SURE
        )
        holders: defaultdict[Position, list[tuple[str, float]]] = defaultdict(list)
        for name, one in self._findings.items():
            for place in one.locations:
                holders[position_of(place)].append((name, one.confidence))
        none = [0.0] * len(SPAN_FEATURES)
        rows = []
        for name, offers in self.offers.items():
            order = _Order(anchors, self._order[name], len(self._order), [o.position for o in offers])
            strengths = [_strength(offer.best) if offer.best else 0.0 for offer in offers]
            top = sorted(strengths, reverse=True)
            counts = Counter(offer.identity for offer in offers)
            found = self._findings.get(name)
            here = position_of(found.locations[0]) if found is not None and found.locations else _NOWHERE
            asked = _asked(offers[0].query)
            for offer, strength in zip(offers, strengths, strict=True):
                other = max((sure for who, sure in holders[offer.position] if who != name), default=0.0)
                sure = found.confidence if found is not None and found.value is not None else 0.0
                rows.append([
                    *(features[offer.span] if offer.span is not None else none),
                    *self._near(offer),
                    *self._place(offer),
                    offer.score,
                    strength,
                    top[0] - strength,
                    strength - (top[1] if len(top) > 1 else 0.0) if strength == top[0] else strength - top[0],
                    *order.features(offer.position),
                    log1p(len(offers)),
                    float(counts[offer.identity]),
                    float(offer.is_found),
                    float(offer.is_found and offer.position == here),
                    sure if offer.is_found else 0.0,
                    0.0 if offer.is_found else sure,
                    other,
                    *_evidence(found),
                    *asked,
                ])  # fmt: skip
        return np.array(rows, np.float32).reshape(len(rows), len(FEATURES))

    def _near(self, offer: Offer) -> list[float]:
        """Return how much what is near a value names the field: its neighbours, and the words before it."""
        if offer.span is None:
            return [0.0] * (2 * len(NEIGHBOURS) + 2)
        first, query = offer.tokens[0], offer.query
        name = words_of(self._names[query.name])
        said = set(words_of(self._spans.texts[offer.span]))
        before = text_of(first.segment.tokens[: first.index]) if first.index else ""
        return [
            *self._around(query, first.segment, offer.span),
            sum(word in said for word in name) / max(1, len(name)),
            self._matched(query, before[-_LABEL:], first.segment) if before else 0.0,
        ]

    def _around(self, query: FieldQuery, segment: Segment, span: int) -> list[float]:
        """Return how much each neighbour of a segment names the field, and is spelled as it is named."""
        known = self._arounds.get((query.name, segment))
        if known is None:
            name, some = self._names[query.name], self._spans.neighbours(span)
            known = [self._match(query, near) for near in some]
            known += [_alike(name, near.text) if near else 0.0 for near in some]
            self._arounds[query.name, segment] = known
        return known

    def _place(self, offer: Offer) -> list[float]:
        """Return what the place says that a value was read from."""
        best = offer.best
        if best is None or best.place is None or best.named is None:
            return [*[0.0] * 6, offer.fit, *[0.0] * 7]
        place, named, query = best.place, best.named, offer.query
        rival = max(
            (strength for name, strength in self._rivals.get(id(place), ()) if name != query.name),
            default=0.0,
        )
        return [
            named.full,
            named.part,
            named.meaning,
            named.best - rival,
            _alike(self._names[query.name], place.label),
            place.probability,
            best.fit,
            float(place.run_on),
            float(bool(place.kinds)),
            _alike(self._names[query.name], place.context),
            _alike(query.description.text or "", place.label),
            float(len(place.label.split())),
            float(is_of_other(query, place)),
            float(len(place.lines)),
        ]

    def _strongest(self) -> dict[int, list[tuple[str, float]]]:
        """Return the two fields that the label of each place names most."""
        strongest = {}
        for place in self._proposals.places:
            if place.label:
                named = ((q.name, self._proposals.named(q, place).best) for q in self._proposals.queries)
                strongest[id(place)] = sorted(named, key=lambda one: -one[1])[:2]
        return strongest

    def _match(self, query: FieldQuery, segment: Segment | None) -> float:
        return self._matched(query, segment.text[:_LABEL], segment) if segment is not None else 0.0

    def _matched(self, query: FieldQuery, text: str, segment: Segment) -> float:
        """Return how much a text would name a field as the label of a place."""
        identity = query.name, text
        match = self._matches.get(identity)
        if match is None:
            label = label_text(text)
            match = 0.0
            if any(map(str.isalpha, label)):
                match = self._proposals.named(query, Place(label, segment.tokens, 1.0)).best
            self._matches[identity] = match
        return match


class _Order:
    """Where the value of a field is expected by the values of the fields listed before and after it.

    People list the fields of a parser mostly in the order of the page.
    """

    def __init__(
        self, anchors: Sequence[Anchor], at: int, fields: int, positions: Sequence[Position]
    ) -> None:
        others = [anchor for anchor in anchors if anchor[0] != at]
        first = bisect_left(others, (at,))
        listed_before, self._before = others[first - 1] if first else (-1, _BEGIN)
        listed_after, self._after = others[first] if first < len(others) else (fields, _END)
        self._turn = (at - listed_before) / (listed_after - listed_before)
        self._between = sorted({place for place in positions if self._before <= place <= self._after})
        self._earlier = sorted(place for _, place in others[:first])
        self._later = sorted(place for _, place in others[first:])
        self._count, self._at, self._fields, self._places = len(others), at, fields, len(positions)

    def features(self, position: Position) -> list[float]:
        """Return how well a position suits the order."""
        agree = bisect_right(self._earlier, position) + len(self._later) - bisect_right(self._later, position)
        between = self._before <= position <= self._after
        nth = (bisect_left(self._between, position) + 1) / (len(self._between) + 1)
        after = self._after
        return [
            (agree + 2 * _PRIOR) / (self._count + 2),
            float(between),
            abs(nth - self._turn) if between else _MOST_OFF,
            log1p(len(self._between) if between else self._places),
            float(position[0] == after[0] and abs(position[1] - after[1]) < _NEAR),
            self._count / self._fields,
            self._at / self._fields,
            float(self._fields),
        ]


def _alike(text: str, other: str) -> float:
    """Return how much two texts are spelled alike, 0–1."""
    return fuzz.token_set_ratio(text.casefold(), other.casefold()) / 100 if text and other else 0.0


def _asked(query: FieldQuery) -> list[float]:
    side = query.concept.side if query.concept else None
    return [
        *(float(query.kind == kind) for kind in _KINDS),
        *(float(side == one) for one in _SIDES),
        float(query.concept is not None),
        float(query.for_name),
        float(len(query.name.replace("_", " ").split())),
    ]


def _evidence(found: Finding | None) -> list[float]:
    """Return what was said for the value that was found."""
    if found is None or found.value is None:
        return [0.0] * (len(_SOURCES) + 4)
    evidence = found.evidence
    if evidence is None:
        return [*[0.0] * (len(_SOURCES) - 1), 1.0, 0.0, 0.0, 0.0, 0.0]
    return [
        *(float(evidence.source == source) for source in _SOURCES),
        evidence.score,
        evidence.paired,
        float(evidence.labelled),
        evidence.ocr,
    ]


def _strength(proposal: Proposal) -> float:
    """Return how much the label of a proposal's place names its field and is that of the value."""
    if proposal.named is None or proposal.place is None:
        return 0.0
    return proposal.named.best * (0.3 + 0.7 * proposal.place.probability)
