"""Finds the values of fields in running text, each with the part of the extractor responsible for it."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from docduck.documents.document import Document
from docduck.extraction.confidence import measured
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.contract.called_parties import called_party
from docduck.extraction.extractors.prose.contract.parties import ContractParties
from docduck.extraction.extractors.prose.contract.signatures import Signatures
from docduck.extraction.extractors.prose.lexicon import ProseConcept
from docduck.extraction.extractors.prose.meaning import may_be_empty
from docduck.extraction.extractors.prose.rules import find_spans
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
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
_MIN_WORDS = 40
_MIN_PROSE_SHARE = 0.3
"""Minimum share of running text in a prose document."""

_recent: dict[int, Prose] = {}
"""The text of the last document, by its identity: several extractors read the same one."""


def prose_of(document: Document) -> Prose | None:
    """Return the text of a document, None if it has too few words."""
    if sum(len(line.words) for page in document.pages for line in page.lines) < _MIN_WORDS:
        return None
    key = id(document)
    prose = _recent.get(key)
    if prose is None:
        _recent.clear()
        prose = _recent[key] = Prose(document)
        weakref.finalize(document, _recent.pop, key, None)
    return prose


class ProseFinder:
    """Finds the concepts of one document.

    A domain has a subclass that finds concepts of its own lexicon in ``candidates``.
    """

    def __init__(self, prose: Prose, options: ExtractOptions) -> None:
        self.prose = prose
        self.is_prose = prose.share >= _MIN_PROSE_SHARE
        self.locale = locale_of(prose.text, options.locale)
        self.signatures = Signatures(prose)
        self.parties = ContractParties(prose, self.signatures)

    def find_all(self, fields: Iterable[tuple[Field, ProseConcept | None, tuple[str, ...]]]) -> Findings:
        """Return findings for fields with the concept and role words of each.

        ``absent`` are those that the text would state but doesn't.
        """
        findings = Findings()
        for field, concept, role in fields:
            finding = self.find(field, concept, role)
            if finding is not None:
                findings.scalars[field.name] = finding
            elif concept is not None and self.would_state(concept):
                findings.absent.add(field.name)
        return findings

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
        candidates = list(self._all_candidates(field, concept))
        return self._best(field, concept, candidates)

    def would_state(self, concept: ProseConcept) -> bool:
        """Return whether a document like this one would state the concept in a recognisable way."""
        return concept.owned and self.is_prose

    def _role(self, role: tuple[str, ...]) -> Finding | None:
        parties = self.parties.of_role(role)
        if not parties:
            called = called_party(self.prose, role)
            return self._finding(called.value, called) if called else None
        name = " and ".join(party.name for party in parties)
        return self._finding(name, ProseFinding(name, parties[0].start, parties[-1].end, parties[0].weight))

    def _parties(self, field: Field) -> Finding | None:
        parties = self.parties.all
        if not parties:
            return None
        weight = sum(party.weight for party in parties) / len(parties)
        places = tuple(place for party in parties for place in self.prose.locations(party.start, party.end))
        value = [party.name for party in parties]
        text = ", ".join(value)
        if field.type is not FieldType.LIST:
            return Finding(text, measured(weight), places, text)
        return Finding(value, measured(weight if len(parties) > 1 else weight * 0.8), places, text)

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

    def _all_candidates(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        yield from self._labelled(field, concept)
        yield from self.candidates(field, concept)
        if concept.rules and (self.is_prose or concept.kind in ("date", "id")):
            yield from self._by_rules(field, concept)

    def _labelled(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        for start, end, label in labelled_values(self.prose, concept.labels):
            weight = _LABELLED if len(label.split()) > 1 else _LABELLED - 0.03
            yield from self.value_at(field, concept, start, end, weight)

    def _by_rules(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        for rule in concept.rules:
            candidates = []
            for start, end in find_spans(self.prose, rule):
                limit = end if end > start else min(len(self.prose), start + 110)
                candidates += list(self.value_at(field, concept, start, limit, rule.weight))
            if rule.last:
                candidates.reverse()
            for rank, candidate in enumerate(candidates[:8]):
                yield ProseFinding(
                    candidate.value, candidate.start, candidate.end, candidate.weight - 0.004 * rank
                )

    def value_at(
        self, field: Field, concept: ProseConcept, start: int, end: int, weight: float
    ) -> Iterator[ProseFinding]:
        """Yield the value of the concept's kind that begins at ``start``."""
        prose = self.prose
        match concept.kind:
            case "date":
                earliest = "earliest" in (field.description or "").casefold()
                value = dates.date_at(prose, start, min(len(prose), start + 60), self.locale, last=earliest)
            case "duration":
                value = field_values.duration_at(prose, start, field)
            case "money":
                value = field_values.first_of(field_values.MONEY, prose, start, end)
            case "percent":
                value = field_values.first_of(field_values.PERCENT, prose, start, end)
            case "place":
                value = field_values.place(prose, start, end)
            case "id":
                value = field_values.identifier(prose, start, end)
            case _:
                text = names.tidy(prose.flat[start:end])
                value = (text, start, end) if text else None
        if value is not None:
            yield ProseFinding(*value, weight)

    def candidates(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        """Yield what the concept's ``finder`` finds."""
        prose = self.prose
        match concept.finder:
            case "agreement_date" if self.is_prose:
                yield from dates.heading_dates(prose, self.locale, 0.8)
                yield from dates.signature_dates(prose, self.signatures.start, self.locale, 0.6)
            case "signature_date" if self.is_prose:
                yield from dates.signature_dates(prose, self.signatures.start, self.locale, 0.75)
            case "signer" if self.is_prose:
                yield from self.signatures.people[:1]
            case "addressee" if self.is_prose:
                yield from field_values.addressee(prose)


def labelled_values(prose: Prose, labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield span and label of values in lines "Label: value", or in the cell beside or below the label."""
    by_form = {_label_form(label): label for label in labels}
    for index in range(min(len(prose.lines), 400)):
        text = prose.line_text(index)
        head, colon, rest = text.partition(":")
        label = by_form.get(_label_form(head)) if len(head) < 60 else None
        if label is None:
            continue
        line = prose.lines[index]
        if colon and rest.strip():
            start = line.start + len(head) + 1 + (len(rest) - len(rest.lstrip()))
            yield start, line.end, label
        elif not rest.strip() and index + 1 < len(prose.lines):
            below = prose.lines[index + 1]
            if below.row == line.row or (colon and below.row - line.row <= 1):
                yield below.start, below.end, label


def _label_form(label: str) -> str:
    return "".join(char for char in label.casefold() if char.isalnum())
