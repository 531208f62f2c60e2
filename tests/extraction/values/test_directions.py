from __future__ import annotations

from decimal import Decimal

import pytest

from docduck.extraction.values.directions import directions, factors, names_directions


@pytest.mark.parametrize(("head", "cells", "dated", "said"), [
    ("D/C", ["D", "C", ""], False, [-1, 1, 0]),
    ("", ["S", "H"], True, [-1, 1]),
    ("", ["S", "H"], False, []),
    ("Size", ["S", "M"], True, []),
    ("Type", ["Credit", "Debit"], False, [1, -1]),
    ("Type", ["Debit", "Debit"], True, [-1, -1]),
    ("Type", ["Debit", "Debit"], False, []),
    ("Type", ["Card", "Debit"], True, []),
    ("Category", ["Expense", "Expense"], True, []),
    ("MD/D", ["MD", "D"], True, [-1, 1]),
    ("Debe/Haber", ["H", "D"], True, [1, -1]),
    ("+/-", ["+", "-"], True, [1, -1]),
    ("D/C", [], True, []),
])  # fmt: skip
def test_a_column_says_directions(head: str, cells: list[str], dated: bool, said: list[int]) -> None:
    assert directions(head, cells, dated) == said


def test_amounts_printed_with_their_sign_keep_it() -> None:
    amounts = [Decimal(text) for text in ("5", "-3", "7")]
    assert factors(amounts, [1, -1, 1]) == [1, 1, 1]
    assert factors([*map(abs, amounts)], [1, -1, 0]) == [1, -1, 1]
    assert factors([Decimal(8), Decimal(-2), Decimal(9)], [-1, -1, -1]) == [-1, -1, -1]


def test_a_head_may_name_both_directions() -> None:
    assert all(map(names_directions, ("Soll/Haben", "Af Bij", "Cr/Dr", "Credit Debit Indicator")))
    assert not any(map(names_directions, ("Debit", "Payee / Details", "Type", "")))
