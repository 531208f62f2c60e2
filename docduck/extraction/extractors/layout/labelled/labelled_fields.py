"""One assignment of labelled values to fields: each place serves one field, the surest first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from docduck.extraction.confidence import Evidence, Source
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.labelled.clauses import clause_places, passages, stated
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.near_labels import near_labels
from docduck.extraction.extractors.layout.labelled.own_dates import own_dates
from docduck.extraction.extractors.layout.labelled.places import NUMERIC, Place, places_of
from docduck.extraction.extractors.layout.labelled.registrations import is_of_other, registration_score
from docduck.extraction.extractors.layout.labelled.sentences import sentence_places
from docduck.extraction.extractors.layout.labelled.tick_boxes import tick_boxes
from docduck.extraction.extractors.layout.labelled.values import (
    READ_KINDS,
    ReadValue,
    is_period,
    read_value,
)
from docduck.extraction.extractors.layout.labels.neighbours import is_label_like
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.period_ends import end_of_period
from docduck.extraction.fields.registrations import asked_side
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import locations, ocr_score, text_of
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_LEAST = 0.5
"""Match of a name from which a place is looked at."""
_ACCEPTED = 0.6
"""Score from which a place answers a field."""
_KNOWN = 0.85
"""Score from which a place answers a field that the lexicon knows."""
_FULL = 0.95
"""Match from which a label is the name of the field, which even a row below a table's head can have."""
_PLAIN = 0.7
"""Score from which a label that leaves out a part of a field's name answers it before anything else."""
_SURE_TOTAL = 0.95
"""Probability of a place that answers a total without arithmetic."""
_PROBABLE = 0.4
"""Probability of a place with a label that leaves something out."""
_LIKELY = 0.5
"""Probability of a place that answers a field before anything else is tried."""
_RANGE = 0.9
"""Match of a period for a field that asks for its end."""
_SURE_PARTY = 0.97
"""Match from which a label names a party that is otherwise found by its role."""
_TOTALS = frozenset({"net_total", "tax_total", "grand_total", "amount_due"})
"""Concepts whose amounts are chosen together, as they must agree."""
_NAMED = frozenset({"party", "bank"})
"""Kinds of fields that a label such as "Name" doesn't answer."""
_LATER = frozenset({"vat", "choice"})
"""Kinds of fields that have surer signs than their label: whose block they are in, ticks."""
_RUN_ON = 0.9
"""Factor for a value that no mark divides from its label."""
_UNSURE = 0.3
"""The part of a score that depends on the probability that the value is the label's."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A place that can answer a field, with its score 0–1."""

    query: FieldQuery
    place: Place
    read: ReadValue
    score: float


