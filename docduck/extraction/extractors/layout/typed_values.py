"""Typed values by label and geometry: the candidates of each target with a score 0–1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, cached_property

from docduck.extraction.extractors.layout.amounts.breakdown import TaxBreakdown, find_breakdown
from docduck.extraction.extractors.layout.amounts.totals import settled_amounts
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate, ScoredCandidate
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.relations import ValueIndex, is_filler_label, related_values
from docduck.extraction.extractors.layout.parties.sides import side_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import Concept, scalar_concepts
from docduck.extraction.page.page_view import PageView
from docduck.fields import FieldType

TYPED_KINDS = frozenset(
    {"date", "amount", "percent", "identifier", "iban", "bic", "vat", "mail", "web", "phone"}
)
_ALSO = {"vat": ("identifier",), "iban": ("identifier",), "phone": ("identifier",), "percent": ("amount",)}
"""Further kinds accepted, with a lower score, if a label announces the value."""
_UNLABELLED = {"iban": 0.62, "vat": 0.5, "mail": 0.5, "web": 0.45, "phone": 0.35, "bic": 0.4}
"""Score of an unlabelled value that its form identifies."""
_LIKE_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{6,30}")
_MIN_RELATION = 0.12
_NUMBERED = {
    "invoice_date": "invoice_number",
    "order_date": "order_number",
    "delivery_date": "delivery_number",
}
"""Dates that may follow a number in one line, with the concept of that number."""
_TITLED, _IN_TEXT = 0.92, 0.7
"""Relation of a date after the number in a title ("Invoice 4711 of 3 May"), and further down."""
_PREFERRED = 0.92
"""Weight of an alternative concept that the field's description names for this type of document."""
_NOT_PREFERRED = 0.85
"""Factor for an alternative if the description names another one for this type of document."""
_NAMED = 0.08
"""Bonus for a label that repeats a word of the field's name."""
_APART = 0.3
"""Factor for a value that words divide from a small word such as "vom"."""
_HEADING = 0.6
"""Factor for amounts below a label that heads a column."""
_PERIOD_START, _PERIOD_END = "period_start", "period_end"
_OWN_VAT, _EITHER_SIDE, _OTHER_SIDE = "seller_vat_id", 0.85, 0.85
"""The concept whose labels announce VAT numbers of both sides, their weight for the other side, and the
factor for a number in the other party's block."""
_FALLBACK = 0.7
"""Weight of a label of a concept that replaces the target's, and that no field asks for."""


