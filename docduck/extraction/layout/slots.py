"""Free text beside or below a label: what is left of its line, or the next line in its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.layout.labels import Occurrence
from docduck.extraction.layout.relations import Surroundings
from docduck.extraction.layout.scan import Scan
from docduck.extraction.targets import Target
from docduck.extraction.view import Segment, Token


@dataclass(slots=True)
class Slot:
    """Words that a label announces, with a score 0–1."""

    tokens: Sequence[Token]
    score: float
    label: Occurrence

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens).strip(" :–-|")


def slot(label: Occurrence, around: Surroundings) -> Slot | None:
    """The text that ``label`` announces: after it, right of it, or below it."""
    segment = label.segment
    rest = list(segment.tokens[label.end :])
    while rest and not rest[0].key:
        rest.pop(0)
    if rest:
        later = [o.start for o in around.by_segment[segment.index] if o.start >= label.end and o.trust >= 1.0]
        stop = min((s for s in later if segment.tokens[s - 1].text.endswith((",", ";", "|"))), default=None)
        if stop is not None:
            rest = [token for token in rest if token.index < stop]
        if not rest:
            return None
        colon = segment.tokens[label.end - 1].text.endswith(":") or (
            label.end < len(segment.tokens) and segment.tokens[label.end].text == ":"
        )
        return Slot(rest, 0.95 if colon else 0.7, label)
    row = around.page.rows[segment.row]
    right = [s for s in row.segments if s.left >= segment.right]
    if right and not _leads_with_label(right[0], around):
        gap = (right[0].left - segment.right) / around.page.width
        return Slot(right[0].tokens, 0.9 - 0.5 * max(gap - 0.15, 0.0), label)
    under = segment_below(segment, label.left, label.right, around.page.line_height)
    if under is not None and not _leads_with_label(under, around):
        return Slot(under.tokens, 0.78, label)
    return None


def _leads_with_label(segment: Segment, around: Surroundings) -> bool:
    return any(
        o.start == 0 and (o.alone or o.segment.tokens[o.end - 1].text.endswith(":"))
        for o in around.by_segment.get(segment.index, ())
    )


def segment_below(
    segment: Segment, left: float, right: float, height: float, reach: float = 2.2
) -> Segment | None:
    """The nearest segment under the span ``left`` to ``right``, within ``reach`` line heights."""
    page = segment.page
    for row in page.rows[segment.row + 1 : segment.row + 5]:
        for other in row.segments:
            if other.top - segment.bottom > reach * height:
                return None
            aligned = abs(other.left - left) < 1.5 * height
            if aligned or (other.left < right and left < other.right):
                return other
    return None


def slots(scan: Scan, target: Target) -> list[Slot]:
    """All slots of a target's labels, best first."""
    found: list[Slot] = []
    for page, occurrences in enumerate(scan.occurrences):
        for label in occurrences:
            weight = target.weight(label.form)
            if not weight:
                continue
            one = slot(label, scan.around[page])
            if one is not None and one.text:
                one.score *= weight * label.trust
                found.append(one)
    return sorted(found, key=lambda s: -s.score)
