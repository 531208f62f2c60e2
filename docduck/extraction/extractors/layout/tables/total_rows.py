"""Totals side by side in one row: net and tax are the gross amount, whatever is nearest to a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.layout.tables.taxes import TOTALS, makes_gross
from docduck.extraction.fields.field_query import FieldQuery, by_concept
from docduck.extraction.page.page_view import locations, ocr_score
from docduck.extraction.result import Finding

_SCORE = 0.9


def settled_totals(
    analysis: DocumentAnalysis, queries: Sequence[FieldQuery], found: Mapping[str, Finding]
) -> dict[str, Finding]:
    """Return the totals of the row in which one was ``found``, by what the amounts of the row add up to.

    A row of a table counts if there is no other such row.
    """
    named = by_concept(queries)
    asked = [named.get(concept) for concept in TOTALS]
    gross = asked[-1]
    total = found.get(gross.name) if gross is not None else None
    if total is None or not total.locations:
        return {}
    rows = list(_rows(analysis))
    for is_claimed, three in rows:
        if (is_claimed and len(rows) > 1) or not any(_is_at(total, candidate) for candidate in three):
            continue
        return {
            query.name: _finding(query, candidate)
            for query, candidate in zip(asked, three, strict=True)
            if query is not None
        }
    return {}


def _rows(analysis: DocumentAnalysis) -> Iterator[tuple[bool, tuple[Candidate, Candidate, Candidate]]]:
    """Yield the net, tax and gross amounts that rows end with, and whether the row is of a table."""
    for page in analysis.view.pages:
        for row in page.rows:
            amounts = [
                candidate
                for segment in row.segments
                for candidate in analysis.candidates_of("amount", segment)
                if candidate.kind == "amount" and candidate.decimals
            ]
            if len(amounts) >= len(TOTALS):
                net, tax, gross = amounts[-len(TOTALS) :]
                if makes_gross(net.value, tax.value, gross.value):
                    yield (page.index, row.index) in analysis.claimed, (net, tax, gross)


def _is_at(finding: Finding, candidate: Candidate) -> bool:
    """Return whether a value is at the place of a candidate."""
    places = locations(candidate.tokens)
    return any(
        place.page == own.page and place.box.holds_middle_of(own.box)
        for place in finding.locations
        for own in places
    )


def _finding(query: FieldQuery, candidate: Candidate) -> Finding:
    evidence = Evidence("amount", _SCORE, checked=True, ocr=ocr_score(candidate.tokens))
    value = from_candidate(query.field, candidate)
    return evidence.finding(value, locations(candidate.tokens), candidate.text)
