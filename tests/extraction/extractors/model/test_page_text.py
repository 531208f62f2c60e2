from __future__ import annotations

from docduck.extraction.extractors.model.page_text import page_rows
from tests.extraction.pages import page, words


def test_columns_stay_below_each_other_and_an_empty_cell_is_a_gap() -> None:
    shown = page(
        words(40, 40, "Item"), words(200, 40, "Quantity"), words(400, 40, "Amount"),
        words(40, 54, "Rope"), words(200, 54, "2"), words(400, 54, "40.00"),
        words(40, 68, "Anchor"), words(400, 68, "60.00"),
    )  # fmt: skip
    head, rope, anchor = page_rows(shown)
    assert head.index("Amount") == rope.index("40.00") == anchor.index("60.00")
    assert rope.index("2") == head.index("Quantity")


def test_a_gap_parts_blocks() -> None:
    shown = page(words(40, 40, "Sender"), words(40, 54, "Street"), words(40, 100, "Dear"))
    assert page_rows(shown) == ["Sender", "Street", "", "Dear"]


def test_a_page_without_words_has_no_lines() -> None:
    assert page_rows(page()) == []
