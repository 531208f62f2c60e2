"""The sentences on a value say its source, its place, what speaks against it, and how sure it is."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Box
from docduck.extraction.result import Finding, Location
from docduck.fields import Field
from docduck.service.documents.values import Cell
from docduck.service.previews.explanations import explanation

TOTAL = Field(name="Total")
PLACE = Location(2, Box(0.8, 0.9, 0.1, 0.02), "119,00 €")


def cell(value: Any, *places: Location, **more: Any) -> Cell:
    return Cell(TOTAL, ("Total",), value, Finding(value, 0.95, places, **more).as_json())


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (cell(119, PLACE), "It was read from the page; “119,00 €” is printed on page 2, bottom right."),
        (cell(119, PLACE, source="ai"), "The language model named it; “119,00 €” is printed on page 2"),
        (cell(119, source="ai"), "The language model named it; no page shows it."),
        (cell(119, source="structured"), "The file states it as data; it has no place on a page."),
        (cell(119, source="learned"), "Corrected documents of the same look have it"),
    ],
)
def test_the_first_sentence_tells_source_and_place(read: Cell, sentence: str) -> None:
    said = explanation(read, 0.8)
    assert said[0].startswith(sentence)
    assert said[-1] == "Of values that are read with such evidence, 95 of 100 are right."


def test_what_speaks_against_it_and_where_it_was_learned_is_told() -> None:
    read = cell(119, PLACE, validation=[{"rule": "second_reading", "message": "Another reading found 19"}])
    assert explanation(read, 0.96, teacher="march.pdf", around="Total due\n119,00 €")[1:] == [
        "Beside or above it is printed: “Total due / 119,00 €”.",
        "Where it is was learned from march.pdf.",
        "Against it: Another reading found 19.",
        "Of values that are read with such evidence, 95 of 100 are right: it is unsure, as less than 96 are.",
    ]


def test_what_people_said_is_theirs() -> None:
    edited = {"edited": True, "editedBy": "1", "confidence": None}
    entered = Cell(TOTAL, ("Total",), 119, {**cell(119, PLACE).entry, **edited})
    assert explanation(entered, 0.8, editor="Ann")[0].startswith("Ann entered or confirmed it; “119,00 €” is")
    assert explanation(entered._replace(value=None), 0.8) == [
        "Somebody said that the document does not have it."
    ]


def test_an_empty_value_says_who_looked_for_it() -> None:
    empty = Cell(TOTAL.model_copy(update={"required": True}), ("Total",), None, {})
    assert explanation(empty, 0.8, was_asked=True) == [
        "Nothing was found for it, also by the language model.",
        "Against it: 'Total' is required and was not found.",
    ]
