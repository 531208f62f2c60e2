"""Chooses each field's value among all that were proposed: the likeliest first, each place for one field."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.chooser.features import FEATURES, Matrix, Offer
from docduck.extraction.extractors.layout.chooser.proposals import Proposals
from docduck.extraction.extractors.layout.chooser.trees import Floats, Least, Trees, probability
from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.extractors.layout.typed_fields import TypedFields
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import locations, text_of
from docduck.extraction.result import Finding
from docduck.fields import FieldType

WEIGHTS = Path(__file__).parent / "trees.npz"
_FIRST, _KEPT = 40, 12
"""Trees after which only the likeliest offers of each field are looked at further, and how many of them."""
_ALONE = 0.6
"""Probability from which a value may be at the place of another field's."""
_STATED = frozenset({"structured", "learned", "user", "lookup"})
"""Sources of values that are not chosen: a file states them, or people taught them."""
NOT_CHOSEN = frozenset({FieldType.TABLE, FieldType.LIST})
_LEAST_SURE, _MOST_SURE = 0.01, 0.99


class Offered(Protocol):
    """A value that could answer a field, as ``Rated`` has it."""

    @property
    def place(self) -> Hashable | None: ...

    @property
    def is_found(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Rated:
    """An offer of a field, by its number, with its probability; ``place`` is what one field has at most.

    ``is_found`` is whether it is what was found for the field before.
    """

    field: str
    number: int
    chance: float
    place: Hashable | None
    is_found: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """What a feature of a value adds to the log odds that it is right."""

    feature: str
    value: float
    adds: float


class Chooser:
    """Chooses the values of one document's fields; ``queries`` are all, in their order."""

    def __init__(
        self,
        analysis: DocumentAnalysis,
        places: Sequence[Place],
        typed: TypedFields,
        queries: Sequence[FieldQuery],
    ) -> None:
        self._analysis, self._places, self._typed, self._queries = analysis, places, typed, queries

    def choose(self, findings: Findings) -> Mapping[str, Finding | None]:
        """Return the likeliest value of each field that something could answer, None for no value.

        ``findings`` are the values found so far, which are proposals like others.
        """
        matrix = self.matrix(findings)
        chosen: dict[str, Finding | None] = dict.fromkeys(matrix.offers)
        for name, answer in assign(rate(matrix.offers, matrix.rows(), trees()), trees().least).items():
            offer = matrix.offers[name][answer.number]
            chosen[name] = _finding(offer, answer.chance, findings.scalars.get(name))
        return chosen

    def explain(
        self, findings: Findings, places: int, reasons: int
    ) -> dict[str, list[tuple[Offer, float, list[Reason]]]]:
        """Return the likeliest offers of each field, with their probability and the strongest reasons."""
        matrix = self.matrix(findings)
        rows = matrix.rows()
        ranked: dict[str, list[tuple[Offer, float, list[Reason]]]] = {name: [] for name in matrix.offers}
        by_chance = sorted(enumerate(rate(matrix.offers, rows, trees())), key=lambda one: -one[1].chance)
        for at, one in by_chance:
            if len(ranked[one.field]) < places:
                why = _reasons(rows[at], trees(), reasons)
                ranked[one.field].append((matrix.offers[one.field][one.number], one.chance, why))
        return ranked

    def matrix(self, findings: Findings) -> Matrix:
        """Return what could answer the fields whose values are chosen."""
        scalars = [query for query in self._queries if query.type not in NOT_CHOSEN]
        proposals = Proposals(self._analysis, self._places, self._typed, scalars)
        matrix = Matrix(proposals, self._queries, findings)
        for query in scalars:
            found = findings.scalars.get(query.name)
            is_stated = found is not None and (found.source in _STATED or found.learned_from is not None)
            if not is_stated and query.name not in findings.absent:
                matrix.add(query)
        return matrix


@cache
def trees() -> Trees:
    """Return the packaged trees."""
    return Trees.load(WEIGHTS)


def rate(offers: Mapping[str, Sequence[Offered]], rows: Floats, trees: Trees) -> list[Rated]:
    """Return the offers of all fields with their probabilities, in the order of their ``rows`` of features.

    Offers that are unlikely by the first trees keep the probability that these give.
    """
    odds = trees.log_odds(rows, 0, _FIRST)
    kept: list[int] = []
    start = 0
    for some in offers.values():
        best = np.argsort(-odds[start : start + len(some)], kind="stable")[:_KEPT]
        kept += (start + best).tolist()
        start += len(some)
    if kept:
        odds[kept] += trees.log_odds(rows[kept], _FIRST)
    chances = iter(probability(odds).tolist())
    return [
        Rated(name, number, next(chances), offer.place, offer.is_found)
        for name, some in offers.items()
        for number, offer in enumerate(some)
    ]


def assign(rated: Iterable[Rated], least: Least) -> dict[str, Rated]:
    """Return the answer of each field, the likeliest first.

    A place answers one field, but for sure answers and for what was found: the rules know which fields may
    have one value.
    """
    answers: dict[str, Rated] = {}
    held: set[Any] = set()
    for one in sorted(rated, key=lambda one: -one.chance):
        if one.chance < (least.kept if one.is_found else least.new):
            continue
        is_taken = one.place in held and one.chance < _ALONE and not one.is_found
        if one.field not in answers and not is_taken:
            answers[one.field] = one
            if one.place is not None:
                held.add(one.place)
    return answers


def _reasons(row: Floats, trees: Trees, most: int) -> list[Reason]:
    added = trees.contributions(row)
    strongest = np.argsort(-np.abs(added))[:most]
    return [Reason(FEATURES[at], float(row[at]), float(added[at])) for at in strongest if added[at]]


def _finding(offer: Offer, chance: float, found: Finding | None) -> Finding:
    confidence = min(_MOST_SURE, max(_LEAST_SURE, chance))
    if offer.is_found and found is not None:
        found.confidence = confidence
        return found
    return Finding(offer.value, confidence, locations(offer.tokens), text_of(offer.tokens))
