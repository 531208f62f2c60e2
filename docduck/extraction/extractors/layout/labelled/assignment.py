"""One assignment of labelled values to fields: each place serves one field, the surest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.confidence import calibrated
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis, is_period_end
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.places import Place, places_of
from docduck.extraction.extractors.layout.labelled.values import READ_KINDS, ReadValue, is_period, read_value
from docduck.extraction.extractors.layout.token_text import ocr_score, text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import locations
from docduck.extraction.result import Finding

_LEAST = 0.5
"""Match of a name from which a place is looked at."""
_ACCEPTED = 0.6
"""Score from which a place answers a field."""
_RUN_ON = 0.9
"""Factor for a value that no mark divides from its label."""
_UNSURE = 0.5
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
        self._queries = [query for query in queries if query.kind in READ_KINDS]
        self._match = NameMatch(queries)
        self.chosen: dict[str, Choice] = {}
        self._assign()

    def findings(self) -> dict[str, Finding]:
        """Return the findings by the name of their field."""
        return {name: _finding(choice) for name, choice in self.chosen.items()}

    def _assign(self) -> None:
        choices = self._choices()
        choices.sort(key=lambda one: -one.score)
        for one in choices:
            if one.query.name in self.chosen:
                continue
            if self._analysis.is_free(one.read.tokens, one.query):
                self.chosen[one.query.name] = one
                self._analysis.take(one.read.tokens, one.query)

    def _choices(self) -> list[Choice]:
        found = []
        locale = self._analysis.locale
        for page in self._analysis.view.pages:
            for place in places_of(page) if page.is_outer else ():
                for query in self._queries:
                    match = self._match.score(query, place)
                    if match < _LEAST:
                        continue
                    read = read_value(query, place, locale)
                    if read is None:
                        continue
                    score = match * read.fit * (1.0 - _UNSURE + _UNSURE * place.probability)
                    if place.run_on:
                        score *= _RUN_ON
                    if is_period_end(query) and not is_period(query, place, locale):
                        score *= 0.9
                    if score >= _ACCEPTED:
                        found.append(Choice(query, place, read, score))
        return found


def _finding(choice: Choice) -> Finding:
    tokens = choice.read.tokens
    confidence = calibrated("page", choice.score, ocr_score(tokens))
    return Finding(choice.read.value, confidence, locations(tokens), text_of(tokens))
