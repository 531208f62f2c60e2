"""Scalar values by label and geometry: for each target, its candidates with a score 0–1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property

from docduck.extraction.extractors.layout.amounts import breakdown
from docduck.extraction.extractors.layout.amounts.breakdown import TaxBreakdown
from docduck.extraction.extractors.layout.amounts.totals import settled_amounts
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.field_name_overlap import is_enough, name_overlap
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.relations import (
    LabelIndex,
    ValueIndex,
    is_filler_label,
    related_values,
)
from docduck.extraction.extractors.layout.ranker import DocumentFeatures, Ranker, group_of, is_unsure
from docduck.extraction.extractors.layout.scored_candidate import ScoredCandidate
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.lexicon import scalar_concepts
from docduck.fields import FieldType

TYPED_KINDS = frozenset(
    {"date", "amount", "percent", "identifier", "iban", "bic", "vat", "mail", "web", "phone"}
)
_ALSO = {"vat": ("identifier",), "iban": ("identifier",), "phone": ("identifier",), "percent": ("amount",)}
"""Kinds that may stand in, at a lower form, where the label says what the value is."""
_UNLABELLED = {"iban": 0.62, "vat": 0.5, "mail": 0.5, "web": 0.45, "phone": 0.35, "bic": 0.4}
"""The score of a value whose form alone says what it is."""
_LIKE_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{6,30}")
_MIN_RELATION = 0.12
_NUMBERED = {
    "invoice_date": "invoice_number",
    "order_date": "order_number",
    "delivery_date": "delivery_number",
}
"""Dates that may follow a number in one line, and what number that is."""
_TITLED, _MENTIONED = 0.92, 0.7
"""The relation of a date that follows the number in a title ("Invoice 4711 of 3 May"), and further down."""
_PREFERRED = 0.92
"""The weight of an alternative on a document of the kind that the description names for it."""
_PASSED_OVER = 0.85
"""The factor for an alternative where the document is of the kind that another is named for."""
_NAMED = 0.08
"""What it is worth, in score, that a label repeats a word of the field's name."""
_HEADING = 0.6
"""The factor for amounts under a label that heads a column."""
_WORDED = 0.7
"""The score of a value beside all words of a field's name, where these are no label."""
_UNMARKED = 0.8
"""The factor for an amount without a currency where the others print one."""
_PERIOD_START, _PERIOD_END = "period_start", "period_end"
_EXPECTED = frozenset({"invoice_date", "invoice_number", "grand_total"})
"""Concepts that most documents state, so that a value without a known label may be theirs."""
_FORM = 0.85
"""The form from which a value without a label is offered for a concept."""
_FREE = 24
"""Values without a label that are offered for such a concept, at most."""


