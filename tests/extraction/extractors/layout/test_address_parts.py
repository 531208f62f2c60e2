"""Parts of the address that a field names, or of the document's own."""

from __future__ import annotations

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field
from tests.extraction.pages import text_document

SHIPMENT = text_document(
    "SHIPPING LABEL",
    "Sender: Fjord Ceramics AS",
    "Havnegata 4",
    "7010 Trondheim",
    "",
    "Recipient: Nadia Petrova",
    "18 Rue de la Paix",
    "75002 Paris",
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("recipient_postcode", "75002"),
        ("recipient_town", "Paris"),
        ("recipient_street", "18 Rue de la Paix"),
        ("sender_postcode", "7010"),
    ],
)
def test_parts_of_the_address_that_a_field_names(name: str, expected: str) -> None:
    assert extract_document(SHIPMENT, [Field(name=name)]).data == {name: expected}


def test_parts_of_the_own_address_on_one_line() -> None:
    document = text_document(
        "THE RIVER TRUST", "Registered office: 12 Mill Lane, Riverton TN12 6AB", "The year was a quiet one."
    )
    names = ["address_street", "address_town", "address_postcode"]
    data = extract_document(document, [Field(name=name) for name in names]).data
    assert data == {
        "address_street": "12 Mill Lane",
        "address_town": "Riverton",
        "address_postcode": "TN12 6AB",
    }
