"""Net, tax and gross amounts that a page shows to be these, whatever they are called: they add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from decimal import Decimal

from docduck.extraction.equations import TOLERANCE
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import PageView, Row

PrintedSum = tuple[Candidate, Candidate, Candidate]
"""Net, tax and gross."""
_MOST_AMOUNTS = 120
"""Amounts of a page that are looked at, from its end."""


def printed_sum(analysis: DocumentAnalysis) -> PrintedSum | None:
    """Return the largest sum of a net amount and its tax that a page prints, the last of equal ones.

    The three are in one row that a total begins, or the tax is called so, with its rate. Return None if there
    is none.
    """
    sums = [one for page in analysis.view.pages if page.is_outer for one in _sums_of_page(analysis, page)]
    return max(reversed(sums), key=lambda one: abs(one[2].value), default=None)


def rows_of(printed: PrintedSum | None, page: PageView) -> Set[int]:
    """Return the rows of a page that show a tax or gross amount, which are no items."""
    return {c.segment.row for c in (printed or ())[1:] if c.segment.page is page}


def _sums_of_page(analysis: DocumentAnalysis, page: PageView) -> Iterator[PrintedSum]:
    found = [c for row in page.rows for s in row.segments for c in analysis.candidates_of("amount", s)]
    amounts = [c for c in found if c.kind == "amount" and (c.decimals == 2 or c.currency)][-_MOST_AMOUNTS:]
    rates = {c.segment.row: c.value for c in found if c.kind == "percent"}
    by_row: defaultdict[int, list[Candidate]] = defaultdict(list)
    for amount in amounts:
        by_row[amount.segment.row].append(amount)
    for index, some in by_row.items():
        row = page.rows[index]
        if len(some) == 3 and is_sum_row(row, analysis.label_indexes[page.index]):
            if _adds_up(*some):
                yield some[0], some[1], some[2]
        elif len(some) == 1 and index in rates and some[0].value and _names_tax(row):
            above = (a for a in reversed(amounts) if a.segment.row < index)
            taxed = next((a for a in above if _is_rate(rates[index], a, some[0])), None)
            if taxed is not None:
                yield from ((taxed, some[0], gross) for gross in amounts if _adds_up(taxed, some[0], gross))


def _is_rate(rate: Decimal, net: Candidate, tax: Candidate) -> bool:
    gap: Decimal = net.value * rate / 100 - tax.value
    return abs(gap) <= TOLERANCE


def _adds_up(net: Candidate, tax: Candidate, gross: Candidate) -> bool:
    gap: Decimal = net.value + tax.value - gross.value
    return bool(gross.value) and abs(gap) <= TOLERANCE


def _names_tax(row: Row) -> bool:
    return any(token.key in word_set("tax_words") for token in row.tokens)


def is_sum_row(row: Row, around: LabelIndex) -> bool:
    """Return whether a row begins with the label of a total, or a word for a sum."""
    labels = around.by_row.get(row.index) or []
    if labels and "grand_total" in labels[0].concepts and labels[0].start == 0:
        return True
    return row.segments[0].tokens[0].key in word_set("sum_words")
