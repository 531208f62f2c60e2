"""One document and its fields, for all tests of conditions."""

from __future__ import annotations

import datetime as dt
from typing import Any

from docduck.fields import Field, parse_fields
from docduck.service.conditions import FILTER_PROPERTIES, Condition, DocumentFacts, Scope, parse_condition

FIELDS: list[Field] = parse_fields(
    [
        {"id": "f_text", "name": "Vendor", "type": "text"},
        {"id": "f_number", "name": "Quantity", "type": "number"},
        {"id": "f_total", "name": "Total", "type": "currency"},
        {"id": "f_date", "name": "Date", "type": "date"},
        {"id": "f_paid", "name": "Paid", "type": "boolean"},
        {"id": "f_kind", "name": "Kind", "type": "choice", "options": ["Invoice", "Credit"]},
        {"id": "f_tags", "name": "Tags", "type": "list"},
        {
            "id": "f_items",
            "name": "Line Items",
            "type": "table",
            "columns": [
                {"id": "c_sku", "name": "SKU", "type": "text"},
                {"id": "c_amount", "name": "Amount", "type": "currency"},
                {"id": "c_net", "name": "Net", "type": "currency"},
            ],
        },
        {"id": "f_dotted", "name": "No. of Pages", "type": "number"},
    ]
)
SCOPE = Scope(FIELDS, FILTER_PROPERTIES | {"$senderEmail"})


def facts(**values: Any) -> DocumentFacts:
    """Facts of a document with these values, by field id."""
    return DocumentFacts(values)


def condition(
    field: str, aspect: str, operator: str | None = None, value: Any = None, scope: Scope = SCOPE
) -> Condition:
    raw = {"field": field, "condition": aspect, "operator": operator, "value": value}
    return parse_condition(raw, scope, "rules.0")


def value_test(field: str, operator: str, value: Any, scope: Scope = SCOPE) -> Condition:
    return condition(field, "extracted_value", operator, value, scope)


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)
