"""How much the words of a label name a field: by the lexicon, and by the terms that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import Term, query_terms, range_terms, terms
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.normal_text import key

_CONTEXT = 0.8
"""What a word counts that the label's context has rather than the label."""
_PRECISION = 0.4
"""The part of a match that depends on the words of the label which the field doesn't name."""
_LEAST = 0.3
"""Part of a name that the label itself must have."""
_VAGUE = 0.5
"""Factor for a name of common words alone ("Date") and a label with others ("Delivery date")."""
_RIVAL = 0.6
"""Factor for a label that the lexicon knows as one of another concept."""
_PERIOD = 0.9
_ALIKE = 80.0
"""Similarity (0–100) from which two words are forms of one."""
_ABBREVIATED = 4
"""Letters from which the beginning of a word stands for it, and how many it lacks at most."""


class NameMatch:
    """Matches the names of a document's fields with labels.

    A word that several of the fields have tells them apart less, and counts less.
    """

    def __init__(self, queries: Sequence[FieldQuery]) -> None:
        self._shared = Counter(
            stem for query in queries for stem in {term.stem for term in query_terms(query).name}
        )
        self._known: dict[tuple[str, str, str], float] = {}
        self._by_query = {query.name: (query, _keys(query_terms(query).terms)) for query in queries}

    def score(self, query: FieldQuery, place: Place) -> float:
        """Return how much a place's label names a field, 0–1."""
        identity = (query.name, place.label, place.context)
        if identity not in self._known:
            self._known[identity] = self._score(query, place.label, place.context)
        return self._known[identity]

    def _score(self, query: FieldQuery, label: str, context: str) -> float:
        form = key(label)
        weight = query.weight(form)
        if weight >= _PERIOD:
            return weight
        if query.concept and form in query.concept.period:
            return _PERIOD
        held = terms(label)
        if not held or not self._by_query[query.name][1] & _keys(held):
            return weight
        around = terms(context) if context else ()
        expected = query_terms(query)
        best = self._likeness(expected.name, held, around)
        if expected.described:
            best = max(best, 0.9 * self._likeness(expected.described, held, ()))
        if (ranged := range_terms(query).name) and query.type.value == "date":
            best = max(best, _PERIOD * self._likeness(ranged, held, around))
        if best and query.concept and self._is_rival(query, form):
            best *= _RIVAL
        return max(weight, best)

    def _likeness(self, name: Sequence[Term], held: Sequence[Term], around: Sequence[Term]) -> float:
        total = own = other = 0.0
        solid = False
        for term in name:
            weight = term.weight / max(self._shared[term.stem], 1) ** 0.5
            total += weight
            if any(alike(term, one) for one in held):
                own += weight
                solid = solid or term.weight == 1.0
            elif any(alike(term, one) for one in around):
                other += weight
        if not total or own < _LEAST * total:
            return 0.0
        share = (own + _CONTEXT * other) / total
        if not solid and share < _CONTEXT:
            return 0.0
        size = sum(term.weight for term in held)
        meant = sum(term.weight for term in held if any(alike(one, term) for one in name))
        precision = meant / size if size else 0.0
        if all(term.weight < 1.0 for term in name) and precision < 0.99:
            share *= _VAGUE
        return share * (1.0 - _PRECISION + _PRECISION * precision)

    @staticmethod
    def _is_rival(query: FieldQuery, form: str) -> bool:
        names = _concepts_of().get(form, frozenset())
        return bool(names) and query.concept is not None and query.concept.name not in names


def alike(one: Term, other: Term) -> bool:
    """Return whether two terms mean the same, are forms of one word, or one abbreviates the other."""
    if one.groups and other.groups:
        return bool(one.groups & other.groups)
    if one.word == other.word:
        return True
    short, long = sorted((one.word, other.word), key=len)
    if len(short) < _ABBREVIATED:
        return False
    is_start = long.startswith(short) and len(long) - len(short) <= _ABBREVIATED
    return is_start or fuzz.ratio(one.word, other.word) >= _ALIKE


def _keys(some: Iterable[Term]) -> frozenset[int | str]:
    """Return what two terms have in common if they are alike, except for words misread at the beginning."""
    return frozenset(k for term in some for k in (*term.groups, term.stem, term.word[:3]))


@cache
def _concepts_of() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for concept in scalar_concepts().values():
        for form in concept.labels:
            found.setdefault(form, set()).add(concept.name)
    return {form: frozenset(names) for form, names in found.items()}
