"""Recognised lines as words."""

from __future__ import annotations

import pytest

from docduck.documents.vision.ocr_words import spans
from docduck.documents.vision.text_recognition import RecognisedLine


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("NO 29O, JALAN", ["NO", "290,", "JALAN"]),
        ("(1.5OO,OO)", ["(1.500,00)"]),
        ("12-O4-2O20", ["12-04-2020"]),
        ("O365 H2O 29OA OO", ["O365", "H2O", "29OA", "OO"]),
    ],
)
def test_the_letter_o_in_a_number_is_a_zero(line: str, words: list[str]) -> None:
    reading = RecognisedLine(line, (0.99,) * len(line), tuple(n / len(line) for n in range(len(line))))
    assert [text for text, *_ in spans(reading)] == words
