from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.page.lookup import Lookup
from docduck.fields import FieldType

LINES = (
    "Müller & Söhne GmbH Invoice RE-2024/17",
    "Hauptstrasse 5 Date 1 March 2024",
    "12345 Berlin Due 03/04/2024",
    "Net 1.234,50 € Tax 19% 234,56",
    "Total EUR 1 469 ,06 -5.00",
)


def document() -> Document:
    lines = []
    for row, text in enumerate(LINES):
        words = [
            Word(word, Box(0.1 * column, 0.1 * row, 0.09, 0.03)) for column, word in enumerate(text.split())
        ]
        lines.append(Line(tuple(words), Box.around(word.box for word in words)))
    return Document("text/plain", [Page(3, 595, 842, lines)], 1)


def texts(value: Any, kind: FieldType) -> list[list[str]]:
    return [[one.text for one in place] for place in Lookup(document()).places(value, kind)]


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("muller", FieldType.TEXT, []),
        ("MÜLLER & Söhne GmbH", FieldType.TEXT, [["Müller & Söhne GmbH"]]),
        ("RE 2024 17", FieldType.TEXT, [["RE-2024/17"]]),
        ("2024", FieldType.TEXT, [["2024"]]),
        ("2024-03-01", FieldType.DATE, [["1 March 2024"]]),
        ("2024-04-03", FieldType.DATE, [["03/04/2024"]]),
        ("2024-03-04", FieldType.DATE, [["03/04/2024"]]),
        (1234.5, FieldType.CURRENCY, [["1.234,50"]]),
        (5, FieldType.NUMBER, [["5"], ["-5.00"]]),
        (19, FieldType.NUMBER, [["19%"]]),
        (True, FieldType.BOOLEAN, []),
        (None, FieldType.TEXT, []),
        ("", FieldType.TEXT, []),
        (99, FieldType.NUMBER, []),
    ],
)
def test_a_value_is_found_in_any_spelling(value: Any, kind: FieldType, expected: list[list[str]]) -> None:
    assert texts(value, kind) == expected


def test_a_value_over_two_lines_has_a_place_on_each() -> None:
    (place,) = Lookup(document()).places("Söhne GmbH Invoice RE-2024/17 Hauptstrasse 5", FieldType.TEXT)
    assert [one.text for one in place] == ["Söhne GmbH Invoice RE-2024/17", "Hauptstrasse 5"]
    assert [one.page for one in place] == [3, 3]
    assert place[0].box.left == pytest.approx(0.2)
    assert place[1].box.right == pytest.approx(0.19)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Netto 12 500:-", 12500),
        ("Total 1,23,456/-", 123456),
        ("合計 123,456円", 123456),
        ("Sum $1,333.26*", 1333.26),
    ],
)
def test_amounts_are_found_with_the_marks_beside_them(line: str, value: float) -> None:
    words = [Word(word, Box(0.1 * at, 0.1, 0.09, 0.03)) for at, word in enumerate(line.split())]
    printed = Document("text/plain", [Page(1, 595, 842, [Line(tuple(words), Box(0, 0.1, 0.5, 0.03))])], 1)
    (place,) = Lookup(printed).places(value, FieldType.CURRENCY)
    assert place[0].text == line.partition(" ")[2]