class LabelledFields:
    """The values of a document's labelled fields."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self._analysis = analysis
        self._addresses = [query for query in queries if _is_address(query)]
        self._queries = [q for q in queries if q.kind in READ_KINDS and not _is_address(q)]
        self._registered = [q for q in queries if asked_side(q)]
        self.match = NameMatch(queries)
        self._outer = [page for page in analysis.view.pages if page.is_outer]
        sources = (places_of, tick_boxes, sentence_places, own_dates)
        self.places = [place for page in self._outer for source in sources for place in source(page)]
        self._periods = {id(place) for place in self.places if is_period(place, analysis)}

    def sure(self) -> dict[str, Finding]:
        """Return the findings of fields that labels clearly name, but for totals."""
        queries = [q for q in self._queries if not _is_total(q) and q.kind not in _LATER]
        choices = [
            *self._choices(queries, self._match, known=_KNOWN),
            *self._choices(self._registered, lambda q, place: registration_score(q, place, self._analysis)),
        ]
        findings = self._assign([choice for choice in choices if choice.place.probability >= _LIKELY])
        named = {choice.query.name for choice in choices}
        open_ = [query for query in queries if query.concept is None and query.name not in named]
        return findings | self._assign(self._general(open_))

    def parties(self, names: Collection[str]) -> dict[str, Finding]:
        """Return findings of the parties ``names``, which neither a sure label nor their role told.

        Labels divided by nothing but their meaning don't tell them: "for the Lighthouse project". The address
        of a party has its field's name as label.
        """
        parties = filter(_is_party, self._queries)
        queries = [query for query in (*parties, *self._addresses) if query.name in names]
        places = [place for place in self.places if not place.run_on]
        return self._assign(self._choices(queries, self.match.score, places, party=_LEAST))

    def totals(self, names: Collection[str]) -> dict[str, Finding]:
        """Return the findings of the totals ``names``, which no arithmetic has settled."""
        queries = [q for q in self._queries if q.name in names and _is_total(q)]
        choices = self._choices(queries, self._match, known=_KNOWN)
        self._analysis.release({query.name for query in queries})
        return self._assign([choice for choice in choices if choice.place.probability >= _SURE_TOTAL])

    def others(self, names: Collection[str]) -> dict[str, Finding]:
        """Return further findings of the fields ``names``, which nothing else answered."""
        queries = [query for query in self._queries if query.name in names]
        if not queries:
            return {}
        near = [place for index in self._analysis.label_indexes for place in near_labels(index)]
        findings = self._assign(self._choices(queries, self._match, [*self.places, *near]))
        open_ = [query for query in queries if query.name not in findings]
        findings |= self._assign(self._general([query for query in open_ if query.kind not in _NAMED]))
        open_ = [query for query in open_ if query.name not in findings]
        return findings | self._stated(open_) if open_ else findings

    def _stated(self, queries: Sequence[FieldQuery]) -> dict[str, Finding]:
        """Return findings of what the clauses of running text state."""
        some = [tokens for page in self._outer for tokens in passages(page)]
        findings = self._assign(
            self._choices(queries, self._match, list(clause_places(some)), known=_KNOWN), "sentence"
        )
        for query in queries:
            if query.type is FieldType.BOOLEAN and (finding := stated(query, some)):
                findings[query.name] = finding
        return findings

    def _general(self, queries: Sequence[FieldQuery]) -> list[Choice]:
        """Return choices by labels that leave out a part of a field's name."""
        places = [place for place in self.places if place.probability >= _PROBABLE]
        return self._choices(
            queries, lambda query, place: self.match.general_score(query, place, queries), places, _PLAIN
        )

    def _assign(self, choices: list[Choice], source: Source = "label") -> dict[str, Finding]:
        choices.sort(key=lambda choice: -choice.score)
        findings = {}
        for choice in choices:
            if choice.query.name in findings:
                continue
            if self._analysis.is_free(choice.read.tokens, choice.query):
                findings[choice.query.name] = _finding(choice, source)
                self._analysis.take(choice.read.tokens, choice.query)
        return findings

    def _choices(
        self,
        queries: Sequence[FieldQuery],
        match: Callable[[FieldQuery, Place], float],
        places: Sequence[Place] | None = None,
        least: float = _ACCEPTED,
        known: float = 0.0,
        party: float = _SURE_PARTY,
    ) -> list[Choice]:
        """Return the choices of places, all by default, whose score reaches ``least``.

        That of a field which the lexicon knows must reach ``known``, too.
        """
        choices = (
            self.scored(query, place, match(query, place), party)
            for place in (self.places if places is None else places)
            for query in queries
        )
        return [
            choice
            for choice in choices
            if choice is not None and choice.score >= (max(least, known) if choice.query.concept else least)
        ]

    def _is_cell(self, query: FieldQuery, place: Place) -> bool:
        """Return whether a place is in the body of a table, which answers no field but totals, and no sum."""
        in_body = (place.page.index, place.segment.row) in self._analysis.claimed
        return in_body and not _is_total(query) and not _is_sum(place)

    def _is_label(self, query: FieldQuery, place: Place) -> bool:
        """Return whether a text at a place is a label rather than a value."""
        if query.type is not FieldType.TEXT or place.run_on or place.near or place.tokens[0].index:
            return False
        return is_label_like(place.segment.tokens, self._analysis.label_index(place.segment))

    def _match(self, query: FieldQuery, place: Place) -> float:
        """Return how much a place's label names a field, or the period whose end that asks for."""
        match = self.match.score(query, place)
        if id(place) in self._periods and end_of_period(query):
            match = max(match, _RANGE * self.match.period_score(query, place))
        return match

    def scored(
        self, query: FieldQuery, place: Place, match: float, party: float = _SURE_PARTY
    ) -> Choice | None:
        """Return the choice of a place whose label has this match, None if it can't answer the field.

        The label of a party must match at ``party``.
        """
        if place.kinds and query.kind not in place.kinds:
            return None
        is_code = bool(place.kinds) and "iban" not in place.kinds
        if is_code and query.kind == "text" and match < _KNOWN:
            return None
        if match < (party if _is_party(query) else _FULL if _is_address(query) else _LEAST):
            return None
        if (place.page.index, place.segment.row) in self._analysis.carried:
            return None
        if self._is_cell(query, place) and (match < _FULL or _is_item(query, place)):
            return None
        if is_of_other(query, place) or self._is_label(query, place):
            return None
        read = read_value(query, place, self._analysis)
        if read is None or not has_form(query, text_of(read.tokens)):
            return None
        score = match * read.fit * (1.0 - _UNSURE + _UNSURE * place.probability)
        if place.run_on:
            score *= _RUN_ON
        if query.concept and query.concept.range and id(place) not in self._periods:
            score *= _RUN_ON
        return Choice(query, place, read, score)


def _finding(choice: Choice, source: Source) -> Finding:
    tokens, known = choice.read.tokens, choice.query.concept is not None
    paired = choice.place.probability if source == "label" else 1.0
    evidence = Evidence(source, choice.score, ocr=ocr_score(tokens), known=known, paired=paired)
    return evidence.finding(choice.read.value, locations(tokens), text_of(tokens))


def _is_item(query: FieldQuery, place: Place) -> bool:
    """Return whether an amount has a price and a quantity in its row, as that of an item has."""
    row = place.page.rows[place.segment.row]
    others = [segment for segment in row.segments if segment.has_digit and segment is not place.segment]
    return query.kind in NUMERIC and len(others) > 1


def _is_sum(place: Place) -> bool:
    """Return whether the row of a place begins with words for a sum."""
    begin = place.page.rows[place.segment.row].segments[0]
    return any(token.key in word_set("sum_words") for token in begin.tokens)


def _is_total(query: FieldQuery) -> bool:
    return query.concept is not None and query.concept.name in _TOTALS


def _is_party(query: FieldQuery) -> bool:
    return query.kind == "party" and query.concept is not None


def _is_address(query: FieldQuery) -> bool:
    return query.kind == "address" and query.concept is not None
