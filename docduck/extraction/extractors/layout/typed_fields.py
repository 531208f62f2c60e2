"""Assign candidates to typed fields: totals together, then the rest by score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docduck.extraction.confidence import Evidence, Source
from docduck.extraction.equations import TOTALS
from docduck.extraction.extractors.layout.amounts import totals
from docduck.extraction.extractors.layout.amounts.printed_sums import PrintedSum
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import ScoredCandidate
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.layout.typed_values import TypedValueFinder
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import FieldQuery, by_concept, query_of
from docduck.extraction.page.page_view import Segment, locations, ocr_score
from docduck.extraction.result import Finding
from docduck.extraction.values import bank
from docduck.fields import Field, FieldType

_ACCEPTED = 0.24
"""Minimum score of a value."""
_SUBTRACTED = 0.8
"""Factor on the total's score for an amount due that is known by subtraction only."""
_SOURCES: Mapping[str, Source] = {"date": "date", "amount": "amount", "percent": "amount"}
"""Sources of kinds of values; all others are identifiers."""


class TypedFields:
    """Assign candidates to typed targets; each place on a page serves one target."""

    def __init__(
        self, analysis: DocumentAnalysis, targets: Sequence[FieldQuery], printed: PrintedSum | None
    ) -> None:
        self.analysis = analysis
        self._printed = printed
        self.targets = targets
        self._by_concept = by_concept(targets)
        self.finder = TypedValueFinder(analysis, targets)
        self.scored = {
            target.name: [
                scored
                for scored in self.finder.score(target)
                if analysis.is_free(scored.tokens, target) and has_form(target, scored.candidate.text)
            ]
            for target in targets
        }
        self.chosen: dict[str, ScoredCandidate] = {}
        self.checked: set[str] = set()

    def findings(self) -> dict[str, Finding]:
        """Return findings by target name."""
        self._assign_totals()
        self._assign_by_score()
        self._assign_fallbacks()
        self._amount_due()
        known = {target.name: target for target in self.targets if target.name in self.chosen}
        self.analysis.release(known)
        for name, scored in self.chosen.items():
            self.analysis.take(scored.tokens, known[name])
        return {name: self._finding(target, self.chosen[name]) for name, target in known.items()}

    @property
    def totals(self) -> list[Segment]:
        """The lines of the totals that were found."""
        named = (self._by_concept.get(name) for name in TOTALS)
        return [self.chosen[t.name].tokens[0].segment for t in named if t and t.name in self.chosen]

    @property
    def unsettled(self) -> set[str]:
        """The fields whose values neither agree with others nor were paid."""
        paid = {name for name, candidate in self.chosen.items() if candidate.value in self.finder.settled}
        return {target.name for target in self.targets} - self.checked - paid

    def _assign_totals(self) -> None:
        """Choose net, tax and gross together."""
        three = [self._by_concept.get(name) for name in TOTALS]
        if all(t is None for t in three):
            return
        lists = [
            self.scored[t.name] if t is not None else self.finder.score(query_of(_total_field(name)))
            for t, name in zip(three, TOTALS, strict=True)
        ]
        *best, agrees = totals.choose_totals(
            lists[0],
            lists[1],
            lists[2],
            self.analysis.all("amount"),
            (three[0] is not None, three[1] is not None, three[2] is not None),
            self.finder.settled,
            self.finder.extras,
            self._printed,
        )
        for target, scored in zip(three, best, strict=True):
            if target is None:
                continue
            if scored is not None and (agrees or scored.score >= _ACCEPTED):
                self.chosen[target.name] = scored
                self.analysis.take(scored.tokens, target)
                if agrees:
                    self.checked.add(target.name)
            self.scored[target.name] = [s for s in self.scored[target.name] if s is scored]

    def _assign_by_score(self) -> None:
        ranked = sorted(
            (
                (scored.score, -index, target, scored)
                for target in self.targets
                if target.name not in self.chosen
                for index, scored in enumerate(self.scored[target.name][:10])
                if scored.score >= _ACCEPTED
            ),
            key=lambda entry: entry[:2],
            reverse=True,
        )
        for _, _, target, scored in ranked:
            if target.name not in self.chosen and self.analysis.is_free(scored.tokens, target):
                self.chosen[target.name] = scored
                self.analysis.take(scored.tokens, target)

    def _amount_due(self) -> None:
        """Set an unlabelled amount due to the total minus the amounts paid."""
        due, gross = self._by_concept.get("amount_due"), self._by_concept.get("grand_total")
        if due is None or gross is None or gross.name not in self.chosen:
            return
        total, stated = self.chosen[gross.name], self.chosen.get(due.name)
        if stated is not None and stated.label is not None and stated.candidate is not total.candidate:
            return
        left = {total.value - c.value for c in self.finder.labelled_amounts("amount_paid")} - {total.value, 0}
        printed = [c for c in self.analysis.all("amount") if c.value in left and c.decimals == 2]
        if printed:
            self.chosen[due.name] = ScoredCandidate(printed[-1], _SUBTRACTED * total.score)

    def _assign_fallbacks(self) -> None:
        """Fill concepts that the document doesn't state from their fallback concepts."""
        for target in self.targets:
            if target.concept is None or not target.concept.fallback:
                continue
            weak = target.name in self.chosen and self.chosen[target.name].label is None
            if target.name in self.chosen and not weak:
                continue
            for name in target.concept.fallback:
                other = self._by_concept.get(name)
                if other is not None and other.name in self.chosen:
                    source = self.chosen[other.name]
                    self.chosen[target.name] = ScoredCandidate(
                        source.candidate, source.score * 0.85, source.label
                    )
                    break

    def _finding(self, target: FieldQuery, scored: ScoredCandidate) -> Finding:
        value, checked = from_candidate(target.field, scored.candidate), target.name in self.checked
        if target.kind == "iban":
            value = value.replace(" ", "")
            checked = bank.iban_valid(value)
        evidence = Evidence(
            _SOURCES.get(target.kind, "identifier"),
            scored.score,
            checked,
            ocr_score(scored.tokens),
            scored.label is not None,
            target.concept is not None,
        )
        return evidence.finding(value, locations(scored.tokens), scored.candidate.text)


def _total_field(concept: str) -> Field:
    """Return a field for a total that no field requests but the arithmetic needs."""
    return Field(name=concept, type=FieldType.CURRENCY)
