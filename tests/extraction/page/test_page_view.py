"""The segments of a page."""

from __future__ import annotations

from docduck.extraction.page.page_view import views_of
from tests.extraction.pages import document, page, right, words


def test_dots_between_a_label_and_its_value_are_part_of_neither() -> None:
    one = page(
        words(40, 100, "Begravningsavgift ........"), right(560, 100, "........................ 1 023 kr"),
        words(40, 140, "............................................"),
        words(40, 180, "Karta .... 12"),
    )  # fmt: skip
    found = [segment.text for segment in views_of(document(one)).segments]
    assert found == ["Begravningsavgift", "1 023 kr", "Karta .... 12"]
