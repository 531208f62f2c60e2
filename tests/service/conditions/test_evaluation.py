from __future__ import annotations

import datetime as dt
import math
import time
from decimal import Decimal
from typing import Any

import pytest

from docduck import clock
from docduck.extraction.values.dates import DateOrder
from docduck.service.conditions import (
    Aspect,
    Condition,
    ConditionTarget,
    DocumentFacts,
    Kind,
    Operator,
    all_hold,
    any_holds,
    holds,
)
from tests.service.conditions.cases import condition, facts, utc, value_test

NEGATIVE = {Operator.NOT_EQUALS, Operator.NOT_CONTAINS, Operator.NOT_IN}
VALUES: dict[Operator, Any] = {
    **dict.fromkeys(Operator, "7"),
    Operator.IN: ["7"],
    Operator.NOT_IN: ["7"],
    Operator.BETWEEN: ["6", "8"],
}
NO_TEXT: tuple[Any, ...] = (math.nan, math.inf, -math.inf, {}, {"a": 1}, b"7")
NO_NUMBER = ("NaN", "Infinity", "1e999999999", "", "  ", "12 apples")
NUMBERS = [
    ("equals", 12.5, 12.5, True),
    ("equals", 12.5, "12.50", True),
    ("equals", 1234.5, "€ 1.234,50", True),
    ("equals", 1234.5, "1,234.50 USD", True),
    ("equals", 1234.5, "1'234.50", True),
    ("equals", 1.234, "1.234", True),
    ("equals", 12, "١٢", False),
    ("equals", 12, "１２", False),
    ("equals", -12.5, "(12.50)", True),
    ("equals", 0.1, 0.1, True),
    ("equals", 0.1, "0.1", True),
    ("equals", 0.3, 0.1 + 0.2, False),
    ("equals", 10**40, 10**40 + 1, False),
    ("equals", 2**53 + 1, 2**53, False),
    ("not_equals", 12, 13, True),
    ("not_equals", 12, 12.0, False),
    ("greater_than", 12.5, 12.5, False),
    ("greater_than", 12.51, 12.5, True),
    ("greater_than", 9, "10", False),
    ("greater_than_or_equal", 12.5, 12.5, True),
    ("less_than", -1, 0, True),
    ("less_than_or_equal", 0, -0.0, True),
    ("contains", 1234.5, "34.5", True),
    ("contains", 1129.0, "1129.0", False),
    ("not_contains", 12, "3", True),
    ("starts_with", 1234.5, 12, True),
    ("ends_with", 1234.5, ".5", True),
    ("matches_regex", 1234.5, r"^\d+\.5$", True),
    ("in", 5, [4, "5.00"], True),
    ("in", 5, [4, 6], False),
    ("not_in", 5, [4, 6], True),
    ("not_in", 5, ["EUR 5"], False),
    ("between", 5, [5, 6], True),
    ("between", 6, [5, "6"], True),
    ("between", 6.01, [5, 6], False),
    ("between", 5, [6, 4], False),
    ("greater_than", 5, "much", False),
    ("equals", 5, True, False),
    ("not_equals", 5, "NaN", True),
]
TEXTS = [
    ("equals", "Acme GmbH", " acme gmbh ", True),
    ("equals", "STRASSE", "straße", True),
    ("equals", "ÉCOLE", "école", True),
    ("equals", "", "", True),
    ("equals", "5", 5, True),
    ("equals", "5.0", 5, False),
    ("equals", "true", True, True),
    ("not_equals", "a", "A", False),
    ("not_equals", "a", "b", True),
    ("greater_than", "b", "A", True),
    ("greater_than", "10", "9", False),
    ("less_than_or_equal", "A", "a", True),
    ("contains", "Acme GmbH", "ME g", True),
    ("contains", "Acme", "x", False),
    ("not_contains", "Acme", "x", True),
    ("not_contains", "Acme", "AC", False),
    ("starts_with", "  Acme", "ac", True),
    ("starts_with", "Acme", "cm", False),
    ("ends_with", "Acme  ", "ME", True),
    ("matches_regex", "INV-0042", r"^inv-\d{4}$", True),
    ("matches_regex", "INV-0042", r"(?-i)^inv-\d{4}$", False),
    ("matches_regex", "INV-0042", r"\d{5}", False),
    ("matches_regex", "Größe", r"^gr.ße$", True),
    ("in", "acme", ["Other", "ACME"], True),
    ("in", "acme", ["Other"], False),
    ("not_in", "acme", ["Other", "ACME"], False),
    ("between", "m", ["A", "z"], True),
]
DATES = [
    ("equals", "2024-01-15", "2024-01-15", True),
    ("equals", "2024-01-15", "2024-01-15T23:00:00Z", True),
    ("equals", "2024-01-15", "2024-01-14T23:30:00-02:00", True),
    ("equals", "2024-01-15", "15.01.2024", True),
    ("equals", "2024-01-15", "１5.01.2024", False),
    ("equals", "2024-01-15", "soon", False),
    ("not_equals", "2024-01-15", "soon", True),
    ("not_equals", "2024-01-15", "2024-01-15", False),
    ("greater_than", "2024-02-01", "2024-01-31", True),
    ("less_than", "0999-12-31", "1000-01-01", True),
    ("greater_than", "2024-02-30", "2000-01-01", False),
    ("between", "2024-01-15", ["2024-01-01", "2024-01-31"], True),
    ("in", "2024-01-15", ["2024-01-14", "2024-01-15"], True),
    ("contains", "2024-01-15", "2024-01", True),
    ("starts_with", "2024-01-15", "2024", True),
    ("greater_than", "9999-12-31", "0001-01-01T00:00:00+14:00", True),
    ("equals", "2024-01-15", 20240115, False),
]
BOOLEANS = [
    ("equals", True, True, True),
    ("equals", True, "TRUE", True),
    ("equals", False, "false", True),
    ("equals", False, False, True),
    ("equals", True, 1, False),
    ("equals", True, False, False),
    ("not_equals", True, False, True),
    ("not_equals", True, True, False),
    ("greater_than", True, False, False),
    ("greater_than_or_equal", True, True, False),
    ("between", True, [True, True], False),
    ("in", True, [False, True], True),
    ("contains", True, "ru", True),
]
LISTS = [
    ("equals", ["red", "Green"], "green", True),
    ("equals", ["red"], "re", False),
    ("not_equals", ["red", "green"], "green", False),
    ("not_equals", ["red"], "green", True),
    ("not_equals", [], "green", True),
    ("contains", ["red", "green"], "REE", True),
    ("contains", [], "a", False),
    ("not_contains", ["red", "green"], "ree", False),
    ("in", ["red"], ["blue", "RED"], True),
    ("not_in", ["red"], ["blue", "RED"], False),
    ("matches_regex", ["a1", "b2"], "^b", True),
    ("equals", [None, "x"], "x", True),
]


