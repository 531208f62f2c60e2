"""Which way money goes, by the words of a column beside its amounts: "D" and "C", "Af" and "Bij"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache

from docduck.extraction.lexicon import concepts, entries
from docduck.extraction.normal_text import key, words_of

_MOST = 24
"""Different texts in a column of directions at most."""
_SHORT = 2
"""Letters of a word up to which it may be a code of anything else."""


def directions(head: str, cells: Sequence[str], dated: bool) -> list[int]:
    """Return 1 for each cell of a column that says money comes in, -1 where it goes out, 0 where it is empty.

    Return none for a column of anything else. Both directions tell one, or a head that names both; with dates
    beside (``dated``), letters will do, and a single word that heads columns of debits or credits.
    """
    if len(set(cells)) > _MOST:
        return []
    forms = [_form(cell) for cell in cells]
    said = {form for form in forms if form}
    for pair in _pairs():
        if not said or not said <= pair.keys():
            continue
        is_headed = _names_both(head, pair)
        both = {pair[form] for form in said} == {1, -1}
        spelled = all(len(form) > _SHORT for form in said)
        if is_headed or (both and (dated or spelled)) or (dated and spelled and said <= _heads()):
            return [pair.get(form, 0) for form in forms]
    return []


@lru_cache(maxsize=4096)
def names_directions(head: str) -> bool:
    """Return whether the head of a column names both directions: "Soll/Haben"."""
    return any(_names_both(head, pair) for pair in _pairs())


def _names_both(head: str, pair: Mapping[str, int]) -> bool:
    return {pair.get(_form(word)) for word in words_of(head)} >= {1, -1}


def factors(amounts: Sequence[Decimal | None], ways: Sequence[int]) -> list[int]:
    """Return the signs of amounts: -1 where money goes out, unless most of such are printed as negative."""
    out = [amount for amount, way in zip(amounts, ways, strict=True) if way < 0 and amount]
    if 2 * sum(amount < 0 for amount in out) > len(out):
        return [1] * len(amounts)
    return [way or 1 for way in ways]


def _form(text: str) -> str:
    return key(text) or text.strip()


@cache
def _pairs() -> list[dict[str, int]]:
    """Return the words of each pair of directions, each with its sign."""
    return [
        {_form(word): sign for side, sign in (("out", -1), ("in", 1)) for word in pair[side]}
        for pair in entries("tables")["directions"]
    ]


@cache
def _heads() -> frozenset[str]:
    """Return the heads of columns of debits and of credits."""
    return frozenset(form for name in ("debit", "credit") for form in concepts("columns")[name].labels)
