from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError
from docduck.fields import parse_fields
from docduck.ids import new_id
from docduck.service.conditions import (
    ASSIGNMENT_PROPERTIES,
    Aspect,
    DocumentFacts,
    Operator,
    Scope,
    holds,
    parse_condition,
    parse_filters,
    parse_rules,
    restore_condition,
    restore_rules,
)
from docduck.service.conditions.vocabulary import OPERATORS
from tests.service.conditions.cases import FIELDS, SCOPE

SIMPLE = {"field": "Total", "condition": "extracted_value", "operator": "greater_than", "value": 5000}


def one(**changes: Any) -> dict[str, Any]:
    return {**SIMPLE, **changes}


@pytest.mark.parametrize(
    ("ref", "name", "stored"),
    [
        ("Total", "Total", "f_total"),
        (" total ", "Total", "f_total"),
        ("f_total", "Total", "f_total"),
        ("Line Items.Amount", "Line Items.Amount", "f_items.c_amount"),
        ("line items.amount", "Line Items.Amount", "f_items.c_amount"),
        ("f_items.c_amount", "Line Items.Amount", "f_items.c_amount"),
        ("c_amount", "Line Items.Amount", "f_items.c_amount"),
        ("No. of Pages", "No. of Pages", "f_dotted"),
        ("$name", "$name", "$name"),
        ("$custom.a.b", "$custom.a.b", "$custom.a.b"),
    ],
)
def test_a_field_is_named_by_name_or_id(ref: str, name: str, stored: str) -> None:
    target = parse_condition(one(field=ref), SCOPE, "rules.0").target
    assert (target.name, target.ref) == (name, stored)


def test_quoted_names_are_those_of_fields_alone() -> None:
    table = {"name": "A", "type": "table", "columns": [{"id": "c_b", "name": "B"}]}
    odd = [{"id": "f_status", "name": "$status"}, {"id": "f_ab", "name": "A.B"}, {"id": "f_a", **table}]
    fields = parse_fields([*odd, {"id": "f_quoted", "name": '5" pipe'}])
    scope = Scope(fields, frozenset({"$status"}))
    found = {
        ref: parse_condition(one(field=ref, operator="equals"), scope, "rules.0").target.ref
        for ref in ("$status", '"$Status"', "A.B", '"a.b"', '"A"."B"', '"5"" pipe"', '5" pipe')
    }
    assert found == {
        **{"$status": "$status", '"$Status"': "f_status", "A.B": "f_ab", '"a.b"': "f_ab"},
        **{'"A"."B"': "f_a.c_b", '"5"" pipe"': "f_quoted", '5" pipe': "f_quoted"},
    }
    with pytest.raises(InputError, match="Unknown field"):
        parse_condition(one(field='"A"."C"'), scope, "rules.0")


def test_symbols_are_operators() -> None:
    symbols = {"=": "equals", "==": "equals", "!=": "not_equals", ">": "greater_than", "<": "less_than"}
    for symbol, operator in (symbols | {">=": "greater_than_or_equal", "<=": "less_than_or_equal"}).items():
        assert parse_condition(one(operator=symbol), SCOPE, "rules.0").operator == operator
        (found,) = parse_filters([{"field": "Total", "operator": symbol, "value": 1}], SCOPE)
        assert found.operator == operator


