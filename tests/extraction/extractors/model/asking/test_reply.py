from __future__ import annotations

import json
from typing import Any

import pytest

from docduck.extraction.extractors.model.asking.reply import find_object
from docduck.extraction.extractors.model.schema import keyed, schema_of
from docduck.fields import parse_fields

SCHEMA = schema_of(
    keyed(
        parse_fields(
            [
                {"name": "Invoice Number"},
                {"name": "Größe", "type": "number"},
                {"name": "发票号码"},
                {"name": "金额", "type": "number"},
                {"name": "Lines", "type": "table", "columns": [{"name": "Unit Price"}, {"name": "Item"}]},
            ]
        )
    )
)
NUMBER = {"invoice_number": "A-17"}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (NUMBER, NUMBER),
        ({"document": NUMBER}, NUMBER),
        ({"result": {"document": NUMBER}}, NUMBER),
        ({"documents": [NUMBER]}, NUMBER),
        ([NUMBER], NUMBER),
        ({"properties": NUMBER, "type": "object"}, NUMBER),
        ({"Invoice Number": "A-17"}, NUMBER),
        ({"invoiceNumber": "A-17"}, NUMBER),
        ({"INVOICE-NUMBER": "A-17"}, NUMBER),
        ({"Invoice Number": "B", "invoice_number": "A-17"}, NUMBER),
        ({"Größe": 3, "GROSSE": 4}, {"grosse": 3}),
        ({"发票号码": "9", "金额": 5}, {"field": "9", "field_2": 5}),
        ({"invoice_number": {"value": "A-17", "page": 1}}, NUMBER),
        (
            {"lines": [{"Unit Price": 4, "item": "Rope"}, 7]},
            {"lines": [{"unit_price": 4, "item": "Rope"}, 7]},
        ),
        ({"answer": {"Lines": [{"unitPrice": 4}]}}, {"lines": [{"unit_price": 4}]}),
        ({"something": "else"}, None),
        ({"document": [NUMBER, NUMBER]}, None),
        (SCHEMA, None),
        ({}, None),
    ],
)
def test_the_object_is_found_whatever_is_around_it_and_its_keys_are_called(
    answer: Any, found: dict[str, Any] | None
) -> None:
    text = json.dumps(answer, ensure_ascii=False)
    assert find_object(text, SCHEMA) == found
    assert find_object(f"Here it is:\n```json\n{text}\n```", SCHEMA) == found


def test_the_object_with_most_of_the_keys_wins() -> None:
    text = '{"invoice_number": "draft"} then {"invoice_number": "A-17", "lines": []}'
    assert find_object(text, SCHEMA) == {"invoice_number": "A-17", "lines": []}