class TypedValueFinder:
    """Scores the candidates of every typed target of one document."""

    def __init__(self, analysis: DocumentAnalysis, targets: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self.targets = targets
        self._whole = all(c.decimals != 2 for c in analysis.all("amount"))
        self._values = cache(lambda page, kind: ValueIndex(analysis.candidates(kind)[page.index]))
        self._breakdown = cache(self._find_breakdown)
        self._relations = cache(self._find_relations)
        self._claims = cache(self._find_claims)

    def _find_relations(self, label: LabelMatch, kind: str) -> list[tuple[Candidate, float]]:
        page = label.segment.page
        related = related_values(label, self._values(page, kind), self.analysis.label_index(label.segment))
        if kind != "amount":
            return related
        related = _lower_column(label, related, page.line_height)
        if known := self._breakdown(page):
            related = [(c, r) for c, r in related if c not in known.amounts]
            related += known.under.get(label, ())
        return related

    def labelled_amounts(self, concept: str) -> list[Candidate]:
        """Return the amounts whose labels name a concept clearly."""
        claims = self._claims("amount")
        return [
            c
            for c in self.analysis.all("amount")
            if (scores := dict(sorted(claims.get(c, ()), key=lambda claim: claim[1])))
            and max(scores, key=lambda name: scores[name]) == concept
            and scores[concept] > 0.55
        ]

    def _find_breakdown(self, page: PageView) -> TaxBreakdown | None:
        amounts = self.analysis.candidates("amount")[page.index]
        return find_breakdown(page, self.analysis.label_indexes[page.index], amounts)

    def _find_claims(self, kind: str) -> dict[Candidate, list[tuple[str, float]]]:
        """Return the concepts, with their strength, that labels name for candidates of a kind."""
        concepts = scalar_concepts()
        claims: dict[Candidate, list[tuple[str, float]]] = {}
        for label in self.analysis.labels:
            names = [n for n in label.concepts if concepts[n].kind == kind]
            for candidate, relation in self._relations(label, kind) if names else ():
                for name in names:
                    weight = 0.6 if label.form in concepts[name].weak else 0.95
                    claims.setdefault(candidate, []).append((name, relation * weight * label.trust))
        return claims

    @cached_property
    def settled(self) -> set[Decimal]:
        """Amounts paid: payments minus change."""
        return settled_amounts(self.labelled_amounts("amount_paid"), self.labelled_amounts("change"))

    @cached_property
    def extras(self) -> list[Decimal]:
        """Labelled amounts between net and gross besides the tax; discounts are negative."""
        added = [c.value for name in ("shipping", "tip", "rounding") for c in self.labelled_amounts(name)]
        taken = [-abs(c.value) for c in self.labelled_amounts("discount")]
        return [value for value in dict.fromkeys([*added, *taken]) if value]

    def score(self, target: FieldQuery) -> list[ScoredCandidate]:
        """Return the candidates for ``target``, best first, none if the lexicon doesn't know the field."""
        concept = target.concept
        if concept is None:
            return []
        best: dict[Candidate, ScoredCandidate] = {}
        for kind in (target.kind, *_ALSO.get(target.kind, ())):
            share = 1.0 if kind == target.kind else 0.75
            for label in self.analysis.labels:
                weight = self._weight(target, concept, label)
                if not weight and label.form in concept.period:
                    weight = 0.9
                for candidate, relation in self._relations(label, kind) if weight else ():
                    score = relation * weight * label.trust * (0.5 + 0.5 * candidate.form)
                    score = share * self._adjusted(target, concept, candidate, label, score)
                    if score > _MIN_RELATION and (candidate not in best or best[candidate].score < score):
                        best[candidate] = ScoredCandidate(candidate, score, label)
        claims = self._claims(target.kind)
        own_concepts = {concept.name, *(other.concept for other in target.alternatives)}
        own_concepts |= self._replaced(concept)
        for scored in best.values():
            rival = max(
                (s for n, s in claims.get(scored.candidate, ()) if n not in own_concepts),
                default=0.0,
            )
            if rival > scored.score:
                scored.score -= 0.7 * (rival - scored.score) + 0.05
        for scored in self._unlabelled(target, concept):
            best.setdefault(scored.candidate, scored)
        return sorted(best.values(), key=lambda s: -s.score)

    def _weight(self, target: FieldQuery, concept: Concept, label: LabelMatch) -> float:
        weight = target.weight(label.form)
        if not weight and concept.name in label.concepts and label.form not in concept.period:
            return 0.9
        if not weight and concept.kind == "vat" and concept.side and _OWN_VAT in label.concepts:
            return _EITHER_SIDE
        if not weight and target.alternatives:
            return self._alternative(target, label)
        if not weight and self._replaced(concept).intersection(label.concepts):
            return _FALLBACK
        number = _NUMBERED.get(concept.name)
        if number and label.start and label.form in scalar_concepts()["invoice_date"].weak:
            before = self.analysis.label_index(label.segment).by_segment[label.segment.index]
            if any(o.end <= label.start and o.start <= 1 and number in o.concepts for o in before):
                page = label.segment.page
                high = page is self.analysis.view.pages[0] and label.segment.top < page.height / 2
                return (_TITLED if high else _IN_TEXT) / label.trust
        return weight

    def _replaced(self, concept: Concept) -> frozenset[str]:
        """Return the concepts that replace one that a document doesn't state, and that no field asks for."""
        return frozenset(concept.fallback) - {t.concept.name for t in self.targets if t.concept}

    def _alternative(self, target: FieldQuery, label: LabelMatch) -> float:
        """Return the weight of a label of an alternative concept that the field's description allows."""
        named = [a for a in target.alternatives if a.concept in label.concepts]
        if not named:
            return 0.0
        preferred = {a.concept for a in target.alternatives if a.title and self.analysis.has_title(a.title)}
        if preferred & {a.concept for a in named}:
            return _PREFERRED
        return max(a.weight for a in named) * (_NOT_PREFERRED if preferred else 1.0)

    def _adjusted(
        self, target: FieldQuery, concept: Concept, candidate: Candidate, label: LabelMatch, score: float
    ) -> float:
        if concept.range:
            in_period = label.form in concept.period
            if candidate.range == concept.range:
                score = min(1.0, score + 0.25) if in_period or label.form not in target.own else score
            elif candidate.range is not None or in_period or self._lacks_other_end(label, concept.range):
                score *= 0.3
            if any(token.key in target.words for token in label.tokens):
                score += _NAMED * score
        elif candidate.range is not None:
            score *= 0.7
        if label.segment is candidate.segment and candidate.start > label.end and is_filler_label(label):
            score *= _APART
        if target.kind == "amount" and target.field.type is FieldType.CURRENCY and not candidate.decimals:
            score *= 1.0 if candidate.currency or self._whole else 0.2
        if concept.side and concept.kind == "vat":
            side = side_of(candidate.segment, self.analysis.label_index(candidate.segment))
            score *= 1.0 if side in (None, concept.side) else _OTHER_SIDE
        if target.kind in ("vat", "iban") and candidate.kind == "identifier":
            compact = candidate.value.replace(" ", "")
            weak = target.kind == "iban" and label.form in concept.weak
            score *= 1.0 if len(compact) >= 8 and (not weak or _LIKE_IBAN.fullmatch(compact)) else 0.3
        return score

    def _lacks_other_end(self, label: LabelMatch, end: str) -> bool:
        """Return whether a small word such as "du" has no label for the other end of the range in its row."""
        other = _PERIOD_END if end == "start" else _PERIOD_START
        row = self.analysis.label_index(label.segment).by_row.get(label.segment.row, ())
        return is_filler_label(label) and not any(other in o.concepts and o is not label for o in row)

    def _unlabelled(self, target: FieldQuery, concept: Concept) -> list[ScoredCandidate]:
        base = _UNLABELLED.get(target.kind)
        if base is not None and concept.name not in ("buyer_vat_id", "fax"):
            return [
                ScoredCandidate(c, base * (0.5 + 0.5 * c.form) - 0.01 * min(index, 20))
                for index, c in enumerate(self.analysis.all(target.kind))
            ]
        if concept.name == "invoice_date":
            free = [c for c in self._unclaimed("date", "invoice_date") if c.range is None]
            return [ScoredCandidate(c, 0.36 - 0.02 * index) for index, c in enumerate(free[:6])]
        if concept.name == "grand_total":
            claims = self._claims("amount")
            free = [c for c in self._unclaimed("amount", "grand_total") if c.decimals == 2]
            called_net = [
                c for c in self.analysis.all("amount") if any(n == "net_total" for n, _ in claims.get(c, ()))
            ]
            largest = sorted(free, key=lambda c: -abs(c.value))[:3]
            return [
                *(ScoredCandidate(c, 0.45) for c in called_net[:1]),
                *(ScoredCandidate(c, 0.3 - 0.05 * index) for index, c in enumerate(largest)),
            ]
        return []

    def _unclaimed(self, kind: str, concept: str) -> list[Candidate]:
        """Return the candidates of a kind that no label clearly names as anything but ``concept``."""
        claims = self._claims(kind)
        return [
            c for c in self.analysis.all(kind) if all(n == concept for n, s in claims.get(c, ()) if s > 0.5)
        ]


def _lower_column(
    label: LabelMatch, related: list[tuple[Candidate, float]], height: float
) -> list[tuple[Candidate, float]]:
    """Return ``related`` with lower relations below a label that heads a column of aligned amounts."""
    under = [c for c, _ in related if c.segment.row > label.segment.row]
    rights = {c.segment.row: c.right for c in under}
    if len(rights) < 2 or max(rights.values()) - min(rights.values()) > height:
        return related
    return [(c, r * _HEADING if c.segment.row > label.segment.row else r) for c, r in related]
