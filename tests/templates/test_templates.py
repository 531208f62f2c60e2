from __future__ import annotations

import re

import pytest

from docduck.errors import InputError
from docduck.fields import FieldType
from docduck.templates import keys, load

KINDS = {
    "invoice": "invoices",
    "receipt": "receipts",
    "purchase_order": "purchase_orders",
    "bank_statement": "bank_statements",
    "bill_of_lading": "bills_of_lading",
    "resume": "resumes",
    "identity_document": "identity_documents",
    "generic_letter": "letters",
    "application_form": "application_forms",
    "card_statement": "card_statements",
    "credit_note": "credit_notes",
    "customs_declaration": "customs_declarations",
    "delivery_note": "delivery_notes",
    "expense_report": "expense_reports",
    "hotel_folio": "hotel_folios",
    "inspection_report": "inspection_reports",
    "insurance_certificate": "insurance_certificates",
    "lab_report": "lab_reports",
    "lease": "leases",
    "order_confirmation": "order_confirmations",
    "packing_list": "packing_lists",
    "payment_reminder": "payment_reminders",
    "payslip": "payslips",
    "quote": "quotes",
    "remittance_advice": "remittance_advices",
    "timesheet": "timesheets",
    "transcript": "transcripts",
    "travel_ticket": "travel_tickets",
    "utility_bill": "utility_bills",
    "waybill": "waybills",
}


@pytest.mark.parametrize("key", KINDS)
def test_a_template_says_what_it_and_each_of_its_fields_is(key: str) -> None:
    template = load(key)
    assert template.key == key
    assert template.name.strip() and template.description.strip()
    assert re.fullmatch(r"[a-z][a-z_]*", template.slug)
    assert any(field.required for field in template.fields)
    for field in (*template.fields, *(column for one in template.fields for column in one.columns)):
        assert re.fullmatch(r"[A-Z][^\n]*\.", field.description or ""), field.name
        assert all(word[0].isupper() or word in ("of", "and") for word in field.name.split()), field.name
        assert all(label == label.strip() and label for label in field.labels), field.name
        said = [word.casefold() for word in (field.name, *field.labels)]
        assert len(set(said)) == len(said), field.name


def test_every_kind_is_there() -> None:
    assert {key: load(key).slug for key in keys()} == KINDS


@pytest.mark.parametrize(("key", "table"), [("invoice", "Line Items"), ("bank_statement", "Transactions")])
def test_tables_have_typed_columns(key: str, table: str) -> None:
    (field,) = (field for field in load(key).fields if field.name == table)
    assert field.type is FieldType.TABLE
    assert {column.type for column in field.columns} >= {FieldType.TEXT, FieldType.CURRENCY}


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"Unknown templateKey: inovice\. Known: application_form, bank_.*, waybill"
    ) as caught:
        load("inovice")
    assert caught.value.path == "templateKey"


def test_a_template_is_the_callers_own() -> None:
    load("invoice").fields.clear()
    assert load("invoice").fields
