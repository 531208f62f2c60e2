"""Descriptions that wrap around the line of their numbers."""

from __future__ import annotations

import pytest

from docduck.documents.document import Rule
from tests.extraction.extractors.layout.test_line_items import header, items, row, rows_of
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


def test_numbers_of_articles_may_stand_beside_the_amounts() -> None:
    columns = [
        {"name": "Item Number"},
        {"name": "Description"},
        {"name": "Quantity", "type": "number"},
        {"name": "Amount", "type": "currency"},
    ]
    heads = line(100, (40, "Item Number"), (150, "Description"), (-350, "Qty"), (-560, "Amount"))
    texts: list[tuple[str, str, str]] = [
        ("Steel bracket", "", "galvanised"), ("", "Glue", ""), ("Timber screws", "", "torx 5 x 60"),
    ]  # fmt: skip
    y, placed = 118.0, []
    for number, (above, beside, below) in enumerate(texts):
        placed += [words(150, y, above)] if above else []
        y += 12 if above else 0
        own = [(150, beside)] if beside else []
        placed.append(line(y, (40, f"A-1{number}"), *own, (-350, "2"), (-560, f"{number + 3}.00")))
        placed += [words(150, y + 12, below)] if below else []
        y += 24 if below else 12
    one = page(words(40, 40, "Otter Mill Ltd"), heads, *placed)
    assert items(columns, one) == [
        ["A-10", "Steel bracket galvanised", 2, 3],
        ["A-11", "Glue", 2, 4],
        ["A-12", "Timber screws torx 5 x 60", 2, 5],
    ]


def test_the_heading_of_a_group_is_not_of_a_text() -> None:
    placed = [
        words(40, 118, "Terrace"),
        row(130, "Paving", "1", "10.00", "10.00"), words(40, 142, "with base layer"),
        row(154, "Edging", "1", "20.00", "20.00"), words(40, 166, "with gravel"),
    ]  # fmt: skip
    rows = rows_of(page(words(40, 40, "Otter Mill Ltd"), header(100), *placed))
    assert [cells[0] for cells in rows] == ["Paving with base layer", "Edging with gravel"]
