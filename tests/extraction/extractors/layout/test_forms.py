"""Free text fields on forms and orders: where the answer to a label or a question stands."""

from __future__ import annotations

import pytest

from docduck.extraction.fields.field_words import asked
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, parse_fields
from tests.extraction.pages import text_document


def answer(field: dict[str, str], *lines: str) -> str | None:
    """The value of one field in a document of these lines."""
    (parsed,) = parse_fields([field])
    value: str | None = extract_document(text_document(*lines), [parsed]).data[parsed.name]
    return value


SPONSOR = {"name": "sponsor_name", "description": "Name of the (main) sponsor"}
ADVERTISER = {"name": "advertiser", "description": "Name of the advertiser"}


def test_a_numbered_item_is_answered_below() -> None:
    assert (
        answer(
            SPONSOR,
            "1. Name of Sponsor                    2. Reference No.",
            "   Harbour Trade Council               4711",
            "3. Nature of business",
        )
        == "Harbour Trade Council"
    )


def test_a_question_is_answered_by_its_name_not_its_address() -> None:
    assert (
        answer(
            SPONSOR,
            "1. Name                                          2. Reference No.",
            "   Jane Miller                                   4711",
            "8. What is the name and address of the main sponsor?                99 Long Street, Suite 4",
            "   Name  Blue Harbour LLC                        Address  Boston, MA 02116",
        )
        == "Blue Harbour LLC"
    )


def test_items_glued_to_one_line_and_an_answer_far_right_in_its_cell() -> None:
    field = {"name": "person_name", "description": "Name of the person"}
    assert answer(field, "1. Name 2. Reference No.", "   Jane Miller", "3. To") == "Jane Miller"
    lines = (
        "1. Name                     2. Reference No.",
        "             Jane Miller      4711",
        "3. Address",
    )
    assert answer(field, *lines) == "Jane Miller"


def test_a_person_field_takes_the_plain_name_item() -> None:
    field = {"name": "person_name", "description": "Name of the person"}
    lines = ("1. Name                               2. Reference No.", "   Jane Miller          4711")
    assert answer(field, *lines) == "Jane Miller"


def test_a_label_over_its_value_beside_another_label() -> None:
    assert (
        answer(
            ADVERTISER,
            "Advertiser                                   Original Date / Revision",
            "Friends of the River                         05/06/21 / 05/07/21",
            "Product",
        )
        == "Friends of the River"
    )


def test_labels_listed_left_of_their_values() -> None:
    assert (
        answer(
            ADVERTISER,
            "Advertiser         Friends of the River 2020, Inc",
            "Product            River clean-up",
            "Brand              Spring",
        )
        == "Friends of the River 2020, Inc"
    )


def test_a_name_label_between_a_heading_and_its_value_is_stepped_over() -> None:
    assert (
        answer(
            ADVERTISER,
            "Agency           Name:            North Media LLC",
            "Advertiser       Name:            Friends of the River",
            "                 Demographic:     Adults",
        )
        == "Friends of the River"
    )


def test_a_label_with_a_second_word_after_a_slash() -> None:
    assert answer(ADVERTISER, "Advertiser/Code  Friends of the River (4711)") == "Friends of the River"


def test_a_registration_number_after_a_name_is_left_out() -> None:
    assert answer(ADVERTISER, "Advertiser:  Friends of the River (2468)") == "Friends of the River"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("employer_name", "Arbeitgeber:  Hansa Werke GmbH"),
        ("tenant", "Locataire :  Hansa Werke GmbH"),
        ("carrier", "Vettore:  Hansa Werke GmbH"),
        ("contact_person", "Ansprechpartner:  Petra Hansa"),
    ],
)
def test_roles_are_known_in_other_languages(name: str, line: str) -> None:
    assert answer({"name": name}, line) == line.partition(":  ")[2]


def test_a_label_without_an_answer_takes_no_other_label() -> None:
    assert answer(ADVERTISER, "Advertiser:", "Order Date:  05/06/21") is None


def test_the_address_of_a_role_stands_under_its_name() -> None:
    lines = (
        "Vermieter                          Mieter",
        "Haus und Grund GmbH                Petra Hansa",
        "Lindenallee 4                      Marktgasse 9",
        "20457 Hamburg                      80331 München",
    )
    assert answer({"name": "tenant_address"}, *lines) == "Marktgasse 9, 80331 München"
    assert answer({"name": "landlord_address"}, *lines) == "Lindenallee 4, 20457 Hamburg"


def test_an_address_after_its_label_on_one_line() -> None:
    lines = ("Harbour Homes Ltd", "Property address:  14 Calvert Avenue, London E2 7JP", "Rent:  900.00")
    assert answer({"name": "property_address"}, *lines) == "14 Calvert Avenue, London E2 7JP"


def test_a_sentence_names_the_means_of_payment() -> None:
    field = {"name": "payment_method", "description": "How the invoice was paid"}
    assert answer(field, "Deze factuur is al betaald met uw Credit Card, hartelijk dank.") == ("Credit Card")


def test_what_a_field_asks_for() -> None:
    wanted = asked(Field(name="sponsor_name", description="Name of the (main) sponsor"))
    assert wanted.name
    assert not wanted.person
    assert {"nameofsponsor", "sponsor", "sponsorname"} <= wanted.phrases.keys()
    assert asked(Field(name="contact_person")).person
    assert not asked(Field(name="payment_terms", description="Terms of payment")).name
