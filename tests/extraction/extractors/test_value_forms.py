"""What the form of a text rules out as the value of a field, whoever proposes it."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.value_forms import has_form, is_file_name, is_money, with_form
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.result import Finding
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType, parse_fields
from tests.extraction.pages import text_document

FIELDS = [
    {"name": "Invoice Number"},
    {"name": "Vendor Name"},
    {"name": "Vendor Tax ID"},
    {"name": "Tax", "type": "currency"},
    {"name": "Total", "type": "currency"},
]


def read(document: Document, *more: dict[str, Any]) -> dict[str, Any]:
    return extract_document(document, parse_fields([*FIELDS, *more])).data


@pytest.mark.parametrize(
    ("label", "amount"),
    [
        ("VAT 19%:", "EUR 190.00"), ("VAT:", "$1,234.50"), ("USt 19 %:", "190,00 EUR"),
        ("TVA 20 %:", "CHF 190.00"),
        ("IVA:", "190,00 €"), ("Tax ID VAT:", "12.50"), ("VAT 7.5%:", "R 1 234,50"), ("Moms:", "19 %"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("no_choice")
@pytest.mark.parametrize("total", ["Total:  999.99", "", "Payable after discount of 10 EUR:  1150.00"])
def test_an_amount_is_no_tax_number(label: str, amount: str, total: str) -> None:
    lines = ("Heron Tools  INVOICE", "", "Invoice Number: N-17", f"{label}  {amount}", total)
    data = read(text_document(*lines))
    assert data["Vendor Tax ID"] is None
    assert data["Invoice Number"] == "N-17"


@pytest.mark.parametrize(
    ("number", "read_as"),
    [
        ("INV-approve", "INV-approve"), ("ALPHA", "ALPHA"), ("RE/kl/pruefen", "RE/kl/pruefen"),
        ("RE-ENTWURF", "RE-ENTWURF"),
        ("pending", None), ("Invoice_4711.pdf", None), ("image001.png", None), ("smime.p7m", None),
        ("2024.pdf", None), ("20240315", "20240315"), ("FV 1/03/2024", "FV 1/03/2024"), ("EUR 190.00", None),
    ],
)  # fmt: skip
def test_what_can_identify_an_invoice(number: str, read_as: str | None) -> None:
    data = read(text_document("Heron Tools  INVOICE", "", f"Invoice Number:  {number}", "Total:  12.50 EUR"))
    assert data["Invoice Number"] == read_as


@pytest.mark.parametrize(
    ("name", "kind", "text", "suits"),
    [
        ("Vendor Address", "text", "Hammer, Drill", False),
        ("Vendor Address", "text", "Hafenweg 3, 20457 Hamburg", True),
        ("Vendor Address", "text", "Harbour Road, Bristol", True), ("Vendor Name", "text", "1,234.50", False),
        ("Vendor Name", "text", "logo.png", False), ("Vendor Name", "text", "7-Eleven", True),
        ("Vendor Name", "text", "Kind regards", False), ("Vendor Name", "text", "all", False),
        ("Vendor Name", "text", "Please find it attached.", False),
        ("Vendor Name", "text", "Otter & Sons Inc.", True),
        ("Attached file", "text", "terms.pdf", True), ("Tax year", "number", "123 Fremont Ave", False),
        ("Tax year", "number", "2021", True), ("Years of service", "number", "12", True),
        ("VAT rate", "number", "161.21", False), ("VAT rate", "number", "19 %", True),
        ("Vendor Tax ID", "text", "12 345 678 901", True), ("Vendor Tax ID", "text", "none", False),
    ],
)  # fmt: skip
def test_the_form_of_values(name: str, kind: str, text: str, suits: bool) -> None:
    assert has_form(query_of(Field(name=name, type=FieldType(kind))), text) == suits


@pytest.mark.parametrize("name", ["a.pdf", "Rechnung März.PDF", "image001.png", "winmail.p7s", "x.tar.gz"])
def test_names_of_files(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize("text", ["A-17", "St. Gallen", "v1.2", ".pdf", "GmbH & Co. KG", ""])
def test_other_texts_are_no_names_of_files(text: str) -> None:
    assert not is_file_name(text)


@pytest.mark.parametrize(
    ("text", "money"),
    [("190.00", True), ("1.234,50", True), ("€ 5", True), ("19 %", True), ("EUR 7", True), ("EUR4711", False),
     ("2024.01", False), ("A-12.50", False), ("4711", False)],
)  # fmt: skip
def test_money(text: str, money: bool) -> None:
    assert is_money(text) == money


def found(**values: Finding) -> Findings:
    return Findings({name.replace("_", " "): finding for name, finding in values.items()})


PARTIES = [query_of(field) for field in parse_fields([{"name": "Vendor Name"}, {"name": "Customer Name"}])]


def test_one_party_has_one_role() -> None:
    sure, unsure = Finding("Heron Tools Ltd", 0.9), Finding("HERON TOOLS LTD.", 0.6)
    both = with_form(found(Vendor_Name=sure, Customer_Name=unsure), PARTIES, {})
    assert both.scalars == {"Vendor Name": sure}
    later = with_form(found(Customer_Name=sure), PARTIES, {"Vendor Name": unsure})
    assert later.scalars == {}
    other = Finding("Otter Ltd", 0.5)
    assert len(with_form(found(Vendor_Name=sure, Customer_Name=other), PARTIES, {}).scalars) == 2


def test_what_a_file_states_or_a_person_taught_is_not_refused() -> None:
    stated = [Finding("Heron Tools Ltd", 0.99, source="structured") for _ in PARTIES]
    assert len(with_form(found(Vendor_Name=stated[0], Customer_Name=stated[1]), PARTIES, {}).scalars) == 2
    taught = Finding("logo.png", 0.9, learned_from="document")
    assert with_form(found(Vendor_Name=taught), PARTIES, {}).scalars == {"Vendor Name": taught}
    read = Finding("logo.png", 0.9)
    assert with_form(found(Vendor_Name=read), PARTIES, {}).scalars == {}