class TypedValueFinder:
    """Scores the candidates of every typed target of one document."""

    def __init__(
        self, scan: DocumentAnalysis, targets: Sequence[FieldTarget], ranker: Ranker | None = None
    ) -> None:
        self.scan = scan
        self.ranker = ranker
        self.targets = targets
        cents = [c for c in scan.all("amount") if c.decimals == 2]
        self._whole = not cents
        self._marked = sum(c.currency is not None for c in cents) > 0.6 * len(cents)
        self._breakdowns: dict[int, TaxBreakdown | None] = {}
        self._values: dict[tuple[int, str], ValueIndex] = {}
        self._related: dict[tuple[int, str], list[tuple[Candidate, float]]] = {}
        self._rivals: dict[str, dict[int, list[tuple[str, float]]]] = {}

    def _relations(self, page: int, label: LabelMatch, kind: str) -> list[tuple[Candidate, float]]:
        spot = (id(label), kind)
        if spot not in self._related:
            values = self._of_page(page, kind)
            related = related_values(label, values, self.scan.around[page])
            if kind == "amount":
                related = _column(label, related, self.scan.view.pages[page].line_height)
            if kind == "amount" and (known := self._breakdown(page)):
                related = [(c, r) for c, r in related if id(c) not in known.amounts]
                related += known.under.get(id(label), ())
            self._related[spot] = related
        return self._related[spot]

    def _of_page(self, page: int, kind: str) -> ValueIndex:
        if (page, kind) not in self._values:
            self._values[page, kind] = ValueIndex(self.scan.candidates(kind)[page])
        return self._values[page, kind]

    def announced(self, concept: str) -> list[Candidate]:
        """The amounts that labels announce as a concept, clearly and as nothing else."""
        claims = self._explained("amount")
        return [
            c
            for c in self.scan.all("amount")
            if (found := dict(sorted(claims.get(id(c), ()), key=lambda claim: claim[1])))
            and max(found, key=lambda name: found[name]) == concept
            and found[concept] > 0.55
        ]

    def _breakdown(self, page: int) -> TaxBreakdown | None:
        if page not in self._breakdowns:
            view, around = self.scan.view.pages[page], self.scan.around[page]
            self._breakdowns[page] = breakdown.find_breakdown(
                view, around, self.scan.candidates("amount")[page]
            )
        return self._breakdowns[page]

    def _explained(self, kind: str) -> dict[int, list[tuple[str, float]]]:
        """For each candidate of a kind, the concepts that labels announce it as, and how strongly."""
        if kind in self._rivals:
            return self._rivals[kind]
        concepts = scalar_concepts()
        claims: dict[int, list[tuple[str, float]]] = {}
        for page, occurrences in enumerate(self.scan.occurrences):
            for label in occurrences:
                names = [n for n in label.concepts if concepts[n].kind == kind]
                if not names:
                    continue
                for candidate, relation in self._relations(page, label, kind):
                    for name in names:
                        weight = 0.6 if label.form in concepts[name].weak else 0.95
                        claims.setdefault(id(candidate), []).append((name, relation * weight * label.trust))
        self._rivals[kind] = claims
        return claims

    @cached_property
    def settled(self) -> set[Decimal]:
        """What was paid in the end, by the money given and the change."""
        return settled_amounts(self.announced("amount_paid"), self.announced("change"))

    @cached_property
    def extras(self) -> list[Decimal]:
        """What labels announce between net and gross besides the tax; discounts are negative."""
        added = [c.value for name in ("shipping", "tip", "rounding") for c in self.announced(name)]
        taken = [-abs(c.value) for c in self.announced("discount")]
        return [value for value in dict.fromkeys([*added, *taken]) if value]

    @cached_property
    def facts(self) -> DocumentFeatures:
        """What the ranker knows of the document as a whole."""
        kinds = ("date", "amount", "identifier")
        return DocumentFeatures(
            [c for k in kinds for c in self.scan.all(k)], self.scan.view.pages, self.settled
        )

    def ranked(self, target: FieldTarget) -> list[ScoredCandidate]:
        """The candidates for ``target``, best first; the ranker corrects scores where rules are unsure."""
        scored = self.score(target)
        group = group_of(target)
        if self.ranker is None or group is None or group not in self.ranker.weights:
            return scored
        if scored and not is_unsure(scored):
            return scored
        scored, rows = self.questions(target, scored)
        return self.ranker.blend(group, scored, rows) if scored else []

    def questions(
        self, target: FieldTarget, ruled: Sequence[ScoredCandidate] | None = None
    ) -> tuple[list[ScoredCandidate], list[list[float]]]:
        """What the ranker chooses among for ``target``, and what it sees of each.

        ``ruled`` are the candidates that the rules have scored, if they are known already.
        """
        scored = list(self.score(target) if ruled is None else ruled)
        name = target.concept.name if target.concept else ""
        if name in _EXPECTED:
            known = {id(s.candidate) for s in scored}
            free = [c for c in self.scan.all(target.kind) if id(c) not in known and _plain(target, c)]
            scored += [ScoredCandidate(c, 0.0) for c in free[:_FREE]]
        claims = {
            spot: max((s for n, s in some if n != name), default=0.0)
            for spot, some in self._explained(target.kind).items()
        }
        return scored, self.facts.features(target, scored, claims)

    def score(self, target: FieldTarget) -> list[ScoredCandidate]:
        """The candidates for ``target``, best first."""
        best: dict[int, ScoredCandidate] = {}
        for kind in (target.kind, *_ALSO.get(target.kind, ())):
            own = kind == target.kind
            for page, occurrences in enumerate(self.scan.occurrences):
                for label in occurrences:
                    weight = self._weight(target, label)
                    if (
                        not weight
                        and target.concept
                        and target.concept.period
                        and label.form in target.concept.period
                    ):
                        weight = 0.9
                    if not weight:
                        continue
                    for candidate, relation in self._relations(page, label, kind):
                        score = relation * weight * label.trust * (0.5 + 0.5 * candidate.form)
                        score = self._adjusted(target, candidate, label, score) * (1.0 if own else 0.75)
                        if score > _MIN_RELATION and (
                            id(candidate) not in best or best[id(candidate)].score < score
                        ):
                            best[id(candidate)] = ScoredCandidate(candidate, score, label)
        if target.concept:
            claims = self._explained(target.kind)
            kin = {target.concept.name, *(other.concept for other in target.alternatives)}
            for scored in best.values():
                rival = max(
                    (s for n, s in claims.get(id(scored.candidate), ()) if n not in kin),
                    default=0.0,
                )
                if rival > scored.score:
                    scored.score -= 0.7 * (rival - scored.score) + 0.05
        for scored in self._unlabelled(target):
            best.setdefault(id(scored.candidate), scored)
        return sorted(best.values(), key=lambda s: -s.score)

    def _weight(self, target: FieldTarget, label: LabelMatch) -> float:
        weight = target.weight(label.form)
        concept = target.concept
        if concept is None:
            return weight
        if not weight and concept.name in label.concepts and label.form not in concept.period:
            return 0.9
        if not weight and target.alternatives:
            return self._alternative(target, label)
        number = _NUMBERED.get(concept.name)
        if number and label.start and label.form in scalar_concepts()["invoice_date"].weak:
            before = self._around(label).by_segment[label.segment.index]
            if any(o.end <= label.start and o.start <= 1 and number in o.concepts for o in before):
                page = label.segment.page
                high = page is self.scan.view.pages[0] and label.segment.top < page.height / 2
                return (_TITLED if high else _MENTIONED) / label.trust
        return weight

    def _alternative(self, target: FieldTarget, label: LabelMatch) -> float:
        """The weight of a label of another concept that the field's description lets answer."""
        named = [a for a in target.alternatives if a.concept in label.concepts]
        if not named:
            return 0.0
        preferred = {a.concept for a in target.alternatives if a.title and self.scan.titled(a.title)}
        if preferred & {a.concept for a in named}:
            return _PREFERRED
        return max(a.weight for a in named) * (_PASSED_OVER if preferred else 1.0)

    def _around(self, label: LabelMatch) -> LabelIndex:
        return self.scan.around[label.segment.page.index]

    def _adjusted(self, target: FieldTarget, candidate: Candidate, label: LabelMatch, score: float) -> float:
        concept = target.concept
        if concept and concept.range:
            in_period = label.form in concept.period
            if candidate.range == concept.range:
                score = min(1.0, score + 0.25) if in_period or label.form not in target.own else score
            elif candidate.range is not None or in_period or self._lonely(label, concept.range):
                score *= 0.3
            if any(token.key in target.words for token in label.tokens):
                score += _NAMED * score
        elif candidate.range is not None:
            score *= 0.7
        if (
            target.kind == "identifier"
            and candidate.kind == "identifier"
            and label.segment.row != candidate.segment.row
        ):
            score *= 0.92
        if target.kind == "amount" and target.field.type is FieldType.CURRENCY and not candidate.decimals:
            score *= 1.0 if candidate.currency or self._whole else 0.2
        if target.kind == "amount" and self._marked and not candidate.currency:
            score *= _UNMARKED
        if target.kind in ("vat", "iban") and candidate.kind == "identifier":
            compact = candidate.value.replace(" ", "")
            weak = target.kind == "iban" and concept is not None and label.form in concept.weak
            score *= 1.0 if len(compact) >= 8 and (not weak or _LIKE_IBAN.fullmatch(compact)) else 0.3
        return score

    def _lonely(self, label: LabelMatch, end: str) -> bool:
        """Whether a small word such as "du" has no label for the other end of a range in its row."""
        other = _PERIOD_END if end == "start" else _PERIOD_START
        row = self._around(label).by_row.get(label.segment.row, ())
        return is_filler_label(label) and not any(other in o.concepts and o is not label for o in row)

    def _unlabelled(self, target: FieldTarget) -> list[ScoredCandidate]:
        base = _UNLABELLED.get(target.kind)
        if base is not None and not (target.concept and target.concept.name in ("buyer_vat_id", "fax")):
            return [
                ScoredCandidate(c, base * (0.5 + 0.5 * c.form) - 0.01 * min(index, 20))
                for index, c in enumerate(self.scan.all(target.kind))
            ]
        if target.concept is None:
            shares = [(c, name_overlap(target, c)) for c in self.scan.all(target.kind)]
            shares = [(c, s) for c, s in shares if is_enough(s) and _priced(target, c)]
            return [ScoredCandidate(c, _WORDED * s * (0.5 + 0.5 * c.form)) for c, s in shares]
        if target.concept.range:
            ends = [c for c in self.scan.all("date") if c.range == target.concept.range]
            return [ScoredCandidate(c, 0.4) for c in ends[:1]] if len({c.value for c in ends}) == 1 else []
        if target.concept.name == "invoice_date":
            claims = self._explained("date")
            free = [
                c
                for c in self.scan.all("date")
                if c.range is None and all(n == "invoice_date" for n, s in claims.get(id(c), ()) if s > 0.5)
            ]
            return [ScoredCandidate(c, 0.36 - 0.02 * index) for index, c in enumerate(free[:6])]
        if target.concept.name == "grand_total":
            claims = self._explained("amount")
            free = [
                c
                for c in self.scan.all("amount")
                if c.decimals == 2 and all(n == "grand_total" for n, s in claims.get(id(c), ()) if s > 0.5)
            ]
            called_net = [
                c for c in self.scan.all("amount") if any(n == "net_total" for n, _ in claims.get(id(c), ()))
            ]
            largest = sorted(free, key=lambda c: -abs(c.value))[:3]
            return [
                *(ScoredCandidate(c, 0.45) for c in called_net[:1]),
                *(ScoredCandidate(c, 0.3 - 0.05 * index) for index, c in enumerate(largest)),
            ]
        return []


def _column(
    label: LabelMatch, related: list[tuple[Candidate, float]], height: float
) -> list[tuple[Candidate, float]]:
    """A label over several aligned amounts heads a column; it announces none of them for itself."""
    under = [c for c, _ in related if c.segment.row > label.segment.row]
    rights = {c.segment.row: c.right for c in under}
    if len(rights) < 2 or max(rights.values()) - min(rights.values()) > height:
        return related
    return [(c, r * _HEADING if c.segment.row > label.segment.row else r) for c, r in related]


def _priced(target: FieldTarget, candidate: Candidate) -> bool:
    """Whether a value can be an amount of money, if that is asked for: it has cents or a currency."""
    money = target.field.type is FieldType.CURRENCY and candidate.kind == "amount"
    return not money or bool(candidate.decimals or candidate.currency)


def _plain(target: FieldTarget, candidate: Candidate) -> bool:
    """Whether a value without a known label looks like one of the target's kind by itself."""
    if target.kind == "amount":
        return candidate.decimals == 2
    return candidate.form >= _FORM and candidate.range is None
