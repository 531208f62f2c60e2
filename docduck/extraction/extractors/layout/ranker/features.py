"""Features of a candidate for the ranker: rule score, label, position, neighbours, arithmetic."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log1p
from typing import Any

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.ranker.label_likeness import label_likeness
from docduck.extraction.extractors.layout.scored_candidate import ScoredCandidate
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView

FEATURES = (
    "score", "score_squared", "behind_best", "best", "labelled", "same_segment", "same_row", "below",
    "label_leads", "label_trust", "label_ends_colon", "label_words", "between", "form", "cents", "currency",
    "top", "left", "last_page", "first_page", "place_in_order", "last_in_order", "first_in_order",
    "same_value", "printed_again", "largest", "larger_share", "settled", "adds_up", "is_sum_part",
    "range_fits", "range_other", "height", "digits", "letters", "latest", "earliest", "named",
    "likeness", "claimed", "claimed_more",
)  # fmt: skip
_OWN = frozenset({"grand_total", "net_total", "tax_total", "amount_due"})
_MOST_SUMS = 40
"""Maximum number of amounts whose sums are computed."""


def group_of(target: FieldQuery) -> str | None:
    """Return the group of targets that are ranked alike, None if the value's form alone identifies it."""
    name = target.concept.name if target.concept else ""
    match target.kind:
        case "date" if not (target.concept and target.concept.range):
            return "date" if name == "invoice_date" else "other_date"
        case "amount":
            return name if name in _OWN else "amount"
        case "identifier":
            return "number" if name == "invoice_number" else "identifier"
    return None


class DocumentFeatures:
    """Features of a whole document: how often values are printed, and which amounts add up."""

    def __init__(self, candidates: Sequence[Candidate], pages: Sequence[PageView], settled: Collection[Any]):
        self.pages = pages
        self.settled = settled
        self.printed: Counter[tuple[str, Any]] = Counter((c.kind, c.value) for c in candidates)
        cents = {abs(c.value) for c in candidates if c.kind == "amount" and (c.decimals == 2 or c.currency)}
        values = sorted(cents)[-_MOST_SUMS:]
        pairs = [(a, b) for i, a in enumerate(values) for b in values[i:] if a and b]
        self.sums = {a + b for a, b in pairs} & cents
        self.parts = {v for a, b in pairs if a + b in cents for v in (a, b)}

    def features(
        self, target: FieldQuery, scored: Sequence[ScoredCandidate], claims: Mapping[int, float]
    ) -> list[list[float]]:
        """Return a row of FEATURES, all about 0–1, for each candidate.

        ``claims`` maps a candidate's id to the strength with which labels of other concepts claim it.
        """
        if not scored:
            return []
        best = max(s.score for s in scored)
        order = {id(s): position for position, s in enumerate(sorted(scored, key=_reading_position))}
        alike = Counter(s.value for s in scored)
        amount, dated = target.kind == "amount", target.kind == "date"
        sizes = sorted({abs(s.value) for s in scored}) if amount else []
        days = sorted({s.value for s in scored}) if dated else []
        rows = []
        for one in scored:
            row = self._row(target, one, best, order[id(one)], len(scored), alike, sizes, days)
            claim = claims.get(id(one.candidate), 0.0)
            concept = target.concept.name if target.concept and one.label is None else None
            like = label_likeness(one.candidate, concept) if concept else 0.0
            rows.append([*row, like, claim, float(claim > one.score)])
        return rows

    def _row(
        self, target: FieldQuery, one: ScoredCandidate, best: float, position: int, count: int,
        alike: Counter[Any], sizes: list[Any], days: list[Any],
    ) -> list[float]:  # fmt: skip
        candidate, label, page = one.candidate, one.label, one.candidate.page
        segment = candidate.segment
        same = label is not None and label.segment is segment
        row = label is not None and not same and label.segment.row == segment.row
        row = row and label is not None and label.segment.page is page
        size = abs(one.value) if sizes else None
        period = target.concept.range if target.concept else None
        text = candidate.text
        digits = sum(char.isdigit() for char in text)
        return [
            one.score,
            one.score * one.score,
            one.score - best,
            float(one.score >= best),
            float(label is not None),
            float(same),
            float(row),
            float(label is not None and not same and not row),
            float(label is not None and label.start == 0),
            label.trust if label else 0.0,
            float(label is not None and label.tokens[-1].text.endswith(":")),
            min(label.end - label.start, 4) / 4 if label else 0.0,
            min(candidate.start - label.end, 4) / 4 if label is not None and same else 0.0,
            candidate.form,
            float(candidate.decimals == 2),
            float(candidate.currency is not None),
            segment.top / page.height,
            candidate.left / page.width,
            float(page is self.pages[-1] and len(self.pages) > 1),
            float(page is self.pages[0]),
            position / max(count - 1, 1),
            float(position == count - 1),
            float(position == 0),
            log1p(alike[one.value] - 1),
            log1p(self.printed[candidate.kind, one.value] - 1),
            float(bool(sizes) and size == sizes[-1]),
            (len(sizes) - bisect_right(sizes, size)) / len(sizes) if sizes else 0.0,
            float(bool(sizes) and one.value in self.settled),
            float(bool(sizes) and size in self.sums),
            float(bool(sizes) and size in self.parts),
            float(period is not None and candidate.range == period),
            float(candidate.range is not None and candidate.range != period),
            min(segment.height / page.line_height, 3.0) - 1.0,
            min(digits, 12) / 12,
            float(any(char.isalpha() for char in text)),
            float(bool(days) and one.value == days[-1]),
            float(bool(days) and one.value == days[0]),
            float(label is not None and any(token.key in target.words for token in label.tokens)),
        ]


def _reading_position(one: ScoredCandidate) -> tuple[int, int, float]:
    segment = one.candidate.segment
    return segment.page.number, segment.row, one.candidate.left
