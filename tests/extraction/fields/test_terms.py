"""Terms of names, labels and sentences by the thesaurus."""

from __future__ import annotations

import pytest

from docduck.extraction.fields.terms import covered, spots, terms


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Customer number", "Kundennr."), ("Vervaldatum", "Payable by"), ("Medlem från", "Member since"),
        ("Leverancier", "Seller"), ("Kesselbetrag", "Kessel"),
    ],
)  # fmt: skip
def test_terms_mean_the_same_in_all_languages_and_of_words_that_are_near(name: str, label: str) -> None:
    assert covered(terms(name), terms(label)) > 0.5


def test_words_that_say_little_alone_cover_nothing() -> None:
    assert covered(terms("Invoice number"), terms("Number")) == 0


def test_a_phrase_is_located_as_a_whole() -> None:
    text = "Please pay by 3 May"
    due = next(spot for spot in spots(text) if "due" in spot.term.groups)
    assert text[due.start : due.end] == "Please pay by"
