"""Which candidate answers which target: totals together, then the rest by score, each place used once."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from docduck.extraction.confidence import ConfidenceFeatures
from docduck.extraction.extractors.layout.amounts import totals
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.layout.ranker import Ranker, load
from docduck.extraction.extractors.layout.scored_candidate import ScoredCandidate
from docduck.extraction.extractors.layout.typed_values import TypedValueFinder
from docduck.extraction.fields.field_targets import FieldTarget, target_of
from docduck.extraction.page.page_view import locations
from docduck.extraction.result import Finding
from docduck.extraction.values import bank
from docduck.fields import Field, FieldType

_ACCEPTED = 0.24
"""The score from which a value is given."""
_OPEN = 0.8
"""The part of the total's score that an amount has which is known by subtraction only."""
_TOTALS = ("net_total", "tax_total", "grand_total")


class Assignment:
    """Gives each typed target its candidate; one place on the page serves one target."""

    def __init__(
        self, scan: DocumentAnalysis, targets: Sequence[FieldTarget], ranker: Ranker | None = None
    ) -> None:
        self.scan = scan
        self.targets = targets
        self.ranker = ranker or load()
        self.finder = TypedValueFinder(scan, targets, self.ranker)
        self.scored = {target.name: self.finder.ranked(target) for target in targets}
        self.chosen: dict[str, ScoredCandidate] = {}
        self.checked: dict[str, bool] = {}

    def findings(self) -> dict[str, Finding]:
        """The findings by the names of the targets that have a value."""
        self.choose()
        found = {}
        for target in self.targets:
            chosen = self.chosen.get(target.name)
            if chosen is not None:
                found[target.name] = self._finding(target, chosen)
        self._validate(found)
        return found

    def choose(self) -> None:
        """Gives the targets their candidates, in ``chosen``."""
        self._totals()
        self._others()
        self._fallbacks()
        self._open_amount()

    def signs(self, target: FieldTarget) -> ConfidenceFeatures:
        """What speaks for and against the value chosen for ``target``."""
        chosen = self.chosen[target.name]
        runner_up = next((s.score for s in self.scored[target.name] if s.value != chosen.value), 0.0)
        checked = self.checked.get(target.name)
        if target.kind == "iban":
            checked = True if bank.iban_valid(chosen.value.replace(" ", "")) else None
        ocr = min((token.score for token in chosen.tokens), default=1.0)
        return ConfidenceFeatures(chosen.score, runner_up, checked, ocr, chosen.label is not None)

    def _by_concept(self, name: str) -> FieldTarget | None:
        return next((t for t in self.targets if t.concept and t.concept.name == name), None)

    def _totals(self) -> None:
        """Net, tax and gross are chosen together."""
        three = [self._by_concept(name) for name in _TOTALS]
        if all(t is None for t in three):
            return
        lists = [
            self.scored[t.name] if t is not None else self.finder.ranked(target_of(_implied(name)))
            for t, name in zip(three, _TOTALS, strict=True)
        ]
        *best, agrees = totals.choose_totals(
            lists[0],
            lists[1],
            lists[2],
            self.scan.all("amount"),
            (three[0] is not None, three[1] is not None, three[2] is not None),
            self.finder.settled,
            self.finder.extras,
        )
        for target, scored in zip(three, best, strict=True):
            if target is None:
                continue
            if scored is not None and (agrees or scored.score >= _ACCEPTED):
                self.chosen[target.name] = scored
                if agrees:
                    self.checked[target.name] = True
            self.scored[target.name] = [s for s in self.scored[target.name] if s is scored]

    def _others(self) -> None:
        used: dict[int, FieldTarget] = {
            id(token): self._named(name) for name, s in self.chosen.items() for token in s.tokens
        }
        offers = sorted(
            (
                (scored.score, -index, target, scored)
                for target in self.targets
                if target.name not in self.chosen
                for index, scored in enumerate(self.scored[target.name][:10])
                if scored.score >= _ACCEPTED
            ),
            key=lambda offer: offer[:2],
            reverse=True,
        )
        for _, _, target, scored in offers:
            if target.name in self.chosen:
                continue
            holder = next((used[id(t)] for t in scored.tokens if id(t) in used), None)
            if holder is not None and not _may_share(holder, target):
                continue
            self.chosen[target.name] = scored
            for token in scored.tokens:
                used.setdefault(id(token), target)

    def _named(self, name: str) -> FieldTarget:
        return next(t for t in self.targets if t.name == name)

    def _open_amount(self) -> None:
        """What is left to pay, where no label tells it: the total less what is said to be paid."""
        due, gross = self._by_concept("amount_due"), self._by_concept("grand_total")
        if due is None or gross is None or gross.name not in self.chosen:
            return
        total, stated = self.chosen[gross.name], self.chosen.get(due.name)
        if stated is not None and stated.label is not None and stated.candidate is not total.candidate:
            return
        left = {total.value - c.value for c in self.finder.announced("amount_paid")} - {total.value, 0}
        printed = [c for c in self.scan.all("amount") if c.value in left and c.decimals == 2]
        if printed:
            self.chosen[due.name] = ScoredCandidate(printed[-1], _OPEN * total.score)

    def _fallbacks(self) -> None:
        """A concept that the document does not state takes the value of the one that stands in for it."""
        for target in self.targets:
            if target.concept is None or not target.concept.fallback:
                continue
            weak = target.name in self.chosen and self.chosen[target.name].label is None
            if target.name in self.chosen and not weak:
                continue
            for name in target.concept.fallback:
                other = self._by_concept(name)
                if other is not None and other.name in self.chosen:
                    source = self.chosen[other.name]
                    self.chosen[target.name] = ScoredCandidate(
                        source.candidate, source.score * 0.85, source.label
                    )
                    break

    def _finding(self, target: FieldTarget, scored: ScoredCandidate) -> Finding:
        value = from_candidate(target.field, scored.candidate)
        if target.kind == "iban":
            value = value.replace(" ", "")
        confidence = self.ranker.certainty(target.kind, self.signs(target))
        return Finding(value, confidence, locations(scored.tokens), scored.candidate.text)

    def _validate(self, found: dict[str, Finding]) -> None:
        values: dict[str, Decimal] = {}
        names: dict[str, str] = {}
        for concept in _TOTALS:
            target = self._by_concept(concept)
            if (
                target is not None
                and target.name in found
                and isinstance(found[target.name].value, int | float)
            ):
                values[concept] = Decimal(str(found[target.name].value))
                names[concept] = target.name
        for concept, entry in totals.mismatches(values, self.finder.extras).items():
            finding = found[names[concept]]
            finding.validation.append(entry)
            finding.confidence *= 0.6


def _implied(concept: str) -> Field:
    """A field for a total that nobody asked for, but that arithmetic needs."""
    return Field(name=concept, type=FieldType.CURRENCY)


def _may_share(a: FieldTarget, b: FieldTarget) -> bool:
    """Whether one value may answer both: same labels, different forms of value, both ends of one range."""
    if a.concept and b.concept and {a.concept.range, b.concept.range} == {"start", "end"}:
        return True
    if a.own.keys() & b.own.keys():
        return True
    return bool(a.concept and b.concept and a.concept is b.concept)
