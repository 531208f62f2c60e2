"""How much the words of a label name a field: by the lexicon, and by the terms that they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import is_addressee
from docduck.extraction.fields.meanings import (
    are_made,
    asks_for_number,
    disagree,
    is_generic,
    left_out,
    likeness,
    may_ask_for_name,
    may_ask_for_number,
    may_mean,
    meanings_of,
)
from docduck.extraction.fields.period_ends import without_ends
from docduck.extraction.fields.terms import Term, query_terms, terms
from docduck.extraction.lexicon import concepts_by_label, word_set
from docduck.extraction.lexicon.thesaurus import thesaurus
from docduck.extraction.normal_text import acronyms, key, words_of
from docduck.fields import FieldType

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
_NUMBERED = 0.5
"""Factor for the label of a number ("Customer no.") and a field that asks for no number ("Customer")."""
_BLEND = 0.1
"""The part of a known label's weight that depends on the words that it shares with the name.

Labels in other letters than Latin share none.
"""
_BRACKETS = re.compile(r"\([^)]*\)")
_SHORT = re.compile(r"([^\W\d_]{2,})\.")
_SHORTEST = 3
_BOX = re.compile(r"^(?:[A-Z]|\d{1,2}[a-z]?)[.)]? (?=[^\W\d_]{3})")
"""The number of a box in a form."""
_DIVIDER = re.compile(r"/| [–—|·-] ")
_INITIAL = 0.85
"""Match of a label that has the initials of a name ("BOL #" and "Bill of lading")."""
_DESCRIBED = 0.9
"""Factor for a match with the description rather than the name."""
_MEANT, _MEANING = 0.9, 0.65
"""Factor for a label of the same meaning, and the likeness from which it is."""
_EXPLAINED, _OF_KIND, _ALONE, _RELATED = 0.85, 0.75, 0.65, 0.62
"""Match of a label that leaves out what its context says, what the kind of the value says, and what no other
field asks for, and of one with a related meaning."""
_NEAR = 0.5
"""Likeness from which a label has a related meaning."""
_DATED = 0.9
"""Match of a label that just says "Date" or "Valid" with a period."""
_ISSUED = frozenset({"date", "issued", "printed", "our"})
"""Meanings of labels of the document's own date."""
_FROM = frozenset({"from"})
"""What a name says of the day when a document was made: "Angebot vom"."""
_NUMBERS = frozenset({"number", "code", "reference"})
_NAMES = frozenset({"name", "person", "company", "first_name", "last_name"})
_SAID_BY_TYPE = {
    FieldType.DATE: frozenset({"date"}),
    FieldType.CURRENCY: frozenset({"amount", "sum", "value"}),
    FieldType.NUMBER: frozenset({"number", "count"}),
}
"""Meanings that the type of a field implies, whether its name says them or not."""
_DATES = frozenset({"date", "period", "valid"})
_PERIODS = frozenset({"period"})
_OTHER_DATES = frozenset(
    {"birth", "due", "deadline", "begin", "end", "next", "previous", "payment", "delivered"}
)
"""Meanings of dates other than the document's own."""
_APART = 0.5
"""What a known label loses without the words by which the fields of its concept differ."""
_ALIKE = 80.0
"""Similarity (0–100) from which two words are forms of one."""
_BEGINNING = 0.6
"""Part of a word from its beginning that forms of it share."""
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
        self._scores: dict[tuple[str, str, str, str], float] = {}
        self._likenesses: dict[tuple[str, str], float] = {}
        self._apart = _distinctions(queries)
        self._initials = {query.name: _initials_of(query) for query in queries}
        self._names = {query.name: _names_of(query) for query in queries}
        self._keys = {query.name: _keys(query_terms(query).terms) for query in queries}

    def score(self, query: FieldQuery, place: Place) -> float:
        """Return how much a place's label names a field, 0–1."""
        kind_words = place.kind_words
        identity = (query.name, place.label, kind_words, place.context)
        if identity not in self._scores:
            self._scores[identity] = self._score(query, place, kind_words)
        return self._scores[identity]

    def _score(self, query: FieldQuery, place: Place, kind_words: str) -> float:
        around = terms(place.context) if place.context else ()
        labels = _alternatives(place.label)
        if kind_words:
            labels = (*labels, f"{place.label} {kind_words}")
        return max(self._of_part(query, label, around) for label in labels)

    def period_score(self, query: FieldQuery, place: Place) -> float:
        """Return how much a place's label names the period that a field asks the end of, 0–1."""
        rest = without_ends(query.name)
        said = meanings_of(place.label)
        if not rest:
            return _DATED if said & _DATES else 0.0
        held = terms(place.label)
        return sum(
            not meanings_of(word).isdisjoint(said | _PERIODS)
            or any(alike(term, held_term) for term in terms(word) for held_term in held)
            for word in rest
        ) / len(rest)

    def general_score(self, query: FieldQuery, place: Place, open_: Sequence[FieldQuery]) -> float:
        """Return how much a label names a field of which it leaves something out, 0–1.

        That is said by its context ("No." under "RECEIPT" for "Receipt number"), by the kind of its value
        ("Week" for "Week number"), or the label can mean none of the other ``open_`` fields of the type.
        """
        return max(
            max(self._general(query, part, place, open_), self._related(query, part))
            for part in _alternatives(place.label)
        )

    def _related(self, query: FieldQuery, label: str) -> float:
        if _is_of_number(label, query):
            return 0.0
        return _RELATED if self.likeness(query, label) >= _NEAR else 0.0

    def likeness(self, query: FieldQuery, label: str) -> float:
        """Return how much a label means what the field's name asks for, 0–1."""
        identity = query.name, label
        if identity not in self._likenesses:
            implied = _implied_by(query)
            self._likenesses[identity] = max(
                likeness(name, label, implied) for name in self._names[query.name]
            )
        return self._likenesses[identity]

    def _general(self, query: FieldQuery, label: str, place: Place, open_: Sequence[FieldQuery]) -> float:
        around = meanings_of(place.context)
        said = meanings_of(label)
        is_own = bool(said) and said <= _ISSUED
        if is_own:
            label, said = "date", frozenset({"date"})
        rest = left_out(query.name, label, _implied_by(query))
        if rest is None:
            rest = left_out(label, query.name)
            is_question = query.type is FieldType.BOOLEAN and rest is not None
            explained = rest and rest <= around and rest.isdisjoint(_NUMBERS)
            return _EXPLAINED if explained else _ALONE if is_question else 0.0
        if rest and rest <= around:
            return _EXPLAINED
        if said and said <= _NUMBERS:
            return _OF_KIND if are_made(rest - _NUMBERS) else 0.0
        if is_generic(rest) or (is_own and are_made(rest - _FROM if len(rest) > 1 else rest)):
            return _OF_KIND
        if is_other_date(query.name, label):
            return 0.0
        rivals = (
            field_query
            for field_query in open_
            if field_query is not query and (field_query.type, field_query.kind) == (query.type, query.kind)
        )
        rivalled = any(left_out(rival.name, label, _implied_by(rival)) is not None for rival in rivals)
        own = said <= _NAMES and is_addressee(query)
        return 0.0 if rivalled else _OF_KIND if own else _ALONE

    def _of_part(self, query: FieldQuery, label: str, around: Sequence[Term]) -> float:
        form = key(label)
        names = self._names[query.name]
        if query.own.get(form) == 1.0 or any(key(name) == form for name in names):
            return 1.0
        if not self._initials[query.name].isdisjoint(acronyms(label)):
            return _INITIAL
        held = terms(label)
        weight = max(query.own.get(form, 0.0), self._known(query, form, held, around))
        shared = held and self._keys[query.name] & _keys(held)
        meant = self.likeness(query, label)
        meant = _MEANT * meant if meant >= _MEANING else 0.0
        numbered = _is_of_number(label, query)
        if numbered:
            meant *= _NUMBERED
        if not shared and not weight:
            return meant
        short = frozenset(key(m[1]) for m in _SHORT.finditer(label))
        best = max(self._likeness(terms(name), held, around, short) for name in names)
        if numbered:
            best *= _NUMBERED
        if weight:
            blend = _BLEND if form.isascii() else 0.0
            return max(weight * (1.0 - blend + blend * best), best, meant)
        expected = query_terms(query)
        if expected.described and query.concept is None:
            best = max(best, _DESCRIBED * self._likeness(expected.described, held, (), short))
        if best and query.concept and self._is_rival(query, form):
            best *= _RIVAL
        return max(best, meant)

    def _known(self, query: FieldQuery, form: str, held: Sequence[Term], around: Sequence[Term]) -> float:
        """Return the weight of a label that the lexicon knows.

        Where several fields mean the same concept, the words that tell them apart must be near.
        """
        if query.concept and form in query.concept.period:
            return _PERIOD
        weight = query.weight(form)
        apart = self._apart.get(query.name, ())
        if not weight or not apart:
            return weight
        near = sum(any(alike(term, near_term) for near_term in (*held, *around)) for term in apart)
        return weight * (1.0 - _APART + _APART * near / len(apart))

    def _likeness(
        self, name: Sequence[Term], held: Sequence[Term], around: Sequence[Term], short: frozenset[str]
    ) -> float:
        total = own = other = 0.0
        solid = False
        for term in name:
            weight = term.weight / max(self._shared[term.stem], 1) ** 0.5
            total += weight
            if any(alike(term, held_term, short) for held_term in held):
                own += weight
                solid = solid or term.weight == 1.0
            elif any(alike(term, near_term) for near_term in around):
                other += weight
        complete = own and own + other > 0.99 * total
        if not total or (own < _LEAST * total and not complete):
            return 0.0
        share = (own + _CONTEXT * other) / total
        if not solid and not complete:
            return 0.0
        held = [
            t for t in held if any(alike(n, t, short) for n in name) or not any(alike(t, a) for a in around)
        ]
        size = sum(term.weight for term in held)
        meant = sum(term.weight for term in held if any(alike(name_term, term, short) for name_term in name))
        precision = meant / size if size else 0.0
        if (not solid or all(term.weight < 1.0 for term in name)) and precision < 0.99:
            share *= _VAGUE
        return share * (1.0 - _PRECISION + _PRECISION * precision)

    @staticmethod
    def excludes(query: FieldQuery, label: str) -> bool:
        """Return whether a label says that its value is not what the field asks for."""
        if is_other_date(query.name, label):
            return True
        return disagree(query.name, label, related=key(label) not in concepts_by_label())

    @staticmethod
    def _is_rival(query: FieldQuery, form: str) -> bool:
        names = concepts_by_label().get(form, frozenset())
        return bool(names) and query.concept is not None and query.concept.name not in names