@pytest.mark.parametrize(
    ("field", "operator", "stored", "wanted", "expected"),
    [
        *[("f_total", *case) for case in NUMBERS],
        *[("f_number", *case) for case in NUMBERS],
        *[("f_text", *case) for case in TEXTS],
        *[("f_kind", *case) for case in TEXTS],
        *[("f_date", *case) for case in DATES],
        *[("f_paid", *case) for case in BOOLEANS],
        *[("f_tags", *case) for case in LISTS],
    ],
)
def test_extracted_values(field: str, operator: str, stored: Any, wanted: Any, expected: bool) -> None:
    assert holds(value_test(field, operator, wanted), facts(**{field: stored})) is expected


@pytest.mark.parametrize(
    ("order", "printed", "iso"),
    [
        ("auto", "03/04/2024", "2024-04-03"),
        ("day_first", "03/04/2024", "2024-04-03"),
        ("month_first", "03/04/2024", "2024-03-04"),
        ("year_first", "03/04/25", "2003-04-25"),
    ],
)
def test_printed_dates_are_read_in_the_given_order(
    order: DateOrder, printed: str, iso: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = DocumentFacts({"f_date": iso, "f_text": printed}, date_order=order)
    assert holds(value_test("f_date", "equals", printed), about)
    assert holds(value_test("f_date", "in", [printed]), about)
    assert holds(value_test("f_date", "between", [printed, printed]), about)
    assert holds(condition("f_date", "matches_field", "equals", "f_text"), about)
    assert holds(value_test("f_text", "equals", printed), about)
    with monkeypatch.context() as patched:
        patched.setattr(clock, "now", lambda: utc(f"{iso}T23:00:00") + dt.timedelta(days=1))
        assert holds(condition("f_text", "is_past_date"), about)
        patched.setattr(clock, "now", lambda: utc(f"{iso}T01:00:00"))
        assert not holds(condition("f_text", "is_past_date"), about)


@pytest.mark.parametrize("operator", list(Operator))
def test_what_is_missing_or_no_number_is_flagged_by_negative_operators_only(operator: Operator) -> None:
    for field in ("f_text", "f_number", "f_total", "f_date", "f_paid", "f_kind", "f_tags"):
        for known in (facts(**{field: None}), facts()):
            assert holds(value_test(field, operator, VALUES[operator]), known) is (operator in NEGATIVE)
    by_text = operator in ("contains", "starts_with", "ends_with", "not_contains", "matches_regex")
    for nasty in (*NO_TEXT, *(() if by_text else NO_NUMBER)):
        flagged = holds(value_test("f_total", operator, VALUES[operator]), facts(f_total=nasty))
        assert flagged is (operator in NEGATIVE), nasty


def test_numbers_of_any_size_have_a_text_and_a_place_in_the_order() -> None:
    huge = facts(f_total=10**6000)
    assert holds(value_test("f_total", "greater_than", 10**300), huge)
    assert holds(condition("f_total", "content_length", "equals", 6001), huge)
    assert holds(value_test("f_total", "starts_with", "10"), huge)
    assert holds(value_test("f_total", "equals", 1e300), facts(f_total=1e300))
    assert holds(value_test("f_total", "less_than", 1), facts(f_total=Decimal("NaN"))) is False
    assert holds(condition("f_total", "content_length", "equals", 9), facts(f_total=0.0000001))


def test_what_exists() -> None:
    something: list[Any] = [0, False, " ", "x", ["x"], 0.0]
    nothing: list[Any] = [None, "", []]
    there = [facts(f_text=value) for value in something]
    missing = [facts(), *(facts(f_text=value) for value in nothing)]
    for known, aspect, other in (
        *((one, "exists", "not_exists") for one in there),
        *((one, "not_exists", "exists") for one in missing),
    ):
        assert holds(condition("Vendor", aspect), known)
        assert not holds(condition("Vendor", other), known)
    # A table exists when it has rows.
    assert holds(condition("Line Items", "exists"), facts(f_items=[{"c_sku": None}]))
    assert holds(condition("Line Items", "not_exists"), facts(f_items=[]))
    assert holds(condition("Line Items", "not_exists"), facts())
    assert holds(condition("$custom.order", "not_exists"), DocumentFacts({}))
    assert holds(condition("$custom.order", "exists"), DocumentFacts({}, custom=CUSTOM))
    gone = Condition(ConditionTarget(Kind.TEXT, "f_gone", "f_gone"), Aspect.NOT_EXISTS)
    assert holds(gone, facts(f_text="a")), "its field may be gone"


ROWS = [{"c_sku": "A", "c_amount": 5, "c_net": 5}, {"c_sku": "B", "c_amount": 7, "c_net": 6}, {"c_sku": ""}]


@pytest.mark.parametrize(
    ("column", "aspect", "operator", "value", "rows", "expected"),
    [
        ("Line Items.SKU", "extracted_value", "equals", "b", ROWS, True),
        ("Line Items.Amount", "extracted_value", "greater_than", 7, ROWS, False),
        ("Line Items.Amount", "extracted_value", "not_equals", 5, ROWS[:1], False),
        ("Line Items.Amount", "extracted_value", "not_equals", 5, ROWS[:2], True),
        ("Line Items.Amount", "extracted_value", "not_equals", 5, [], False),
        ("Line Items.Amount", "extracted_value", "not_equals", 5, [{}], True),
        ("Line Items.SKU", "exists", None, None, ROWS, True),
        ("Line Items.SKU", "exists", None, None, [{"c_sku": None}], False),
        ("Line Items.SKU", "exists", None, None, [], False),
        ("Line Items.SKU", "not_exists", None, None, ROWS, True),
        ("Line Items.SKU", "not_exists", None, None, ROWS[:2], False),
        ("Line Items.SKU", "not_exists", None, None, [], True),
        ("Line Items.SKU", "not_exists", None, None, None, True),
        ("Line Items.SKU", "not_exists", None, None, "no table", True),
        ("Line Items.SKU", "not_exists", None, None, ["no row"], True),
        ("Line Items.SKU", "content_length", "equals", 0, ROWS, True),
        ("Line Items.SKU", "content_length", "greater_than", 1, ROWS, False),
        ("Line Items.Amount", "matches_field", "greater_than", "Line Items.Net", ROWS, True),
        ("Line Items.Amount", "matches_field", "greater_than", "Line Items.Net", ROWS[:1], False),
        ("Line Items.Net", "matches_field", "greater_than", "Line Items.Amount", ROWS, False),
        ("Line Items.SKU", "is_not_valid_date", None, None, ROWS, True),
        ("Line Items.SKU", "is_not_valid_date", None, None, [], False),
    ],
)
def test_a_column_holds_if_any_row_does(
    column: str, aspect: str, operator: str | None, value: Any, rows: Any, expected: bool
) -> None:
    assert holds(condition(column, aspect, operator, value), facts(f_items=rows)) is expected


@pytest.mark.parametrize(
    ("operator", "wanted", "sure", "expected"),
    [
        ("less_than", 0.8, 0.79, True),
        ("less_than", 80, 0.79, True),
        ("less_than", 80, 0.8, False),
        ("less_than", 1, 0.99, True),
        ("equals", 100, 1.0, True),
        ("equals", 0.9, 0.9, True),
        ("not_equals", 90, 0.9, False),
        ("greater_than_or_equal", 0.5, None, False),
        ("equals", 0, None, True),
        ("less_than", 0.5, "high", True),
    ],
)
def test_confidence(operator: str, wanted: float, sure: Any, expected: bool) -> None:
    test = condition("Total", "confidence", operator, wanted)
    assert holds(test, DocumentFacts({"f_total": 5}, {"f_total": {"confidence": sure}})) is expected


def test_confidence_without_evidence_counts_as_none() -> None:
    low = condition("Total", "confidence", "less_than", 0.1)
    assert holds(low, facts(f_total=5))
    assert holds(low, DocumentFacts({"f_total": 5}, {"f_total": [{"of": "a table once"}]}))
    column = condition("Line Items.Amount", "confidence", "less_than", 0.5)
    rows = {"f_items": [{"c_amount": 1}, {"c_amount": 2}]}
    sure = {"c_amount": {"confidence": 0.9}}
    assert not holds(column, DocumentFacts(rows, {"f_items": [sure, sure]}))
    assert holds(column, DocumentFacts(rows, {"f_items": [sure]}))
    assert holds(column, DocumentFacts(rows, {"f_items": "odd"}))
    assert not holds(column, DocumentFacts({"f_items": []}, {"f_items": []}))


@pytest.mark.parametrize(
    ("field", "value", "valid"),
    [
        ("Date", "2024-02-29", True),
        ("Date", "2023-02-29", False),
        ("Date", None, False),
        ("Date", "", False),
        ("Vendor", "31.12.2024", True),
        ("Vendor", "12/31/2024", True),
        ("Vendor", "3 March 2024", True),
        ("Vendor", "on 3 March 2024", False),
        ("Vendor", "2024-01-15T10:00:00Z", True),
        ("Vendor", "2024-13-15T10:00:00Z", False),
        ("Vendor", "99.99.2024", False),
        ("Vendor", "x" * 1000, False),
        ("Quantity", 20240101, False),
    ],
)
def test_valid_dates(field: str, value: Any, valid: bool) -> None:
    key = {"Date": "f_date", "Vendor": "f_text", "Quantity": "f_number"}[field]
    known = facts(**{key: value})
    assert holds(condition(field, "is_valid_date"), known) is valid
    assert holds(condition(field, "is_not_valid_date"), known) is not valid


def test_the_future_begins_tomorrow_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: utc("2026-03-01T23:59:59"))
    future, past = condition("Date", "is_future_date"), condition("Date", "is_past_date")
    seen = [
        (day, holds(future, facts(f_date=day)), holds(past, facts(f_date=day)))
        for day in ("2026-02-28", "2026-03-01", "2026-03-02", "2026-03-01T23:30:00-01:00", None, "never")
    ]
    assert seen == [
        ("2026-02-28", False, True),
        ("2026-03-01", False, False),
        ("2026-03-02", True, False),
        ("2026-03-01T23:30:00-01:00", True, False),
        (None, False, False),
        ("never", False, False),
    ]


