"""Fields that no label names: which of the places that are left they are given."""

from __future__ import annotations

import pytest

from docduck.extraction.extractors.layout.labelled.remaining import FEATURES, NONE, unlabelled_places, weights
from docduck.extraction.page.page_view import views_of
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from tests.extraction.extractors.layout.labelled.test_assignment import document, spread
from tests.extraction.pages import text_document
from tools.training.queried_looks import HELD_OUT, asked_look
from tools.training.remaining_fit import accuracy, examples

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
UNKNOWN = [Field(name=name, type=FieldType.DATE) for name in ("Krelto", "Dusnara")]
KNOWN = [Field(name=name, type=FieldType.DATE) for name in ("Order date", "Delivery date")]


def test_fields_with_unknown_names_are_answered_in_their_order() -> None:
    first, second = UNKNOWN
    found = extract_document(PAGE, [KNOWN[0], first, second, KNOWN[1]])
    assert found.data == {
        "Order date": "2024-04-03",
        "Krelto": "2024-05-11",
        "Dusnara": "2024-06-12",
        "Delivery date": "2024-07-14",
    }
    known, unknown = (found.field_metadata[name]["confidence"] for name in ("Order date", "Krelto"))
    assert unknown < known


def test_a_place_that_a_label_gives_to_a_field_is_left_to_it() -> None:
    found = extract_document(text_document("Order date:  03.04.2024"), [UNKNOWN[0], KNOWN[0]])
    assert found.data == {"Krelto": None, "Order date": "2024-04-03"}


def test_a_value_of_another_type_is_no_answer() -> None:
    field = Field(name="Krelto", type=FieldType.CURRENCY)
    assert extract_document(PAGE, [KNOWN[0], field, KNOWN[1]]).data["Krelto"] is None


def test_lines_of_a_letterhead_and_a_footer_are_places_without_a_label() -> None:
    footer = "Renseri Syd ApS · Vesterbrogade 88 · 1620 København V · CVR 31 44 82 07"
    slip = document(
        *spread(60, 60, "RENSERI SYD"),
        *spread(60, 120, "11-03-2024 kl. 17:42"), *spread(300, 120, "eksp.: Karina"),
        *spread(60, 160, "Skjorter"), *spread(300, 160, "212,00"),
        *spread(60, 800, footer),
    )  # fmt: skip
    found = {one.segment.text for one in unlabelled_places(views_of(slip).pages[0])}
    assert {"11-03-2024 kl. 17:42", footer} <= found


def test_the_weights_are_those_of_the_features() -> None:
    fitted = weights()
    assert (len(fitted.places), len(fitted.none)) == (len(FEATURES), len(NONE))
    assert fitted.places[FEATURES.index("in_order")] > 0.0


@pytest.mark.extended
def test_most_answers_are_right_on_looks_that_they_were_not_fitted_to() -> None:
    some = [one for seed in range(0, 150 * HELD_OUT, HELD_OUT) for one in examples(*asked_look(seed))]
    possible, answered, right = accuracy(some, weights())
    assert answered >= 0.1 * possible
    assert right >= 0.65 * answered


@pytest.mark.parametrize(
    ("name", "label"),
    [("Date of birth", "Inspection date"), ("Delivery date", "Date"), ("PO number", "PO Box")],
)
def test_a_label_that_says_something_else_answers_nothing(name: str, label: str) -> None:
    text = f"{label}:  11.05.2024" if "ate" in name else f"{label}:  809171"
    kind = FieldType.DATE if "ate" in name else FieldType.TEXT
    assert extract_document(text_document("Notice", "", text), [Field(name=name, type=kind)]).data == {
        name: None
    }


@pytest.mark.slow
def test_very_many_fields_are_not_guessed() -> None:
    lines = [f"Zorvap{row}:  {row % 28 + 1:02}.05.2024" for row in range(50)]
    fields = [Field(name=f"Krelto{at}", type=FieldType.DATE) for at in range(200)]
    assert set(extract_document(text_document(*lines), fields).data.values()) == {None}
