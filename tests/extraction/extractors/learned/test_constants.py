"""Unprinted values: when they become constants of a layout, and when not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docduck.extraction.extractors.learned.constants import may_have_constant
from docduck.extraction.learned_layout import LearnedLayout
from docduck.fields import Field, FieldType, parse_fields
from tests.extraction.extractors.learned.letter_documents import HEAD, corrected, letter, read_with
from tests.extraction.pages import text_document

FIRM = "Fenland Mill International Ltd"
FIELDS = parse_fields(
    [
        {"name": "Vendor"},
        {"name": "Currency", "type": "choice", "options": ["EUR", "GBP"]},
        {"name": "Category", "description": "Kind of trade"},
    ]
)


def facts(number: int) -> tuple[str, str, str]:
    names = ("Ada Quill", "Clara Munt", "Dorian Pell", "Edda Frost")
    return (f"Zarqo  K{number}23/{number}5", f"Vind  0{number + 1}.04.2024", f"Plok  {names[number]}")


def learned_layouts(*numbers: int, **changes: Any) -> list[LearnedLayout]:
    return [corrected(letter(*facts(number)), FIELDS, **changes) for number in numbers]


def test_one_correction_is_not_enough() -> None:
    other = letter(*facts(3))
    found = read_with(other, FIELDS, *learned_layouts(0, Vendor=FIRM, Currency="GBP", Category="Milling"))
    assert found.data == read_with(other, FIELDS).data
    assert found.data["Vendor"] == HEAD


@pytest.mark.parametrize("count", [2, 3])
def test_agreeing_corrections_establish_a_constant(count: int) -> None:
    taught = learned_layouts(*range(count), Vendor=FIRM, Currency="GBP", Category="Milling")
    found = read_with(letter(*facts(3)), FIELDS, *taught)
    assert found.data == {"Vendor": FIRM, "Currency": "GBP", "Category": "Milling"}
    for entry in found.field_metadata.values():
        assert (entry["source"], entry["locations"], entry["page"]) == ("learned", [], None)
        assert 0.5 < entry["confidence"] <= 0.7
        assert entry["rawText"] is None and entry["edited"] is False


def test_constants_belong_to_one_layout() -> None:
    stranger = text_document("Brontal Works", "Copper bolts and oak planks", "", *facts(3))
    taught = learned_layouts(0, 1, Vendor=FIRM, Currency="GBP")
    assert read_with(stranger, FIELDS, *taught).data == read_with(stranger, FIELDS).data


@pytest.mark.parametrize("other", ["Barley Brothers International Ltd", HEAD])
def test_different_value_rules_constant_out(other: str) -> None:
    taught = [*learned_layouts(0, 1, Vendor=FIRM), *learned_layouts(2, Vendor=other)]
    assert read_with(letter(*facts(3)), FIELDS, *taught).data["Vendor"] != FIRM


def test_uncorrected_value_rules_constant_out() -> None:
    taught = [*learned_layouts(0, 1, Vendor=FIRM), *learned_layouts(2, Currency="GBP")]
    assert read_with(letter(*facts(3)), FIELDS, *taught).data["Vendor"] == HEAD


def test_cleared_value_rules_constant_out() -> None:
    taught = [*learned_layouts(0, 1, Vendor=FIRM), *learned_layouts(2, Vendor=None)]
    assert read_with(letter(*facts(3)), FIELDS, *taught).data["Vendor"] != FIRM


def test_other_value_is_kept() -> None:
    taught = learned_layouts(0, 1, Vendor=FIRM, Currency="GBP")
    head = "Barley and malt since the old days"
    found = read_with(letter(*facts(3), "Total  12,50 EUR", head=head), FIELDS, *taught)
    assert found.data["Vendor"] == head
    assert found.data["Currency"] == "EUR"


def test_varying_text_at_a_position_is_replaced() -> None:
    heads = ("Rye and oats since the old days", "Wheat and spelt since the old days")
    taught = [
        corrected(letter(*facts(number), head=head), FIELDS, Vendor=FIRM) for number, head in enumerate(heads)
    ]
    found = read_with(letter(*facts(3), head="Hops and malt since the old days"), FIELDS, *taught)
    assert found.data["Vendor"] == FIRM


def test_printed_value_is_not_a_constant() -> None:
    taught = [corrected(letter(*facts(n), f"Maker  {FIRM}"), FIELDS, Vendor=FIRM) for n in (0, 1)]
    shown = read_with(letter(*facts(3), "Maker  Barley Brothers"), FIELDS, *taught)
    assert shown.data["Vendor"] == "Barley Brothers", "its place is taught"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"name": "Invoice Number"}, "RE-17"),
        ({"name": "Invoice Number"}, "Seventeen"),
        ({"name": "Reference"}, "AB"),
        ({"name": "Order No."}, "AB"),
        ({"name": "Date"}, "some day"),
        ({"name": "Date received"}, "some day"),
        ({"name": "Total"}, "nothing"),
        ({"name": "IBAN"}, "DE89370400440532013000"),
        ({"name": "VAT ID"}, "DE123456789"),
        ({"name": "E-mail"}, "ada@example.com"),
        ({"name": "Phone"}, "+44 20 7946 0000"),
        ({"name": "Customer"}, "Quill and Company"),
        ({"name": "Kunde"}, "Quill and Company"),
        ({"name": "Recipient"}, "Quill"),
        ({"name": "Bill to"}, "Quill"),
        ({"name": "Customer country"}, "Norway"),
        ({"name": "Ship to"}, "Quill"),
        ({"name": "Recipient Address"}, "Mill Lane"),
        ({"name": "Tenant"}, "Quill"),
        ({"name": "Patient name"}, "Quill"),
        ({"name": "Contact person"}, "Quill"),
        ({"name": "Plaintiff"}, "Quill"),
        ({"name": "Customer", "type": "choice", "options": ["Quill", "Munt"]}, "Quill"),
        ({"name": "Zorb", "description": "The customer who ordered"}, "Quill"),
        ({"name": "Zorb"}, "K17/5"),
        ({"name": "Zorb"}, "31 January 2024"),
        ({"name": "Zorb"}, "1,234.50"),
        ({"name": "Zorb"}, "Quill Trading Ltd"),
        ({"name": "Zorb"}, "Ada Quill-Hastings"),
    ],
)
def test_fields_without_constants(field: dict[str, Any], value: str) -> None:
    fields = parse_fields([field])
    taught = [corrected(letter(*facts(n)), fields, **{field["name"]: value}) for n in (0, 1, 2)]
    other = letter(*facts(3))
    assert read_with(other, fields, *taught).data == read_with(other, fields).data


@pytest.mark.parametrize(
    "name",
    [
        "Vendor",
        "Lieferant",
        "Company",
        "Seller Name",
        "Bank",
        "Currency",
        "Payment terms",
        "Category",
        "Country",
    ],
)
def test_fields_that_may_have_constants(name: str) -> None:
    assert may_have_constant(Field(name=name))
    assert may_have_constant(Field(name=name, type=FieldType.CHOICE, options=("a", "b")))


@pytest.mark.parametrize("type_", [FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.LIST])
def test_types_without_constants(type_: FieldType) -> None:
    assert not may_have_constant(Field(name="Vendor", type=type_))


def test_constant_must_be_an_option() -> None:
    taught = learned_layouts(0, 1, Currency="GBP")
    fields = parse_fields([{"name": "Currency", "type": "choice", "options": ["EUR", "USD"]}])
    assert read_with(letter(*facts(3)), fields, *taught).data == {"Currency": None}


def test_constants_stored_by_earlier_versions() -> None:
    (new,) = learned_layouts(0, Category="Milling")
    stored = {
        "words": sorted(new.fingerprint.words),
        "marks": sorted(new.fingerprint.marks),
        "places": {"Vendor": {"page": 1, "left": 0.1, "top": 0.1, "right": 0.2, "text": HEAD}},
        "constants": {"Category": "Milling", "Vendor Number": "V-17"},
        "headers": {},
    }
    old = LearnedLayout.from_json(stored)
    assert old.values == {"Category": "Milling", "Vendor Number": "V-17", "Vendor": HEAD}
    fields = [*FIELDS, Field(name="Vendor Number")]
    other = letter(*facts(3))
    assert read_with(other, fields, replace(old, places={})).data == read_with(other, fields).data
    two = read_with(other, fields, replace(old, places={}), replace(old, places={}))
    assert (two.data["Category"], two.data["Vendor Number"]) == ("Milling", None)
