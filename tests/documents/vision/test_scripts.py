"""Pages in a Western script are read with its characters, unless others are clearly in print."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw

from docduck.documents.document import Box
from docduck.documents.vision.ocr_page import ocr_page
from docduck.documents.vision.scripts import (
    has_east_asian_letters,
    is_east_asian,
    is_western_page,
    western_form,
)
from docduck.documents.vision.text_recognition import read_boxes
from tests.documents.formats.files import picture

Strokes = Sequence[tuple[float, float, float, float]]

STAR: Strokes = [(0.5, 0, 0.5, 1), (0, 0.5, 1, 0.5), (0.15, 0.15, 0.85, 0.85), (0.15, 0.85, 0.85, 0.15)]
MOUNTAIN: Strokes = [(0.5, 0, 0.5, 1), (0, 0.4, 0, 1), (1, 0.4, 1, 1), (0, 1, 1, 1)]
WORK: Strokes = [(0.1, 0, 0.9, 0), (0.5, 0, 0.5, 1), (0, 1, 1, 1)]
KING: Strokes = [(0, 0, 1, 0), (0.1, 0.5, 0.9, 0.5), (0, 1, 1, 1), (0.5, 0, 0.5, 1)]
CROSSED_BOX: Strokes = [
    (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (0.2, 0.2, 0.8, 0.8), (0.2, 0.8, 0.8, 0.2),
]  # fmt: skip
NAME = (MOUNTAIN, WORK, KING)


def drawn(image: Image.Image, signs: Sequence[Strokes]) -> Image.Image:
    """Return ``image`` with ``signs`` of 30 pixels below its text."""
    pen = ImageDraw.Draw(image)
    for place, sign in enumerate(signs):
        left = 80 + 40 * place
        for x0, y0, x1, y1 in sign:
            pen.line((left + x0 * 30, 450 + y0 * 30, left + x1 * 30, 450 + y1 * 30), fill="black", width=3)
    return image


def words(image: Image.Image) -> list[str]:
    return [word.text for word in ocr_page(image, "full", 1).words]


@pytest.mark.slow
def test_ornaments_on_a_western_page_are_not_ideographs() -> None:
    image = drawn(picture(), [STAR] * 5)
    assert "*****" in words(image)
    assert not any(map(is_east_asian, "".join(words(image))))


@pytest.mark.slow
def test_an_ideographic_name_on_a_western_page_is_kept() -> None:
    assert "山工王" in words(drawn(picture(), NAME))


def test_a_page_of_ideographs_is_read_as_such() -> None:
    assert words(drawn(picture(()), NAME)) == ["山工王"]


@pytest.mark.slow
def test_crossed_boxes_are_check_marks() -> None:
    image = drawn(picture(), [CROSSED_BOX])
    assert "☒" in words(image)


def test_text_at_known_places_is_in_the_script_of_most() -> None:
    image = drawn(picture(), [MOUNTAIN])
    invoice, sign = read_boxes(image, [Box(0.06, 0.07, 0.5, 0.09), Box(0.07, 0.62, 0.05, 0.09)], 1)
    assert invoice[0].startswith("INVOICE")
    assert "山" not in sign[0]


@pytest.mark.parametrize("character", ["米", "カ", "ｶ", "：", "￥", "。"])
def test_east_asian_characters(character: str) -> None:
    assert is_east_asian(character)


@pytest.mark.parametrize("character", ["", " ", "é", "ł", "Ω", "×", "°", "€", "₩", "…", "☒", "✓", "•"])
def test_other_characters(character: str) -> None:
    assert not is_east_asian(character)


@pytest.mark.parametrize(
    ("character", "form"),
    [
        ("：", ":"),
        ("￥", "¥"),
        ("Ａ", "A"),
        ("冈", "☒"),
        ("口", "□"),
        ("é", "é"),
        ("", ""),
        ("米", None),
        ("。", None),
    ],
)
def test_characters_on_western_pages(character: str, form: str | None) -> None:
    assert western_form(character) == form


@pytest.mark.parametrize(
    ("text", "western"),
    [
        ("Total 12.00", True),
        ("Total amount 米", True),
        ("12：00", True),
        ("合計 1,200", False),
        ("発票 INVOICE", False),
    ],
)
def test_a_page_is_western_by_its_letters(text: str, western: bool) -> None:
    assert is_western_page(text) is western


def test_single_and_unsure_ideographs_are_not_in_print() -> None:
    assert has_east_asian_letters("山工 Ltd", (0.95, 0.97, 0.9, 0.5, 0.5, 0.5))
    assert not has_east_asian_letters("山 Ltd", (0.99, 0.9, 0.9, 0.9, 0.9))
    assert not has_east_asian_letters("山工", (0.95, 0.6))
    assert not has_east_asian_letters("：：", (0.99, 0.99))
