"""Finds the value of a prose concept with the part of the extractor responsible for it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from docduck.extraction.confidence import measured
from docduck.extraction.extractors.prose import cover_pages
from docduck.extraction.extractors.prose.contract.called_parties import called_party
from docduck.extraction.extractors.prose.contract.parties import ContractParties
from docduck.extraction.extractors.prose.contract.signatures import Signatures
from docduck.extraction.extractors.prose.court.caption import Caption
from docduck.extraction.extractors.prose.lexicon import ProseConcept, words
from docduck.extraction.extractors.prose.meaning import may_be_empty
from docduck.extraction.extractors.prose.prose_finding import ProseFinding
from docduck.extraction.extractors.prose.rules import find_spans
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values import dates, field_values, names
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import locale_of
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_MIN_WEIGHT = 0.5
"""Minimum weight of a finding."""
_MIN_WEIGHT_IF_OPTIONAL = 0.52
"""Minimum weight for a field that may be left empty."""
_AGREEMENT_BONUS = 0.03
"""Bonus for each further statement of the same value."""
_LABELLED = 0.9
_OF_COURTS = frozenset({"caption", "court", "judge", "case_number", "document_kind"})
_ONLY_ON = re.compile(
    r"\bon\s+(?:an?\s+)?(?P<form>[\w/-]*\d[\w/-]*|proxy)\s+(?:forms?|reports?|filings?|statements?)\b", re.I
)
"""A description that restricts a field to one form: "on 10-K forms"."""


class ProseFinder:
    """Finds the concepts of one document; ``is_prose`` says whether it is mainly running text."""

    def __init__(self, prose: Prose, options: ExtractOptions, is_prose: bool) -> None:
        self.prose = prose
        self.is_prose = is_prose
        self.locale = locale_of(prose.text, options.locale)
        self.caption = Caption(prose)
        self.signatures = Signatures(prose)
        self.parties = ContractParties(prose, self.signatures)

    def find(self, field: Field, concept: ProseConcept | None, role: tuple[str, ...]) -> Finding | None:
        """Return the finding for a field with its concept and role words, None if the text states nothing."""
        if role and self.is_prose:
            finding = self._role(role)
            if finding is not None:
                return finding
        if concept is None:
            return None
        if concept.finder == "parties":
            return self._parties(field) if self.is_prose else None
        candidates = list(self._candidates(field, concept))
        return self._best(field, concept, candidates)

    @cached_property
    def _form(self) -> str | None:
        """The form named on the cover, in upper case."""
        return next((candidate.value.upper() for candidate in cover_pages.form_types(self.prose)), None)

    def would_state(self, concept: ProseConcept) -> bool:
        """Return whether a document like this one would state the concept in a recognisable way."""
        if not concept.owned or not self.is_prose:
            return False
        return concept.finder not in _OF_COURTS or self.caption.is_court_document

    def is_stated_elsewhere(self, field: Field) -> bool:
        """Return whether the field's description restricts it to another form than this document's."""
        restriction = _ONLY_ON.search(f"{field.description or ''}. {field.instructions or ''}")
        if restriction is None or self._form is None:
            return False
        return (
            "14A" if restriction["form"].casefold() == "proxy" else restriction["form"].upper()
        ) not in self._form

    def _role(self, role: tuple[str, ...]) -> Finding | None:
        some = self.parties.of_role(role)
        if not some:
            called = called_party(self.prose, role)
            return self._finding(called.value, called) if called else None
        name = " and ".join(party.name for party in some)
        return self._finding(name, ProseFinding(name, some[0].start, some[-1].end, some[0].weight))

    def _parties(self, field: Field) -> Finding | None:
        found = self.parties.all
        if not found:
            return None
        weight = sum(party.weight for party in found) / len(found)
        places = tuple(place for p in found for place in self.prose.locations(p.start, p.end))
        value = [party.name for party in found]
        text = ", ".join(value)
        if field.type is not FieldType.LIST:
            return Finding(text, measured(weight), places, text)
        return Finding(value, measured(weight if len(found) > 1 else weight * 0.8), places, text)

    def _best(self, field: Field, concept: ProseConcept, candidates: list[ProseFinding]) -> Finding | None:
        votes: defaultdict[str, float] = defaultdict(float)
        best: ProseFinding | None = None
        for candidate in candidates:
            votes[candidate.value] += 1
            if best is None or candidate.weight > best.weight:
                best = candidate
        if best is None or best.weight < (_MIN_WEIGHT_IF_OPTIONAL if may_be_empty(field) else _MIN_WEIGHT):
            return None
        weight = min(0.97, best.weight + _AGREEMENT_BONUS * min(votes[best.value] - 1, 3))
        value = field_values.as_field_type(field, best.value, self.locale)
        if concept.kind == "date" and field.type is FieldType.TEXT:
            value = " ".join(self.prose.flat[best.start : best.end].split())
        return None if value is None else self._finding(value, best, weight)

    def _finding(self, value: object, candidate: ProseFinding, weight: float | None = None) -> Finding:
        places = self.prose.locations(candidate.start, candidate.end)
        raw = " ".join(self.prose.flat[candidate.start : candidate.end].split())
        ocr = self.prose.ocr_score(candidate.start, candidate.end)
        confidence = measured(weight or candidate.weight, ocr)
        return Finding(value, confidence, places, raw)

    def _candidates(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        yield from self._labelled(field, concept)
        yield from self._by_finder(field, concept)
        if concept.rules and (self.is_prose or concept.kind in ("date", "id")):
            yield from self._by_rules(field, concept)

    def _labelled(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        for start, end, label in cover_pages.labelled(self.prose, concept.labels):
            weight = _LABELLED if len(label.split()) > 1 else _LABELLED - 0.03
            yield from self._value(field, concept, start, end, weight)

    def _by_rules(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        for rule in concept.rules:
            found = []
            for start, end in find_spans(self.prose, rule):
                limit = end if end > start else min(len(self.prose), start + 110)
                found += list(self._value(field, concept, start, limit, rule.weight))
            if rule.last:
                found.reverse()
            for rank, candidate in enumerate(found[:8]):
                yield ProseFinding(
                    candidate.value, candidate.start, candidate.end, candidate.weight - 0.004 * rank
                )

    def _value(
        self, field: Field, concept: ProseConcept, start: int, end: int, weight: float
    ) -> Iterator[ProseFinding]:
        """Yield the value of the concept's kind that begins at ``start``."""
        prose = self.prose
        match concept.kind:
            case "date":
                earliest = "earliest" in (field.description or "").casefold()
                found = dates.date_at(prose, start, min(len(prose), start + 60), self.locale, last=earliest)
            case "duration":
                found = field_values.duration_at(prose, start, field)
            case "money":
                found = field_values.money_at(prose, start, end, self.locale)
            case "percent":
                found = field_values.percent_at(prose, start, end)
            case "place":
                found = field_values.place(prose, start, end)
            case "id":
                found = field_values.identifier(prose, start, end)
            case _:
                text = names.tidy(prose.flat[start:end])
                found = (text, start, end) if text else None
        if found is not None and (concept.finder != "court" or _names_court(found[0])):
            yield ProseFinding(found[0], found[1], found[2], weight)

    def _by_finder(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        prose = self.prose
        match concept.finder:
            case "agreement_date" if self.is_prose:
                yield from dates.heading_dates(prose, self.locale, 0.8)
                yield from dates.signature_dates(prose, self.signatures.start, self.locale, 0.6)
            case "signature_date" if self.is_prose:
                yield from dates.signature_dates(prose, self.signatures.start, self.locale, 0.75)
            case "filing_date" if self.caption.is_court_document:
                yield from dates.heading_dates(prose, self.locale, 0.72)
            case "case_number":
                yield from self.caption.numbers()
            case "court":
                yield from self.caption.court()
            case "judge":
                yield from self.caption.judges()
            case "document_kind":
                yield from self.caption.kinds()
            case "caption":
                first, second = self.caption.parties()
                one = {"first": first, "second": second}.get(concept.role)
                if one is not None:
                    yield one
                elif concept.role == "both":
                    yield from self.caption.case_name()
            case "registrant":
                yield from cover_pages.registrants(prose, concept.captions)
            case "form_type":
                yield from cover_pages.form_types(prose)
            case "below":
                for start, end in cover_pages.above_captions(prose, concept.captions):
                    yield from self._value(field, concept, start, end, 0.85)
            case "signer" if self.is_prose:
                for person in self.signatures.people[:1]:
                    yield ProseFinding(person.name, person.start, person.end, 0.75)
            case "addressee" if self.is_prose:
                yield from field_values.addressee(prose)


def _names_court(text: str) -> bool:
    found = {re.sub(r"\W", "", word).casefold() for word in text.split()}
    return bool(found & words("court_words"))
