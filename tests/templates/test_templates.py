from __future__ import annotations

import re
from itertools import combinations

import pytest

from docduck.errors import InputError
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.normal_text import key as normal_key
from docduck.fields import FieldType
from docduck.templates import keys, load

SMALL_WORDS = ("and", "by", "for", "in", "of", "on", "per", "to")

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
    "acord_25": "acord_25",
    "air_waybill": "air_waybills",
    "boleto": "boletos",
    "cheque": "cheques",
    "civil_certificate": "civil_certificates",
    "cmr": "cmr_notes",
    "cms_1500": "cms_1500",
    "explanation_of_benefits": "explanations_of_benefits",
    "health_card": "health_cards",
    "insurance_policy": "insurance_policies",
    "loan_statement": "loan_statements",
    "medical_bill": "medical_bills",
    "meeting_minutes": "meeting_minutes",
    "membership_application": "membership_applications",
    "postal_declaration": "postal_declarations",
    "shipping_label": "shipping_labels",
    "swiss_qr_bill": "swiss_qr_bills",
    "ub_04": "ub_04",
    "us_1098": "us_1098",
    "us_1098_e": "us_1098_e",
    "us_1098_t": "us_1098_t",
    "us_1099_div": "us_1099_div",
    "us_1099_g": "us_1099_g",
    "us_1099_int": "us_1099_int",
    "us_1099_misc": "us_1099_misc",
    "us_1099_nec": "us_1099_nec",
    "us_1099_r": "us_1099_r",
    "us_w2": "us_w2",
    "us_w9": "us_w9",
}


@pytest.mark.parametrize("key", KINDS)
def test_a_template_says_what_it_and_each_of_its_fields_is(key: str) -> None:
    template = load(key)
    assert template.key == key
    assert template.name.strip() and template.description.strip()
    assert re.fullmatch(r"[a-z][a-z0-9_]*", template.slug)
    assert any(field.required for field in template.fields)
    for field in (*template.fields, *(column for one in template.fields for column in one.columns)):
        assert re.fullmatch(r"[A-Z][^\n]*\.", field.description or ""), field.name
        words = [word for word in field.name.split() if word not in SMALL_WORDS]
        assert all(word[0].isupper() or word[0].isdigit() for word in words), field.name
        assert all(label == label.strip() and label for label in field.labels), field.name
        said = [word.casefold() for word in (field.name, *field.labels)]
        assert len(set(said)) == len(said), field.name
        assert all(map(normal_key, said)), field.name


SHARED = {
    ("bank_statement", "Period Start", "Period End"),
    ("invoice", "Customer Name", "Customer Address"),
    ("invoice", "Item Number", "Description"),
    ("receipt", "Unit Price", "Amount"),
}
"""Fields that one label may announce: both ends of a period, a name and its address, one column of two."""


@pytest.mark.parametrize("key", KINDS)
def test_a_label_names_one_field_of_its_type(key: str) -> None:
    fields = load(key).fields
    for scope in (fields, *(field.columns for field in fields)):
        for one, other in combinations(scope, 2):
            if one.type is other.type and (key, one.name, other.name) not in SHARED:
                assert query_of(one).keys.isdisjoint(query_of(other).keys), (one.name, other.name)


def test_every_kind_is_there() -> None:
    assert {key: load(key).slug for key in keys()} == KINDS


@pytest.mark.parametrize(("key", "table"), [("invoice", "Line Items"), ("bank_statement", "Transactions")])
def test_tables_have_typed_columns(key: str, table: str) -> None:
    (field,) = (field for field in load(key).fields if field.name == table)
    assert field.type is FieldType.TABLE
    assert {column.type for column in field.columns} >= {FieldType.TEXT, FieldType.CURRENCY}


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"Unknown templateKey: inovice\. Known: acord_25, air_.*, waybill"
    ) as caught:
        load("inovice")
    assert caught.value.path == "templateKey"


def test_a_template_is_the_callers_own() -> None:
    load("invoice").fields.clear()
    assert load("invoice").fields