def is_other_date(name: str, label: str) -> bool:
    """Return whether a label just says "Date", and a name asks for another date than the document's own."""
    said = meanings_of(label)
    return bool(said) and said <= _DATES and not meanings_of(name).isdisjoint(_OTHER_DATES)


def _is_of_number(label: str, query: FieldQuery) -> bool:
    """Return whether a label announces a number and the field asks for a text that is none.

    A field that is named like a document ("Certificate") asks for its number.
    """
    if query.kind != "text" or not _is_number(label):
        return False
    numbered = _is_number(query.name) or may_ask_for_number(query.name)
    return not numbered and not may_mean(query.name, thesaurus().documents)


@lru_cache(maxsize=16384)
def _is_number(text: str) -> bool:
    """Return whether a text says that a number or code is meant."""
    named = any(term.groups & number.groups for term in terms(text) for number in terms("number"))
    return named or asks_for_number(text) or not _NUMBERS.isdisjoint(meanings_of(text))


@lru_cache(maxsize=4096)
def _implied_by(query: FieldQuery) -> frozenset[str]:
    """Return the meanings that the type of a field implies."""
    if query.type is not FieldType.TEXT:
        return _SAID_BY_TYPE.get(query.type, frozenset())
    if query.kind == "identifier":
        return _NUMBERS
    return _NAMES if may_ask_for_name(query.name) else frozenset()


