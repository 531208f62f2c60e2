"""Free text fields on forms and orders: the position of a value relative to its label or question."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import text_document


def value_of(field: dict[str, Any], *lines: str) -> str | None:
    """Return the value of one field in a document with these lines."""
    (parsed,) = parse_fields([field])
    value: str | None = extract_document(text_document(*lines), [parsed]).data[parsed.name]
    return value


SPONSOR = {"name": "sponsor_name", "description": "Name of the (main) sponsor"}
ADVERTISER = {"name": "advertiser", "description": "Name of the advertiser"}


def test_value_below_numbered_item() -> None:
    assert (
        value_of(
            SPONSOR,
            "1. Name of Sponsor                    2. Reference No.",
            "   Harbour Trade Council               4711",
            "3. Nature of business",
        )
        == "Harbour Trade Council"
    )


def test_name_question_excludes_address() -> None:
    assert (
        value_of(
            SPONSOR,
            "1. Name                                          2. Reference No.",
            "   Jane Miller                                   4711",
            "8. What is the name and address of the main sponsor?                99 Long Street, Suite 4",
            "   Name  Blue Harbour LLC                        Address  Boston, MA 02116",
        )
        == "Blue Harbour LLC"
    )


def test_value_below_label_beside_another_label() -> None:
    assert (
        value_of(
            ADVERTISER,
            "Advertiser                                   Original Date / Revision",
            "Friends of the River                         05/06/21 / 05/07/21",
            "Product",
        )
        == "Friends of the River"
    )


def test_name_that_ends_in_a_year_is_no_street() -> None:
    lines = ("Advertiser                    Agency", "Lorna Petrie 2020             North Media LLC")
    assert value_of(ADVERTISER, *lines) == "Lorna Petrie 2020"


def test_name_label_between_heading_and_value_is_skipped() -> None:
    assert (
        value_of(
            ADVERTISER,
            "Agency           Name:            North Media LLC",
            "Advertiser       Name:            Friends of the River",
            "                 Demographic:     Adults",
        )
        == "Friends of the River"
    )


def test_label_with_slash() -> None:
    assert value_of(ADVERTISER, "Advertiser/Code  Friends of the River (4711)") == "Friends of the River"


def test_registration_number_after_name_is_removed() -> None:
    assert value_of(ADVERTISER, "Advertiser:  Friends of the River (2468)") == "Friends of the River"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("employer_name", "Arbeitgeber:  Hansa Werke GmbH"),
        ("tenant", "Locataire :  Hansa Werke GmbH"),
        ("carrier", "Vettore:  Hansa Werke GmbH"),
        ("contact_person", "Ansprechpartner:  Petra Hansa"),
    ],
)
def test_roles_in_other_languages(name: str, line: str) -> None:
    assert value_of({"name": name}, line) == line.partition(":  ")[2]


def test_label_is_not_a_value() -> None:
    assert value_of(ADVERTISER, "Advertiser:", "Order Date:  05/06/21") is None


def test_role_address_below_name() -> None:
    lines = (
        "Vermieter                          Mieter",
        "Haus und Grund GmbH                Petra Hansa",
        "Lindenallee 4                      Marktgasse 9",
        "20457 Hamburg                      80331 München",
    )
    assert value_of({"name": "tenant_address"}, *lines) == "Marktgasse 9, 80331 München"
    assert value_of({"name": "landlord_address"}, *lines) == "Lindenallee 4, 20457 Hamburg"


def test_address_after_label() -> None:
    lines = ("Harbour Homes Ltd", "Property address:  14 Calvert Avenue, London E2 7JP", "Rent:  900.00")
    assert value_of({"name": "property_address"}, *lines) == "14 Calvert Avenue, London E2 7JP"


def test_means_of_payment_in_sentence() -> None:
    field = {"name": "payment_method", "description": "How the invoice was paid"}
    assert value_of(field, "Deze factuur is al betaald met uw Credit Card, hartelijk dank.") == (
        "Credit Card"
    )


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("advertiser", "Werbekunde"),
        ("advertiser", "Sponsor"),
        ("agency_name", "Werbeagentur"),
        ("insurer", "Versicherung"),
        ("signatory", "Printed Name"),
        ("patient_name", "Name"),
    ],
)
def test_other_words_for_a_role(name: str, label: str) -> None:
    assert value_of({"name": name}, f"{label}: Harbour Trade", "Place: Oslo") == "Harbour Trade"


def test_a_name_ends_before_its_phone_number() -> None:
    line = "Kontaktní osoba:  Lenka Malá, tel. 516 462 118"
    assert value_of({"name": "contact_person"}, line) == "Lenka Malá"


def test_label_after_a_dash_in_its_line() -> None:
    field = {"name": "sex", "type": "choice", "options": ["F", "M"]}
    assert value_of(field, "Born on 08/07/1957 in the town of York (67) – Sex : F") == "F"
