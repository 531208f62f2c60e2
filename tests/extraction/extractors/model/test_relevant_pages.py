from __future__ import annotations

from docduck.documents.document import Page
from docduck.extraction.extractors.model.relevant_pages import relevant_pages
from docduck.fields import Field, parse_fields
from tests.extraction.pages import page, words

ROOM = 200


def contract() -> list[Page]:
    filler = "the parties agree that what follows applies to all of the goods that were ordered"
    lines = [words(40, 60 + 14 * row, filler) for row in range(6)]
    pages = []
    for number in range(1, 31):
        first = {7: "Governing law is that of Malta", 21: "Liability is limited to 5000 EUR"}
        placed = [words(40, 40, first.get(number, f"Section {number}")), *lines]
        pages.append(page(*placed[: 3 if number in first else None], number=number))
    return pages


def numbers(fields: list[Field], room: int = ROOM) -> list[int]:
    return [shown.number for shown in relevant_pages(contract(), fields, room)]


def test_pages_with_the_words_of_the_fields_are_shown() -> None:
    fields = parse_fields([{"name": "Governing law"}, {"name": "Limit of liability"}])
    assert numbers(fields) == [7, 21]


def test_all_pages_are_shown_where_they_fit() -> None:
    assert numbers(parse_fields([{"name": "Governing law"}]), 100_000) == list(range(1, 31))


def test_all_pages_are_shown_for_a_table_or_if_no_page_has_the_words() -> None:
    table = [{"name": "Governing law"}, {"name": "Rows", "type": "table", "columns": [{"name": "Item"}]}]
    assert numbers(parse_fields(table)) == list(range(1, 31))
    assert numbers(parse_fields([{"name": "Zebra"}])) == list(range(1, 31))


def test_a_page_that_does_not_fit_is_not_the_only_one_that_is_left() -> None:
    assert numbers(parse_fields([{"name": "Governing law"}]), 10) == list(range(1, 31))
