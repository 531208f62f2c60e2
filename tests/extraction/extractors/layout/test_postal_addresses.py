"""Names and postal addresses on receipts and letters."""

from __future__ import annotations

import pytest

from docduck.extraction.extractors.layout.candidates.names import is_name_like, repair_name
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.values.addresses import (
    address_weight,
    find_town,
    is_company_note,
    is_street,
    names_town,
)
from docduck.fields import parse_fields
from tests.extraction.pages import by_ocr, text_document

FIELDS = parse_fields([{"name": "company"}, {"name": "address"}])


def receipt(*lines: str) -> tuple[str | None, str | None]:
    """Return company and address read from a scanned receipt with these lines."""
    data = extract_document(by_ocr(text_document(*lines), 0.98), FIELDS).data
    return data["company"], data["address"]


def test_receipt_address_excludes_registration_and_telephone() -> None:
    assert receipt(
        "KEDAI BUKU HARAPAN SDN BHD (123456-A)",
        "GST Reg No: 000123456789",
        "Lot 12-A, Jalan Mawar 3/1,",
        "Taman Harapan,",
        "47500 Subang Jaya, Selangor",
        "Tel: 03-5555 1234",
        "TAX INVOICE",
        "Invoice No: 4711",
    ) == (
        "KEDAI BUKU HARAPAN SDN BHD",
        "Lot 12-A, Jalan Mawar 3/1, Taman Harapan, 47500 Subang Jaya, Selangor",
    )


def test_address_label_is_removed() -> None:
    company, address = receipt(
        "KEDAI KAIN MURNI BHD (204060-X)",
        "MELUR OUTLET",
        "TEL / FAX : 03-70001234",
        "HQ ADD: LOT 88, BATU 5, JALAN MELUR",
        "43000 KAJANG, SELANGOR",
        "DATE: 02/05/2021",
    )
    assert company == "KEDAI KAIN MURNI BHD"
    assert address == "LOT 88, BATU 5, JALAN MELUR, 43000 KAJANG, SELANGOR"


def test_registered_name_is_preferred_to_slogan() -> None:
    company, _ = receipt(
        "Fresh Every Morning",
        "Roti Segar Sdn Bhd (304050-K)",
        "Jalan Kenari Batu 3",
        "35000 Tapah",
        "Tax Invoice: 1",
    )
    assert company == "Roti Segar Sdn Bhd"


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("ACME SON BHD", "ACME SDN BHD"),
        ("CITY BAZAAR S/8", "CITY BAZAAR S/B"),
        ("K.1.M. FOODS SDN BHD", "K.I.M. FOODS SDN BHD"),
        ("Muster GmbH", "Muster GmbH"),
        ("JACKSON", "JACKSON"),
    ],
)
def test_misread_legal_forms_are_repaired(read: str, printed: str) -> None:
    assert repair_name(read) == printed


@pytest.mark.parametrize(
    ("text", "zip_code"),
    [
        ("86150Augsburg", "86150"),
        ("12 rue du Lac - 74000 Annecy - France", "74000"),
        ("Ottawa, ON K1A 0B1", "K1A 0B1"),
        ("Sydney NSW 2000", "2000"),
        ("10 Anson Road, Singapore 079903", "079903"),
        ("4th Cross, Bengaluru - 560001", "560001"),
        ("01310-100 São Paulo", "01310-100"),
        ("1100-148 Lisboa", "1100-148"),
        ("00-950 Warszawa", "00-950"),
        ("London E2 7JP", "E2 7JP"),
        ("Total EUR 1234", None),
        ("Invoice 123456", None),
        ("LOT 4070, JALAN MERAK,", None),
        ("Mike Example 2020, Inc", None),
    ],
)
def test_towns(text: str, zip_code: str | None) -> None:
    town = find_town(text)
    assert (town.zip if town else None) == zip_code


def test_town_glued_to_street() -> None:
    assert names_town("No. 8, Jalan PJ7/12,46000Petaling Jaya")
    assert names_town("5B278 Teruel")
    assert not names_town("LOT 50607, BATU 9")


@pytest.mark.parametrize(
    "text", ["Vote Jane Doe for Superior Court", "Hyde Park Lane Books", "Long Way Home"]
)
def test_names_may_contain_street_words(text: str) -> None:
    assert is_name_like(text)
    assert not is_street(text)


@pytest.mark.parametrize(
    "text",
    [
        "GST ID No: 000102030405",
        "Tel No. 03-7000-1234",
        "(80706-P)",
        "www.example.com",
        "SIRET : 123 456 789",
    ],
)
def test_company_notes(text: str) -> None:
    assert is_company_note(text)
    assert address_weight(text) == 0.0


@pytest.mark.parametrize(
    "text",
    ["Level 9, Bangunan Merdu", "14 Calvert Avenue", "75001 Paris", "Ground Floor, No. 4", "Selangor"],
)
def test_address_weight(text: str) -> None:
    assert address_weight(text) >= 0.3
    assert not is_company_note(text)


def test_value_cell_begins_above_label() -> None:
    fields = parse_fields([{"name": "Seller Name"}])
    found = extract_document(
        text_document(
            "Verkäufer",
            "Nummer:            204060",
            "                   Nordischer Beispiel",
            "Name:              Transportverein AG",
            "Anschrift:         Beispielweg 12",
            "                   24103 Kiel",
        ),
        fields,
    )
    assert found.data["Seller Name"] == "Nordischer Beispiel Transportverein AG"
