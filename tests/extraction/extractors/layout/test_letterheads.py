from __future__ import annotations

from collections import defaultdict

import pytest

from docduck.extraction.extractors.layout.parties.titles import is_title
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import text_document
from tools.training.letterheads import letters

FIELDS = parse_fields([{"name": name} for name in ("Invoice Number", "Vendor Name", "Customer Name")])
SEED = 901
"""Of letters that no rule was made with."""
FLOOR, FLOOR_OF_KIND = 0.97, 0.9


@pytest.mark.slow
def test_the_sender_is_told_from_the_recipient_by_letterheads_of_every_kind() -> None:
    right: dict[str, list[bool]] = defaultdict(list)
    for one in letters(SEED):
        data = extract_document(one.document, FIELDS, ExtractOptions(markdown=False)).data
        found = (data["Vendor Name"] == one.sender, data["Customer Name"] == one.recipient)
        right[one.letterhead.kind] += found
    shares = {kind: sum(some) / len(some) for kind, some in right.items()}
    assert min(shares.values()) >= FLOOR_OF_KIND, shares
    assert sum(map(sum, right.values())) / sum(map(len, right.values())) >= FLOOR, shares


def test_letters_are_deterministic() -> None:
    assert list(letters(3)) == list(letters(3))


@pytest.mark.parametrize("number", ["INV-LC", "INV/A/LC", "LCB"])
def test_a_labelled_number_without_a_digit_is_read(number: str) -> None:
    for line in (f"Invoice Number: {number}", f"Invoice Number:       {number}"):
        found = extract_document(text_document("Brick & Sons", "", line, "Date: 2024-01-03"), FIELDS)
        assert found.data["Invoice Number"] == number
        assert found.field_metadata["Invoice Number"]["locations"][0]["text"] == number


def test_a_number_without_a_digit_wins_over_the_next_line() -> None:
    found = extract_document(text_document("Invoice Number: INV-LC", "A-4711"), FIELDS)
    assert found.data["Invoice Number"] == "INV-LC"


@pytest.mark.parametrize(
    "line",
    [
        "Invoice Number: PENDING",
        "Invoice Number: N/A",
        "Invoice Number: see above",
        "Invoice Number: see BELOW",
        "Invoice Number       TERMS",
        "Invoice Number:       Date: today",
        "Please quote the invoice number. THANKS",
    ],
)
def test_words_are_no_numbers(line: str) -> None:
    found = extract_document(text_document("Brick & Sons", "", line, "Bolts and nuts"), FIELDS)
    assert found.data["Invoice Number"] is None


@pytest.mark.parametrize(
    "title",
    [
        "Lehrvertrag",
        "METSÄSTYSKORTTI",
        "Opkrævning 2023",
        "Invoice",
        "Följesedel",
        "LEIEKONTRAKT FOR BÅTPLASS",
        "Statement for March 2024",
    ],
)
def test_titles_are_no_names(title: str) -> None:
    assert is_title(title)


@pytest.mark.parametrize("name", ["Bankhaus Lampe", "Contract Furniture Ltd", "Visa Card", "Certas"])
def test_names_are_no_titles(name: str) -> None:
    assert not is_title(name)


def test_a_compound_title_in_large_type_is_not_the_sender() -> None:
    page = text_document("LUKUVUOSITODISTUS", "", "Iisveden yhtenäiskoulu", "", "Nimi:  Aino Kärki")
    found = extract_document(page, parse_fields([{"name": "School"}]))
    assert found.data["School"] == "Iisveden yhtenäiskoulu"
