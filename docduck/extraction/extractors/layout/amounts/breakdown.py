"""Tax breakdowns: small tables of net, tax and gross amounts by tax rate, whose last row is the sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.extractors.layout.amounts.printed_sums import is_sum_row
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.page.page_view import PageView, Row

_AMOUNTS = frozenset({"net_total", "tax_total", "grand_total"})
_SUM, _PART = 0.93, 0.45
"""Relation of a header to an amount in the sum row, and to an amount of one tax rate."""
_REACH = 2.2
"""Vertical gap, in line heights, that ends the table."""


@dataclass(frozen=True, slots=True)
class TaxBreakdown:
    """The amounts in a page's tax breakdowns.

    ``under`` has the amounts below each header label, each with its relation to the header, 0–1.
    """

    amounts: frozenset[Candidate]
    under: dict[LabelMatch, list[tuple[Candidate, float]]]


def find_breakdown(page: PageView, around: LabelIndex, values: Sequence[Candidate]) -> TaxBreakdown | None:
    """Return the tax breakdowns of a page, None if it has none."""
    by_row: dict[int, list[Candidate]] = {}
    for value in values:
        by_row.setdefault(value.segment.row, []).append(value)
    related: dict[Candidate, tuple[LabelMatch, float]] = {}
    for row in page.rows:
        headers = [o for o in around.by_row.get(row.index, ()) if o.concepts & _AMOUNTS and o.alone]
        if len(headers) < 2 or row.index in by_row:
            continue
        body = _body(page, row, by_row)
        for index, line in enumerate(body):
            last = index + 1 == len(body)
            sums = last and (len(body) == 1 or is_sum_row(line, around))
            for value in by_row[line.index]:
                header = _nearest(headers, value)
                if _offset(header, value) < 2.5 * page.line_height:
                    related[value] = (header, _SUM if sums else _PART)
    under: dict[LabelMatch, list[tuple[Candidate, float]]] = defaultdict(list)
    for value in filter(related.get, values):
        header, relation = related[value]
        under[header].append((value, relation))
    return TaxBreakdown(frozenset(related), under) if related else None


def _nearest(headers: Sequence[LabelMatch], value: Candidate) -> LabelMatch:
    return min(headers, key=lambda header: _offset(header, value))


def _body(page: PageView, header: Row, by_row: dict[int, list[Candidate]]) -> list[Row]:
    body: list[Row] = []
    last = header
    for index in range(header.index + 1, len(page.rows)):
        row = page.rows[index]
        if row.top - last.bottom > _REACH * page.line_height or len(by_row.get(row.index, ())) < 2:
            break
        body.append(row)
        last = row
    return body


def _offset(label: LabelMatch, value: Candidate) -> float:
    return min(
        abs(label.right - value.right),
        abs(label.left - value.left),
        abs((label.left + label.right) / 2 - (value.left + value.right) / 2),
    )
