"""The segments of a page."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("合計：￥123,456", ["合計:", "￥123,456"]),
        ("合計￥123,456", ["合計", "￥123,456"]),
        ("ご請求金額：62,040円（税込）", ["ご請求金額:", "62,040円", "(税込)"]),
        ("消費税（10%）：5,640円", ["消費税", "(10%):", "5,640円"]),
        ("請求日2024年7月31日", ["請求日", "2024年7月31日"]),
        ("金额（元）", ["金额", "(元)"]),
        ("株式会社山田御中", ["株式会社山田", "御中"]),
        ("Nr.:4711", ["Nr.:", "4711"]),
        ("東京都港区1-2-3", ["東京都港区1-2-3"]),
        ("https://example.com/請求日1", ["https://example.com/請求日1"]),
    ],
)
def test_words_without_blanks_are_cut(word: str, tokens: list[str]) -> None:
    (segment,) = views_of(document(page(words(40, 100, word)))).segments
    assert [token.text for token in segment.tokens] == tokens
    assert segment.tokens[-1].right == pytest.approx(40 + 5 * len(word))