@pytest.mark.parametrize(
    ("field", "value", "length"),
    [
        ("f_text", "größe", 5),
        ("f_text", " a ", 3),
        ("f_text", None, 0),
        ("f_total", 1129.0, 4),
        ("f_paid", True, 4),
        ("f_tags", ["a", "b"], 4),
        ("f_tags", [], 0),
        ("f_text", "👍", 1),
    ],
)
def test_content_length_is_that_of_the_text(field: str, value: Any, length: int) -> None:
    known = facts(**{field: value})
    assert holds(condition(field, "content_length", "equals", length), known)
    assert not holds(condition(field, "content_length", "greater_than", length), known)
    assert holds(condition(field, "content_length", "<=", length), known)


@pytest.mark.parametrize(
    ("left", "operator", "right", "values", "expected"),
    [
        ("Total", "equals", "Quantity", {"f_total": 5.0, "f_number": 5}, True),
        ("Total", "equals", "Vendor", {"f_total": 1234.5, "f_text": "€ 1,234.50"}, True),
        ("Vendor", "equals", "Total", {"f_total": 1234.5, "f_text": "1234.50"}, True),
        ("Vendor", "equals", "Kind", {"f_text": " INVOICE", "f_kind": "Invoice"}, True),
        ("Vendor", "equals", "Date", {"f_text": "15 January 2024", "f_date": "2024-01-15"}, True),
        ("Date", "greater_than", "Total", {"f_date": "2024-01-15", "f_total": 5}, False),
        ("Date", "not_equals", "Total", {"f_date": "2024-01-15", "f_total": 5}, True),
        ("Total", "less_than", "Quantity", {"f_total": 4, "f_number": None}, False),
        ("Total", "not_equals", "Quantity", {"f_total": 4, "f_number": None}, True),
        ("Vendor", "equals", "Tags", {"f_text": "B", "f_tags": ["a", "b"]}, True),
        ("Tags", "equals", "Vendor", {"f_text": "B", "f_tags": ["a", "b"]}, True),
        ("Total", "equals", "Line Items.Amount", {"f_total": 7, "f_items": ROWS}, True),
        ("Total", "equals", "Line Items.Amount", {"f_total": 8, "f_items": ROWS}, False),
        ("Vendor", "equals", "$name", {"f_text": "a.pdf"}, True),
    ],
)
def test_two_fields(left: str, operator: str, right: str, values: dict[str, Any], expected: bool) -> None:
    known = DocumentFacts(values, properties={"$name": "A.pdf"})
    assert holds(condition(left, "matches_field", operator, right), known) is expected


