"""Descriptions that wrap around the line of their numbers."""

from __future__ import annotations

import pytest

from docduck.documents.document import Rule
from tests.extraction.extractors.layout.test_line_items import header, rows_of
from tests.extraction.extractors.layout.test_tables import line
from tests.extraction.pages import HEIGHT, WIDTH, page, right, words

Item = tuple[str, str, str, str]
"""The lines of a description: above the numbers, beside them, and below; and the amount."""

BARE: list[Item] = [
    ("Steel bracket heavy duty", "", "galvanised 40 mm", "20.00"),
    ("Hex bolts with washers", "", "stainless M8", "15.00"),
    ("Timber screws", "", "torx 5 x 60", "8.00"),
]
BESIDE: list[Item] = [
    ("Steel bracket heavy duty", "with fixing plate and", "galvanised 40 mm", "20.00"),
    ("Hex bolts with washers", "and locking nuts in", "stainless steel M8", "15.00"),
    ("Timber screws", "torx 5 x 60 with", "countersunk head", "8.00"),
]
MIXED: list[Item] = [("", "Delivery", "", "7.00"), BESIDE[0], ("", "Glue", "", "3.00"), BARE[2]]
TOP: list[Item] = [
    ("", "Steel bracket", "galvanised 40 mm", "20.00"),
    ("", "Hex bolts", "stainless M8", "15.00"),
    ("", "Glue", "", "3.00"),
]


def descriptions(items: list[Item], apart: float, ruled: bool = False) -> list[str]:
    """Return the descriptions that are read, of rows that are ``apart``, in points."""
    y, placed, rules = 118.0, [], []
    for above, beside, below, amount in items:
        rules.append(y - apart / 2 - 1)
        if above:
            placed.append(words(40, y, above))
            y += 12
        placed.append(
            line(y, *([(40, beside)] if beside else []), (-350, "1"), (-450, amount), (-560, amount))
        )
        y += 12
        if below:
            placed.append(words(40, y, below))
            y += 12
        y += apart
    drawn = tuple(
        Rule(40 / WIDTH, at / HEIGHT, 560 / WIDTH, at / HEIGHT) for at in (*rules, y - apart / 2 - 1)
    )
    total = [words(400, y + 20, "Total"), right(560, y + 20, "99.00")]
    one = page(words(40, 40, "Otter Mill Ltd"), header(100), *placed, *total, rules=drawn if ruled else ())
    return [cells[0] for cells in rows_of(one)]


@pytest.mark.parametrize("items", [BARE, BESIDE, MIXED, TOP], ids=["bare", "beside", "mixed", "top"])
@pytest.mark.parametrize(("apart", "ruled"), [(0, False), (3, False), (8, False), (6, True)])
def test_a_text_around_its_numbers_is_of_their_row(items: list[Item], apart: float, ruled: bool) -> None:
    assert descriptions(items, apart, ruled) == [" ".join(filter(None, item[:3])) for item in items]
