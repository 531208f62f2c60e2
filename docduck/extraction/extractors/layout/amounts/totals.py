"""Arithmetic of totals: choose net, tax and gross so that net + tax = gross."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from itertools import combinations, product

from docduck.extraction.equations import TOLERANCE, explained
from docduck.extraction.extractors.layout.amounts.printed_sums import PrintedSum
from docduck.extraction.extractors.layout.candidates.candidate import Candidate, ScoredCandidate

_AGREEMENT_BONUS = 0.9
"""Score bonus for net, tax and gross that agree."""
_MAX_CANDIDATES = 6
_NOT_REQUESTED = 0.3
"""Weight of a total that no field requests; it takes part in the arithmetic only."""
_MOST_TAX, _LABELLED = Decimal("0.35"), 0.6
"""Share of the net total that a tax has at most, unless its label is as sure as this score."""
_CASH_ROUNDING = Decimal("0.05")
_GROSS_ONLY = 0.5
"""Factor of the bonus if only the gross total is requested: a part of it may agree by chance."""
_EXPLAINED = 0.7
"""Factor of the bonus for agreement that needs shipping, a tip or another extra."""
_PRINTED = 0.5
"""Score of an amount of three that add up without labels that say so."""
_MAX_PAYMENTS = 12
"""Maximum number of payments, and of change amounts, that are combined."""
_PAID_BONUS = 0.6
"""Score bonus for a total equal to payment minus change."""


def choose_totals(
    net: list[ScoredCandidate],
    tax: list[ScoredCandidate],
    gross: list[ScoredCandidate],
    amounts: list[Candidate],
    requested: tuple[bool, bool, bool] = (True, True, True),
    settled: Collection[Decimal] = (),
    extras: Sequence[Decimal] = (),
    printed: PrintedSum | None = None,
) -> tuple[ScoredCandidate | None, ScoredCandidate | None, ScoredCandidate | None, bool]:
    """Return the best combination of net, tax and gross, and whether they agree.

    If two of the three are labelled, the third is also searched among all ``amounts`` of the page. A tax that
    is printed only per rate is the sum of its parts. ``settled`` holds the amounts paid (payment minus
    change), ``extras`` what may lie between net and gross besides the tax: shipping, tips, rounding, and
    discounts, which are negative. ``printed`` are three amounts that add up as these do, however they are
    labelled.
    """
    net, tax, gross = net[:_MAX_CANDIDATES], tax[:_MAX_CANDIDATES], gross[:_MAX_CANDIDATES]
    by_value: dict[Decimal, Candidate] = {}
    for candidate in amounts:
        if candidate.decimals == 2 or candidate.currency:
            by_value.setdefault(candidate.value, candidate)
    extra_net, extra_tax, extra_gross = list(net), list(tax), list(gross)
    for n, g in product(net, gross):
        gap = g.value - n.value
        if gap not in extras:
            _add(extra_tax, by_value.get(gap), min(n.score, g.score))
        parts = _sum_of(tax, gap)
        if parts is not None:
            extra_tax.append(parts)
    for t, g in product(tax, gross):
        _add(extra_net, by_value.get(g.value - t.value), min(t.score, g.score))
    for n, t in product(net, tax):
        if t.value:
            _add(extra_gross, by_value.get(n.value + t.value), min(n.score, t.score))
    for some, candidate in zip((extra_net, extra_tax, extra_gross), printed or (), strict=False):
        if all(s.candidate is not candidate or s.score < _PRINTED for s in some):
            some.append(ScoredCandidate(candidate, _PRINTED))
    for value in settled:
        near = any(abs(s.value - value) <= _CASH_ROUNDING for s in (*net, *gross) if s.score > 0.5)
        _add(extra_gross, by_value.get(value), 1.0 if near else 0.0)
    agreement = _AGREEMENT_BONUS * (1.0 if requested[0] or requested[1] else _GROSS_ONLY)

    def is_printed(*some: ScoredCandidate) -> bool:
        return printed is not None and all(
            scored.candidate is candidate for scored, candidate in zip(some, printed, strict=True)
        )

    best: tuple[float, ScoredCandidate | None, ScoredCandidate | None, ScoredCandidate | None, bool] = (
        -1.0,
        None,
        None,
        None,
        False,
    )
    for n_, t_, g_ in product([*extra_net, None], [*extra_tax, None], [*extra_gross, None]):
        total = sum(
            s.score * (1.0 if is_requested else _NOT_REQUESTED)
            for s, is_requested in zip((n_, t_, g_), requested, strict=True)
            if s is not None
        )
        agrees = False
        if n_ is not None and t_ is not None and g_ is not None:
            if _same_place(n_, t_) or _same_place(t_, g_) or t_.value * g_.value < 0:
                continue
            larger = any(s.score >= 0.6 and abs(s.value) > abs(g_.value) for s in gross)
            total -= 0.8 if larger else 0.0
            gap = g_.value - n_.value - t_.value
            may_agree = g_.value != 0 and _is_tax(t_, n_)
            agrees = may_agree and abs(gap) <= TOLERANCE
            if agrees:
                total += _AGREEMENT_BONUS if is_printed(n_, t_, g_) else agreement
            elif may_agree and explained(gap, extras):
                agrees = True
                total += agreement * _EXPLAINED
            elif n_.value > g_.value > 0 or t_.value > g_.value > 0:
                total -= 0.4
        elif n_ is not None and g_ is not None and n_.value > g_.value > 0:
            total -= 0.4
        if _overlap(n_, g_):
            continue
        if g_ is not None and g_.value in settled:
            total += _PAID_BONUS
        if total > best[0]:
            best = (total, n_, t_, g_, agrees)
    gross_total = best[3] if best[3] is None or best[3].value in settled else _rounded(best[3], gross)
    return best[1], best[2], gross_total, best[4]


def settled_amounts(paid: Iterable[Candidate], change: Iterable[Candidate]) -> set[Decimal]:
    """Return the amounts paid: payment minus change, or the only payment if no change is printed."""
    sums = list(dict.fromkeys(abs(candidate.value) for candidate in paid if candidate.value))[:_MAX_PAYMENTS]
    back = list(dict.fromkeys(abs(candidate.value) for candidate in change))[:_MAX_PAYMENTS]
    if not back:
        return set(sums) if len(sums) == 1 else set()
    return {a - b for a in sums for b in back if a > b}


def _rounded(chosen: ScoredCandidate | None, gross: list[ScoredCandidate]) -> ScoredCandidate | None:
    """Return the total rounded for cash if one is printed below the exact total, else the exact total."""
    if chosen is None:
        return None
    for other in gross:
        gap = abs(other.value - chosen.value)
        lower = other.tokens[0].segment.row > chosen.tokens[0].segment.row
        if other.score >= 0.5 and lower and 0 < gap <= _CASH_ROUNDING and other.value % _CASH_ROUNDING == 0:
            return other
    return chosen


def _is_tax(tax: ScoredCandidate, net: ScoredCandidate) -> bool:
    """Return whether one amount can be the tax on another: parts of a sum agree by chance."""
    return tax.score >= _LABELLED or abs(tax.value) <= _MOST_TAX * abs(net.value)


def _overlap(a: ScoredCandidate | None, b: ScoredCandidate | None) -> bool:
    return a is not None and b is not None and _same_place(a, b)


def _same_place(a: ScoredCandidate, b: ScoredCandidate) -> bool:
    return a.tokens[0] is b.tokens[0]


def _add(into: list[ScoredCandidate], candidate: Candidate | None, support: float) -> None:
    if candidate is not None and all(s.candidate is not candidate for s in into) and support > 0.3:
        into.append(ScoredCandidate(candidate, 0.2 + 0.2 * support))


def _sum_of(parts: list[ScoredCandidate], total: Decimal) -> ScoredCandidate | None:
    """Return the sum of two to four labelled amounts on different lines that equals ``total``."""
    strong = [p for p in parts if p.score > 0.3]
    for count in (2, 3, 4):
        for candidates in combinations(strong, count):
            if len({(p.tokens[0].segment.page.number, p.tokens[0].segment.row) for p in candidates}) < count:
                continue
            if sum((p.value for p in candidates), Decimal(0)) == total:
                first = candidates[0].candidate
                tokens = [token for p in candidates for token in p.tokens]
                whole = Candidate("amount", total, tokens, 1.0, 2, first.currency)
                return ScoredCandidate(whole, min(p.score for p in candidates), candidates[0].label)
    return None