def test_a_duplicate_is_looked_for_by_field_and_value() -> None:
    asked: list[tuple[str, Any]] = []

    def duplicates(target: ConditionTarget, value: Any) -> bool:
        asked.append((target.ref, value))
        return bool(value == "B")

    known = DocumentFacts({"f_text": "A", "f_items": ROWS, "f_kind": None}, duplicates=duplicates)
    assert not holds(condition("Vendor", "is_duplicate"), known)
    assert holds(condition("Line Items.SKU", "is_duplicate"), known)
    assert not holds(condition("Kind", "is_duplicate"), known)
    assert asked == [("f_text", "A"), ("f_items.c_sku", "A"), ("f_items.c_sku", "B")]


PROPERTIES = {
    "$name": "Scan 1.pdf",
    "$pageCount": 3,
    "$createdAt": dt.datetime(2026, 1, 31, 10, 0, 0, 123456, dt.UTC),
    "$reviewStageId": ["one", "two"],
    "$externalId": None,
    "$source": "email",
}
CUSTOM = {"order": {"region": "EU", "total": 5.5, "open": True, "tags": ["x", 2]}, "list": [{"a": 1}]}


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("$name", "ends_with", ".PDF", True),
        ("$pageCount", "greater_than", "2", True),
        ("$externalId", "equals", "x", False),
        ("$externalId", "not_equals", "x", True),
        ("$reviewStageId", "equals", "TWO", True),
        ("$reviewStageId", "not_equals", "two", False),
        ("$createdAt", "equals", "2026-01-31", True),
        ("$createdAt", "greater_than", "2026-01-31", False),
        ("$createdAt", "less_than_or_equal", "2026-01-31", True),
        ("$createdAt", "equals", "2026-01-31T10:00:00.123Z", True),
        ("$createdAt", "greater_than", "2026-01-31T10:00:00.123Z", False),
        ("$createdAt", "greater_than", "2026-01-31T11:00:00+02:00", True),
        ("$createdAt", "between", ["2026-01-31", "2026-01-31T10:30:00"], True),
        ("$createdAt", "starts_with", "2026-01-31T10", True),
        ("$custom.order.region", "equals", "eu", True),
        ("$custom.order.total", "greater_than", 5, True),
        ("$custom.order.total", "equals", "5.50", True),
        ("$custom.order.open", "equals", "true", True),
        ("$custom.order.tags", "equals", 2, True),
        ("$custom.order.tags", "contains", "X", True),
        ("$custom.order.tags", "not_contains", "X", False),
        ("$custom.order", "equals", "EU", False),
        ("$custom.order", "not_equals", "EU", True),
        ("$custom.order.region.deeper", "equals", "EU", False),
        ("$custom.list.a", "equals", 1, False),
        ("$custom.nothing", "not_in", ["EU"], True),
    ],
)
def test_properties_and_custom_data(field: str, operator: str, value: Any, expected: bool) -> None:
    known = DocumentFacts({}, properties=PROPERTIES, custom=CUSTOM)
    assert holds(value_test(field, operator, value), known) is expected


def test_values_may_be_keyed_by_name() -> None:
    known = DocumentFacts({"Vendor": "Acme", "Line Items": [{"SKU": "B"}]})
    assert holds(value_test("f_text", "equals", "acme"), known)
    assert holds(value_test("f_items.c_sku", "equals", "b"), known)


def test_a_hostile_pattern_takes_no_time_and_any_text_is_matched() -> None:
    test = value_test("Vendor", "matches_regex", r"^(a+)+(b|a?)*$(x{1,50}y){1,9}")
    started = time.perf_counter()
    assert not holds(test, facts(f_text="a" * 1_000_000 + "!"))
    assert time.perf_counter() - started < 30, "a pattern that backtracks never ends"
    assert holds(value_test("Vendor", "matches_regex", "^a.b$"), facts(f_text="a\ud800b"))


def test_several() -> None:
    yes, no = value_test("Vendor", "equals", "a"), value_test("Vendor", "equals", "b")
    known = facts(f_text="a")
    assert all_hold([yes, yes], known) and all_hold([], known)
    assert not all_hold([yes, no], known)
    assert any_holds([no, yes], known)
    assert not any_holds([no], known) and not any_holds([], known)
