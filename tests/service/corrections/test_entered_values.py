"""Values as people enter them."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError
from docduck.fields import parse_fields
from docduck.service.corrections.entered_values import parse_entered, shown_text

FIELDS = parse_fields(
    [
        {"id": "f1", "name": "Text"},
        {"id": "f2", "name": "Day", "type": "date"},
        {"id": "f3", "name": "Total", "type": "currency"},
        {"id": "f4", "name": "Paid", "type": "boolean"},
        {"id": "f5", "name": "Kind", "type": "choice", "options": ["A", "B"]},
        {"id": "f6", "name": "Tags", "type": "list"},
        {
            "id": "f7",
            "name": "Items",
            "type": "table",
            "columns": [{"id": "c1", "name": "Amount", "type": "number"}],
        },
    ]
)


@pytest.mark.parametrize(
    ("entered", "data"),
    [
        ({"f1": " A-17 "}, {"Text": "A-17"}),
        ({"f1": ""}, {"Text": None}),
        ({"f2": "31.01.2024"}, {"Day": "2024-01-31"}),
        ({"f2": "2024-01-31"}, {"Day": "2024-01-31"}),
        ({"f3": "1.234,50 €"}, {"Total": 1234.5}),
        ({"f3": "-7"}, {"Total": -7}),
        ({"f4": "true"}, {"Paid": True}),
        ({"f4": ""}, {"Paid": None}),
        ({"f5": "B"}, {"Kind": "B"}),
        ({"f6": "one\n\n two \n"}, {"Tags": ["one", "two"]}),
        ({"f6": ""}, {"Tags": []}),
        (
            {"f7": [{"c1": "2"}, {"c1": ""}, {}]},
            {"Items": [{"Amount": 2}, {"Amount": None}, {"Amount": None}]},
        ),
        ({"f7": []}, {"Items": []}),
    ],
)
def test_texts_become_values(entered: dict[str, Any], data: dict[str, Any]) -> None:
    assert parse_entered(FIELDS, entered) == data


def test_dates_are_read_in_the_order_of_the_parser() -> None:
    assert parse_entered(FIELDS, {"f2": "03/04/2024"}, "month_first") == {"Day": "2024-03-04"}
    assert parse_entered(FIELDS, {"f2": "03/04/2024"}, "day_first") == {"Day": "2024-04-03"}


def test_all_wrong_texts_are_told() -> None:
    wrong: dict[str, Any] = {
        "f2": "soon",
        "f3": "much",
        "f4": "perhaps",
        "f5": "C",
        "f7": [{"c1": "x", "c9": "1"}],
        "f9": "?",
    }
    with pytest.raises(InputError) as caught:
        parse_entered(FIELDS, wrong)
    assert [path for path, _ in caught.value.details] == ["f2", "f3", "f4", "f5", "f7.0.c9", "f7.0.c1", "f9"]


@pytest.mark.parametrize("text", ["A-17", "2024-01-31", "1234.5", "true", "B", "one\ntwo", ""])
def test_a_shown_text_is_read_back(text: str) -> None:
    for field in FIELDS[:6]:
        try:
            value = parse_entered(FIELDS, {str(field.id): text})[field.name]
        except InputError:
            continue
        shown: Any = {str(field.id): shown_text(field, value)}
        assert parse_entered(FIELDS, shown)[field.name] == value