def _distinctions(queries: Sequence[FieldQuery]) -> dict[str, tuple[Term, ...]]:
    """Return, for fields that mean the same concept, the terms that no other of them has."""
    terms = {}
    for query in queries:
        twins = [q for q in queries if q is not query and q.concept and q.concept is query.concept]
        other = [term for twin in twins for term in query_terms(twin).name]
        if twins:
            own = query_terms(query).name
            terms[query.name] = tuple(t for t in own if not any(alike(t, term) for term in other))
    return terms


def alike(term: Term, other: Term, short: frozenset[str] = frozenset()) -> bool:
    """Return whether two terms mean the same, are forms of one word, or one abbreviates the other.

    ``short`` are words with a full stop, which may abbreviate longer words. Words that are known to mean
    different things are no forms of one: "registrant" and "registration".
    """
    if any(term.word.startswith(s) and s.startswith(other.word) for s in short):
        return True
    if term.groups and other.groups:
        return bool(term.groups & other.groups)
    if term.word == other.word:
        return True
    less, more = sorted((term.word, other.word), key=len)
    if len(less) < _ABBREVIATED:
        return False
    is_start = more.startswith(less) and len(more) - len(less) <= _ABBREVIATED
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(less, more, strict=False)))
    begins = same >= _BEGINNING * len(more)
    if not is_start and not (begins and fuzz.ratio(less, more) >= _ALIKE):
        return False
    said, meant = meanings_of(less), meanings_of(more)
    return not said or not meant or not said.isdisjoint(meant)


@lru_cache(maxsize=4096)
def _names_of(query: FieldQuery) -> tuple[str, ...]:
    """Return the names that a field has: without brackets, and each of those that slashes divide."""
    bare = _BRACKETS.sub(" ", query.name).strip() or query.name
    spelled = " ".join(words_of(bare))
    return (spelled, *(part for part in _alternatives(bare) if part != bare))


def _initials_of(query: FieldQuery) -> frozenset[str]:
    """Return the initials of a name, with and without its small words: "BOL" and "BL"."""
    words = [word for word in query.title.words if word]
    heads = [word for word in words if word not in word_set("idle", "meanings")]
    texts = {"".join(word[0] for word in part).upper() for part in (words, heads)}
    return frozenset(text for text in texts if len(text) > 1)


@lru_cache(maxsize=16384)
def _alternatives(label: str) -> tuple[str, ...]:
    """Return a label and the parts of it that slashes or dashes divide: "Datum / Date".

    The number of its box in a form is left out: "C AHV-Nr.", "8 Consignee".
    """
    label = _BOX.sub("", label)
    parts = [part.strip() for part in _DIVIDER.split(label)]
    whole = len(parts) > 1 and all(len(key(part)) >= _SHORTEST for part in parts)
    return (label, *parts) if whole else (label,)


def _keys(terms: Iterable[Term]) -> frozenset[int | str]:
    """Return what two terms have in common if they are alike, except for words misread at the beginning."""
    keys: set[int | str] = set()
    for term in terms:
        keys |= {*term.groups, term.word[:2]}
    return frozenset(keys)