@pytest.mark.parametrize(
    ("raw", "path", "message"),
    [
        ("text", "rules.0", "rules.0 must be an object"),
        (None, "rules.0", "rules.0 must be an object"),
        (one(colour="red"), "rules.0.colour", "Unknown property: colour"),
        (one(type="code"), "rules.0.type", "Only simple rules are supported"),
        ({"type": "code", "code": "true"}, "rules.0.type", "Only simple rules are supported"),
        (one(type=None), "rules.0.type", "Only simple rules are supported"),
        (one(field="Nothing"), "rules.0.field", "Unknown field: Nothing"),
        (one(field="Line Items.Nothing"), "rules.0.field", "Unknown field: Line Items.Nothing"),
        (one(field="$status"), "rules.0.field", "Unknown field: $status"),
        (one(field="$custom"), "rules.0.field", "Unknown field: $custom"),
        (one(field="$custom."), "rules.0.field", "Unknown field: $custom."),
        (one(field="$custom.a..b"), "rules.0.field", "Unknown field: $custom.a..b"),
        (one(field="$custom.a.b.c.d.e.f"), "rules.0.field", "Unknown field: $custom.a.b.c.d.e.f"),
        (one(field=None), "rules.0.field", "field is required"),
        (one(field=5), "rules.0.field", "field must be text"),
        (one(field=" "), "rules.0.field", "field must be text"),
        (one(field="Line Items"), "rules.0.field", "'Line Items' is a table; name one of its columns"),
        (one(condition=None), "rules.0.condition", "condition is required"),
        (one(condition="equals"), "rules.0.condition", "Unknown condition: equals. Supported: extracted_"),
        (one(operator=None), "rules.0.operator", "operator is required for the condition 'extracted_value'"),
        (one(operator="GREATER_THAN"), "rules.0.operator", "Unknown operator: GREATER_THAN. Supported: eq"),
        (one(operator=["equals"]), "rules.0.operator", "Unknown operator"),
        (one(condition="confidence", operator="contains"), "rules.0.operator", "Unknown operator: contains"),
        (one(condition="exists"), "rules.0.operator", "operator must be null for the condition 'exists'"),
        (one(condition="exists", operator=None), "rules.0.value", "value must be null for the condition"),
        (one(condition="confidence", value=101), "rules.0.value", "value must be a confidence"),
        (one(condition="confidence", value=-0.1), "rules.0.value", "value must be a confidence"),
        (one(condition="confidence", value=True), "rules.0.value", "value must be a confidence"),
        (one(condition="confidence", value="0.9"), "rules.0.value", "value must be a confidence"),
        (one(condition="confidence", field="$name"), "rules.0.field", "needs an extracted field"),
        (one(condition="content_length", value=1.5), "rules.0.value", "value must be a whole number"),
        (one(condition="content_length", value=-1), "rules.0.value", "value must be a whole number"),
        (one(condition="content_length", value=True), "rules.0.value", "value must be a whole number"),
        (one(condition="matches_field"), "rules.0.value", "value must be text"),
        (one(condition="matches_field", value=None), "rules.0.value", "value is required"),
        (one(condition="matches_field", value="Nothing"), "rules.0.value", "Unknown field: Nothing"),
        (one(condition="matches_field", value="Line Items"), "rules.0.value", "'Line Items' is a table"),
        (one(condition="matches_field", operator="in"), "rules.0.operator", "Unknown operator: in"),
        (one(value=None), "rules.0.value", "value must be text, a number, true or false"),
        (one(value=[5]), "rules.0.value", "value must be text, a number, true or false"),
        (one(value={}), "rules.0.value", "value must be text, a number, true or false"),
        (one(value=float("inf")), "rules.0.value", "value is too large a number"),
        (one(value=1 << 5000), "rules.0.value", "value is too large a number"),
        (one(value="x" * 10_001), "rules.0.value", "value may have 10000 characters"),
        (one(operator="contains", value=" "), "rules.0.value", "value must not be empty for 'contains'"),
        (one(operator="in"), "rules.0.value", "value must be an array for 'in'"),
        (one(operator="in", value=[]), "rules.0.value", "value must have 1 to 1000 items"),
        (one(operator="not_in", value=[1] * 1001), "rules.0.value", "value must have 1 to 1000 items"),
        (one(operator="in", value=[1, [2]]), "rules.0.value.1", "value must be text, a number"),
        (one(operator="between", value=[1]), "rules.0.value", "value must be [lowest, highest]"),
        (one(operator="between", value=[1, None]), "rules.0.value.1", "value must be text, a number"),
        (one(operator="matches_regex", value=5), "rules.0.value", "value must be a regular expression"),
        (one(operator="matches_regex", value="(a"), "rules.0.value", "Not a regular expression of RE2's"),
        (one(operator="matches_regex", value=r"(a)\1"), "rules.0.value", "Not a regular expression of RE2's"),
        (one(operator="matches_regex", value="(?=a)"), "rules.0.value", "Not a regular expression of RE2's"),
        (one(operator="matches_regex", value="((a{1000}){1000}){1000}"), "rules.0.value", "Not a regular"),
        (one(operator="matches_regex", value="a" * 1001), "rules.0.value", "may have 1000 characters"),
        (one(name=""), "rules.0.name", "name must be text of 1 to 200 characters"),
        (one(name="x" * 201), "rules.0.name", "name must be text of 1 to 200 characters"),
        (one(name=5), "rules.0.name", "name must be text of 1 to 200 characters"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(raw: Any, path: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_condition(raw, Scope(FIELDS, ASSIGNMENT_PROPERTIES), "rules.0")
    assert caught.value.path == path
    assert message in caught.value.message


def test_a_percentage_is_a_confidence() -> None:
    assert parse_condition(one(condition="confidence", value=80), SCOPE, "").value == 0.8
    assert parse_condition(one(condition="confidence", value=1), SCOPE, "").value == 1.0
    assert parse_condition(one(condition="confidence", value=0.8), SCOPE, "").value == 0.8


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (SIMPLE, "Total greater than 5000"),
        (one(name=" High value "), "High value"),
        (one(operator="in", value=[1, True, "x"]), "Total in 1, true, x"),
        (one(condition="confidence", operator="<", value=80), "Confidence of Total less than 0.8"),
        (one(condition="exists", operator=None, value=None), "Total exists"),
        (one(condition="matches_field", value="f_number"), "Total greater than Quantity"),
        (one(condition="content_length", field="Vendor"), "Length of Vendor greater than 5000"),
    ],
)
def test_a_condition_has_a_title(raw: dict[str, Any], words: str) -> None:
    assert parse_condition(raw, SCOPE, "").title == words


ALL = [
    *[one(condition=aspect.value, operator=None, value=None) for aspect in Aspect if aspect not in OPERATORS],
    one(condition="matches_field", operator="not_equals", value="Line Items.Net", field="Line Items.Amount"),
    one(condition="confidence", value=0.5),
    one(condition="content_length", field="Line Items.SKU"),
    *[one(operator=o.value, value=[1, "2"] if o in ("in", "not_in", "between") else "a") for o in Operator],
]


@pytest.mark.parametrize("raw", ALL)
def test_what_is_stored_comes_back_and_is_shown_by_name(raw: dict[str, Any]) -> None:
    parsed = parse_condition(raw, SCOPE, "rules.0")
    stored = parsed.as_json(by_id=True)
    assert restore_condition(stored, FIELDS) == parsed
    assert not {"Total", "Line Items.Amount", "Line Items.Net"} & {stored["field"], str(stored["value"])}
    shown = parsed.as_json(by_id=False)
    assert shown == {**raw, "type": "simple", "name": parsed.title}
    assert parse_condition(shown, SCOPE, "rules.0") == parsed


def test_rules_keep_their_ids_and_follow_their_fields() -> None:
    rules = parse_rules([SIMPLE, one(id="mine", editable=True), one(id="foreign")], FIELDS, {"mine"})
    assert rules[1].id == "mine"
    assert len({rule.id for rule in rules}) == 3 and "foreign" not in {rule.id for rule in rules}
    renamed = parse_fields([{"id": "f_total", "name": "Amount due", "type": "currency"}])
    stored = [rule.stored() for rule in rules]
    shown = [rule.shown() for rule in restore_rules([*stored, {"id": "x", "type": "code"}], renamed)]
    assert [rule["field"] for rule in shown] == ["Amount due"] * 3
    assert shown[0] == {
        "id": rules[0].id,
        "type": "simple",
        "field": "Amount due",
        "condition": "extracted_value",
        "operator": "greater_than",
        "value": 5000,
        "name": "Amount due greater than 5000",
        "editable": True,
    }
    (left, *_) = restore_rules(stored, [])
    assert left.shown()["field"] == "f_total", "it is gone, and has no value"
    assert not holds(left.condition, DocumentFacts({"f_other": 9000}))
    first, second = parse_rules([one(id="mine"), one(id="mine")], FIELDS, {"mine"})
    assert first.id == "mine" != second.id


@pytest.mark.parametrize(
    ("raw", "paths"),
    [
        ({}, ["rules"]),
        ([SIMPLE] * 21, ["rules"]),
        ([SIMPLE, one(operator="x"), one(id=5)], ["rules.1.operator", "rules.2.id"]),
        ([one(field="x"), one(field="$name")], ["rules.0.field", "rules.1.field"]),
    ],
)
def test_every_wrong_rule_is_told(raw: Any, paths: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        parse_rules(raw, FIELDS)
    assert [path for path, _ in caught.value.details] == paths
    assert caught.value.path == paths[0]


@pytest.mark.parametrize(
    ("raw", "aspect", "operator"),
    [
        ({"field": "Total", "operator": "between", "value": [1, 2]}, "extracted_value", "between"),
        ({"field": "Total", "operator": "exists"}, "exists", None),
        ({"field": "Total", "operator": "is_not_empty", "value": None}, "exists", None),
        ({"field": "Line Items", "operator": "is_empty"}, "not_exists", None),
        ({"field": "Total", "operator": "not_exists"}, "not_exists", None),
        (one(operator="<", value=90, condition="confidence"), "confidence", "less_than"),
        ({"field": "$createdAt", "operator": ">", "value": "2026-01-01"}, "extracted_value", "greater_than"),
        ({"field": "$reviewStageId", "operator": "equals", "value": new_id()}, "extracted_value", "equals"),
    ],
)
def test_filters(raw: dict[str, Any], aspect: str, operator: str | None) -> None:
    (found,) = parse_filters([raw], SCOPE)
    assert (found.aspect, found.operator) == (aspect, operator)


@pytest.mark.parametrize(
    ("raw", "path", "message"),
    [
        ("x", "filters", "filters must be an array of filters"),
        ([one()] * 21, "filters", "filters may have 20 filters"),
        ([5], "filters.0", "filters.0 must be an object"),
        ([{"field": "Total"}], "filters.0.operator", "operator is required"),
        ([{"field": "Totl", "operator": "=", "value": 1}], "filters.0.field", "Unknown field: Totl"),
        ([{"field": "$secret", "operator": "=", "value": 1}], "filters.0.field", "Unknown field: $secret"),
        ([one(operator="like")], "filters.0.operator", "Unknown operator: like"),
        ([one(operator=5)], "filters.0.operator", "Unknown operator: 5"),
        ([{"field": "Total", "operator": "exists", "value": 1}], "filters.0.value", "value must be null"),
        ([{"field": "Total", "operator": "="}], "filters.0.value", "value must be text"),
        ([{**SIMPLE, "condition": "exists"}], "filters.0.condition", "Unknown condition: exists"),
        ([{**SIMPLE, "condition": []}], "filters.0.condition", "Unknown condition: []"),
        ([one(condition="confidence", operator="exists")], "filters.0.operator", "Unknown operator"),
        ([{**SIMPLE, "name": "x"}], "filters.0.name", "Unknown property: name"),
    ],
)
def test_wrong_filters(raw: Any, path: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_filters(raw, SCOPE)
    assert (caught.value.path, caught.value.message.startswith(message)) == (path, True)


@pytest.mark.parametrize(("operator", "value"), [("equals", "x"), ("!=", 1), ("in", [new_id(), "x"])])
def test_ids_in_filters_are_uuids(operator: str, value: Any) -> None:
    with pytest.raises(InputError, match="Invalid value") as caught:
        parse_filters([{"field": "$folderId", "operator": operator, "value": value}], SCOPE)
    assert caught.value.path == "filters.0.value"
