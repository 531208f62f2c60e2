"""Which value each field is given, of all that could answer it."""

from __future__ import annotations

import pytest

from docduck.extraction.explanation import explain_document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.chooser.chooser import Chooser, Rated, assign, trees
from docduck.extraction.extractors.layout.chooser.trees import Least
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.extraction.run_extractors import extract_document, run_extractors
from docduck.fields import Field, FieldType
from tests.extraction.pages import text_document

LEAST = Least(0.3, 0.3)
PAGE = text_document(
    "DELIVERY NOTE",
    "",
    "Order date:  03.04.2024",
    "",
    "Zorvap:  11.05.2024",
    "",
    "Quemil:  12.06.2024",
    "",
    "Delivery date:  14.07.2024",
)
ORDERED, DELIVERED = (Field(name=name, type=FieldType.DATE) for name in ("Order date", "Delivery date"))
TEXT = Field(name="Zorvap", type=FieldType.TEXT)


def test_the_likeliest_is_decided_first_and_a_place_has_one_field() -> None:
    some = [
        Rated("A", 0, 0.5, "here"),
        Rated("A", 1, 0.4, "there"),
        Rated("B", 0, 0.55, "here"),
        Rated("C", 0, 0.2, "elsewhere"),
    ]
    assert {name: one.number for name, one in assign(some, LEAST).items()} == {"B": 0, "A": 1}


def test_sure_answers_may_share_a_place_and_values_without_one_are_not_rivals() -> None:
    sure = [Rated("A", 0, 0.9, "here"), Rated("B", 0, 0.8, "here")]
    assert set(assign(sure, LEAST)) == {"A", "B"}
    placeless = [Rated("A", 0, 0.5, None), Rated("B", 0, 0.4, None)]
    assert set(assign(placeless, LEAST)) == {"A", "B"}


def test_what_was_found_needs_less_than_what_nothing_else_found() -> None:
    some = [Rated("A", 0, 0.3, "here", is_found=True), Rated("B", 0, 0.3, "there")]
    assert set(assign(some, Least(new=0.4, kept=0.2))) == {"A"}


def test_fields_that_labels_name_are_sure() -> None:
    found = extract_document(PAGE, [ORDERED, DELIVERED])
    assert found.data == {"Order date": "2024-04-03", "Delivery date": "2024-07-14"}
    assert all(entry["confidence"] > 0.5 for entry in found.field_metadata.values())


def test_a_value_of_another_type_is_no_answer() -> None:
    field = Field(name="Krelto", type=FieldType.CURRENCY)
    assert extract_document(PAGE, [ORDERED, field]).data["Krelto"] is None


def test_what_a_file_states_and_what_is_absent_is_left_alone() -> None:
    findings = run_extractors([ORDERED, DELIVERED], PAGE, ExtractOptions())
    assert isinstance(findings.chooser, Chooser)
    assert set(findings.chooser.matrix(findings).offers) == {"Order date", "Delivery date"}
    stated = Findings({"Order date": Finding("2020-01-01", 1.0, source="structured")})
    stated.absent.add("Delivery date")
    assert findings.chooser.choose(stated) == {}


def test_a_value_found_without_a_place_on_the_page_can_be_kept() -> None:
    findings = run_extractors([ORDERED], PAGE, ExtractOptions())
    findings.scalars["Order date"] = Finding("1999-12-31", 0.9)
    assert isinstance(findings.chooser, Chooser)
    offers = findings.chooser.matrix(findings).offers["Order date"]
    (kept,) = [offer for offer in offers if offer.is_found]
    assert (kept.value, kept.place) == ("1999-12-31", None)


def test_the_three_likeliest_values_are_told_with_what_speaks_for_them() -> None:
    explained = explain_document([ORDERED, DELIVERED, TEXT], PAGE)
    ordered = explained["Order date"]
    assert len(ordered) == 3
    assert ordered[0].value == "2024-04-03" and ordered[0].page == 1
    chances = [place.probability for place in ordered]
    assert chances == sorted(chances, reverse=True) and chances[0] > trees().least.new
    assert all(place.reasons and place.reasons[0].adds for place in ordered)


@pytest.mark.parametrize("fields", [[], [Field(name="Krelto", type=FieldType.LIST)]])
def test_without_a_field_to_choose_for_nothing_is_told(fields: list[Field]) -> None:
    assert explain_document(fields, PAGE) == {}
