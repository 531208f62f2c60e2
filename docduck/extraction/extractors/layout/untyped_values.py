"""Values that no label names: parties, addresses, currencies, choices, means of payment, times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.layout import choice_fields
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.labelled.salutations import (
    without_line_of_salutation,
    without_salutation,
)
from docduck.extraction.extractors.layout.parties import address_parts, postal_addresses
from docduck.extraction.extractors.layout.parties.party_finder import Party, PartyFinder
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import is_addressee, is_issuer
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Token, locations, ocr_score, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.result import Finding
from docduck.extraction.values.addresses import find_town
from docduck.extraction.values.currencies import CODES, currency_of, is_currency_mark
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.times import find_times, parse_time
from docduck.fields import FieldType

_ADDRESSED = 0.3
"""Probability from which a name without a label can be the addressee's."""
_IDENTIFIED = 0.4
"""Score of a party from which labels or layout identify it; below, it is a guess."""
_UNLABELLED_TIME = 0.75
"""Confidence of a time of day without a label."""
_PARTIES = frozenset({"party", "address", "street", "zip", "city", "country"})


class UntypedValueFinder:
    """Finds the targets whose value isn't a single typed candidate."""

    def __init__(self, analysis: DocumentAnalysis, targets: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self.targets = targets

    @cached_property
    def party_finder(self) -> PartyFinder:
        """The document's parties."""
        return PartyFinder(self.analysis, self.targets)

    def find(self, target: FieldQuery) -> Finding | None:
        """Return the finding for a target, None if the document has none."""
        if target.kind == "currency":
            return self._currency()
        if target.kind in _PARTIES:
            return self._party(target)
        if target.kind == "bank":
            return self._bank(target)
        if target.kind == "time":
            return self._time()
        if target.kind == "tender":
            return self._tender()
        if target.kind == "choice":
            return choice_fields.printed_option(self.analysis, target)
        return self._of_side(target, "seller") if is_issuer(target) else None

    def _currency(self) -> Finding | None:
        votes: Counter[str] = Counter()
        places: dict[str, list[Token]] = {}
        for candidate in self.analysis.all("amount"):
            if candidate.currency:
                votes[candidate.currency] += 2 if candidate.decimals == 2 else 1
                places.setdefault(candidate.currency, list(candidate.tokens))
        for segment in self.analysis.view.segments:
            for token in segment.tokens:
                code = currency_of(token.text, self.analysis.locale.national)
                if code is not None:
                    votes[code] += 2 if token.text.strip("()").upper() in CODES else 1
                    places.setdefault(code, [token])
        if not votes:
            return None
        (code, count), *rest = votes.most_common(2)
        confidence = 0.6 + 0.38 * (count - (rest[0][1] if rest else 0)) / (count + 1)
        return Finding(code, confidence, locations(places[code]), text_of(places[code]))

    def _party(self, target: FieldQuery) -> Finding | None:
        side = target.concept.side if target.concept and target.concept.side else "seller"
        party = self.party_finder.parties.get(side)
        if party is None or not self.analysis.is_free(party.name, target):
            return None
        if target.kind == "party":
            return _party_finding(target, replace(party, name=without_salutation(target, party.name)))
        confidence = _party_evidence(target, party).probability
        if not party.address or any(token.text.endswith("?") for token in party.address):
            return None
        if target.kind == "address":
            tokens = [*party.name, *party.address] if side == "delivery" else party.address
            text = postal_addresses.as_text(tokens)
            return Finding(text, confidence, locations(tokens), text)
        return self._part(target, party, confidence)

    def unlabelled(self, target: FieldQuery) -> Finding | None:
        """Return the addressee, a part of an address, or the first time of day for a field that asks for it.

        They answer fields that no label names.
        """
        is_time = len(target.title.words) == 1 and "time" in meanings_of(target.name)
        if target.type is FieldType.TEXT and is_time:
            return self._first_time()
        part = address_parts.named_part(self.party_finder.blocks, target)
        if part is not None:
            return part
        finding = self._of_side(target, "buyer") if is_addressee(target) else None
        return finding if finding and _is_addressed(self.party_finder.parties["buyer"].name) else None

    def _of_side(self, target: FieldQuery, side: str) -> Finding | None:
        party = self.party_finder.parties.get(side)
        if party is None or not self.analysis.is_free(party.name, target):
            return None
        self.analysis.take(party.name, target)
        name = without_salutation(target, without_line_of_salutation(party.name))
        return _party_finding(target, replace(party, name=name))

    def _part(self, target: FieldQuery, party: Party, confidence: float) -> Finding | None:
        lines = list(dict.fromkeys(token.segment for token in party.address))
        at = next((at for at, line in enumerate(lines) if find_town(line.text)), None)
        if at is None:
            return None
        if target.kind == "country":
            country = next(iter(lines[at + 1 :]), None)
            return address_parts.shown(country.text.strip(" ,"), country, confidence) if country else None
        return address_parts.read_part(lines[: at + 1], target.kind, confidence)

    def _bank(self, target: FieldQuery) -> Finding | None:
        party = self.party_finder.bank()
        return None if party is None else _party_finding(target, party)

    def _time(self) -> Finding | None:
        """Return the first time of day on the pages, as HH:MM."""
        finding = self._first_time()
        return None if finding is None else replace(finding, value=parse_time(finding.value) or finding.value)

    def _first_time(self) -> Finding | None:
        """Return the first time of day on the pages, as printed, one beside a date before others."""
        timed = [s for s in self.analysis.view.segments if s.has_digit and find_times(s.text)]
        for segment in sorted(timed, key=lambda s: not find_dates(s.text)):
            start, end = find_times(segment.text)[0]
            tokens, printed = segment.slice(start, end), segment.text[start:end]
            return Finding(printed, _UNLABELLED_TIME, locations(tokens), printed)
        return None

    def _tender(self) -> Finding | None:
        """Return the means of payment from a line that names it, or from a sentence."""
        known = word_set("tenders")
        for segment in self.analysis.view.segments:
            words = [t for t in segment.tokens if not any(c.isdigit() for c in t.text)]
            words = [t for t in words if not is_currency_mark(t.text)]
            if not words or len(words) > 4 or words[0] is not segment.tokens[0]:
                continue
            whole = "".join(t.key for t in words)
            if whole in known or (words[0].key in known and all(t.key in known for t in words)):
                text = text_of(words).strip(" :")
                return Finding(text, 0.85, locations(words), text)
        return self._tender_in_sentence()

    def _tender_in_sentence(self) -> Finding | None:
        """Return the means of payment that a sentence names: "paid with Credit Card"."""
        known, paying = word_set("tenders"), word_set("pay_words")
        for segment in self.analysis.view.segments:
            keys = [token.key for token in segment.tokens]
            start = next((index for index, key in enumerate(keys) if key in paying), len(keys))
            for at in range(start + 1, len(keys)):
                end = next((e for e in (at + 3, at + 2, at + 1) if "".join(keys[at:e]) in known), 0)
                if end and len("".join(keys[at:end])) > 3:
                    words = segment.tokens[at:end]
                    text = text_of(words).strip(" :.,;")
                    return Finding(text, 0.75, locations(words), text)
        return None


def _is_addressed(name: Sequence[Token]) -> bool:
    """Return whether the page's reading may take a name for the addressee's."""
    segment = name[-1].segment
    if name[0].key in word_set("greetings") | word_set("salutations"):
        return True
    parts = ("addressee name", "addressee address")
    return sum(reading_of(segment.page).role(segment.index, part) for part in parts) >= _ADDRESSED


def _party_evidence(target: FieldQuery, party: Party) -> Evidence:
    """Return what speaks for a party as the right one, and for its name as complete."""
    return Evidence(
        "party",
        party.score,
        ocr=ocr_score(party.name),
        labelled=party.score >= _IDENTIFIED,
        known=target.concept is not None,
    )


def _party_finding(target: FieldQuery, party: Party) -> Finding:
    return _party_evidence(target, party).finding(party.text, locations(party.name), party.text)
