"""Pictures of pages and of values, thumbnails, and words of pages."""

from __future__ import annotations

import io
import json
import os
from typing import Any

import pytest
from PIL import Image, ImageDraw

from docduck.documents.document import Box
from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.previews import page_source
from docduck.service.previews.page_images import MOST_BYTES, Region, page_image, region_of, value_region
from docduck.service.previews.page_source import has_pages
from docduck.service.previews.page_views import WIDTHS, count_pages, page_picture, page_words
from docduck.service.previews.thumbnails import thumbnail
from tests.service.core.documents import add, complete, make_parser, upload
from tests.service.processing.threads import at_once


def noise(width: int, height: int) -> bytes:
    """A PNG that JPEG can't make small."""
    buffer = io.BytesIO()
    Image.frombytes("RGB", (width, height), os.urandom(3 * width * height)).save(buffer, "PNG")
    return buffer.getvalue()


def test_a_picture_is_small_whatever_the_page(inst: Installation) -> None:
    parser = make_parser(inst)
    document = upload(inst, inst.team_id, parser.id, noise(800, 800), "a.png")
    for part, ratio in ((None, 1), (Box(0.5, 0.5, 0.5, 0.25), 2)):
        jpeg = page_image(inst, inst.team_id, parser.id, document, Region(1, part), 800)
        assert len(jpeg) <= MOST_BYTES
        picture = Image.open(io.BytesIO(jpeg))
        assert picture.format == "JPEG"
        assert picture.width / picture.height == pytest.approx(ratio, abs=0.02)


def test_a_part_shows_the_value_and_what_is_before_it(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    page = Image.new("RGB", (1000, 1000), "white")
    page.paste("black", (100, 200, 400, 250))
    buffer = io.BytesIO()
    page.save(buffer, "PNG")
    document = upload(inst, inst.team_id, parser.id, buffer.getvalue(), "a.png")
    # The extraction's value lies where the picture is black.
    complete(inst, parser)
    region = value_region(inst, inst.team_id, parser.id, document, "total", None)
    assert region.page == 1
    assert region.part is not None
    assert (region.part.left, region.part.width) == (0.0, 0.5)
    assert (region.part.top, region.part.height) == pytest.approx((0.14, 0.14))
    jpeg = page_image(inst, inst.team_id, parser.id, document, region, 800)
    shown = Image.open(io.BytesIO(jpeg)).convert("L")
    assert shown.width == 800
    assert shown.height == pytest.approx(800 * 0.14 / 0.5, abs=2)
    assert shown.getpixel((400, 136)) < 20  # type: ignore[operator]
    assert shown.getpixel((400, 40)) > 235  # type: ignore[operator]
    monkeypatch.setattr(page_source, "view_page", pytest.fail)
    assert page_image(inst, inst.team_id, parser.id, document, region, 800) == jpeg


def test_values_are_named(inst: Installation) -> None:
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    complete(inst, parser)

    def region(field: str, row: int | None = None) -> Region:
        return value_region(inst, inst.team_id, parser.id, document, field, row)

    ids = {field.name: str(field.id) for field in parser.fields}
    assert region("Number") == region(ids["Number"])
    assert region("Line Items.Amount", 2).page == region("Line Items", 1).page == 1
    for field, row, told in (
        ("Nothing", None, "Unknown field"),
        ("Line Items.Amount", 3, "has 2 rows"),
        ("Line Items.Amount", None, "has 2 rows"),
        ("Tags", None, "has no place"),
    ):
        with pytest.raises(InputError, match=told):
            region(field, row)
    other = create_team(inst, "Other").id
    for team_id, page in ((inst.team_id, 2), (other, 1)):
        with pytest.raises(NotFound):
            page_image(inst, team_id, parser.id, document, Region(page), 800)
    with pytest.raises(NotFound):
        value_region(inst, other, parser.id, document, "Total", None)


def test_a_place_outside_the_page_is_shown_at_its_edge() -> None:
    place = {"page": 2, "bbox": {"left": 1.9, "top": -0.4, "width": 0.1, "height": 0.01}}
    region = region_of([place])
    assert region is not None and region.part is not None
    assert 0 <= region.part.left < region.part.right <= 1
    assert 0 <= region.part.top < region.part.bottom <= 1


def document(inst: Installation, data: bytes, name: str = "a.txt", parser: str = "Invoices") -> str:
    return upload(inst, inst.team_id, make_parser(inst, parser).id, data, name)


def scan() -> bytes:
    picture = Image.new("RGB", (300, 100), "white")
    ImageDraw.Draw(picture).rectangle((0, 0, 150, 100), fill="black")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def test_a_page_is_drawn_once(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = document(inst, scan(), "a.png")
    drawn = {width: page_picture(inst, inst.team_id, document_id, 1, width) for width in WIDTHS}
    monkeypatch.setattr(page_source, "view_page", pytest.fail)
    for width, first in drawn.items():
        shown = Image.open(io.BytesIO(first))
        assert (shown.format, shown.size) == ("WEBP", (width, round(width / 3)))
        left, right = shown.getpixel((width // 4, 20)), shown.getpixel((width * 3 // 4, 20))
        assert isinstance(left, tuple)
        assert isinstance(right, tuple)
        assert left[0] < 20 < 235 < right[0]
        assert page_picture(inst, inst.team_id, document_id, 1, width) == first


def test_words_have_places(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = document(inst, b"Invoice A-17\nTotal 119.00\n")
    first = page_words(inst, inst.team_id, document_id, 1)
    lines: list[list[list[Any]]] = json.loads(first)["lines"]
    assert [[word[0] for word in line] for line in lines] == [["Invoice", "A-17"], ["Total", "119.00"]]
    for line in lines:
        for _, left, top, width, height in line:
            assert 0 <= left < left + width <= 1
            assert 0 <= top < top + height <= 1
    monkeypatch.setattr(page_source, "view_page", pytest.fail)
    assert page_words(inst, inst.team_id, document_id, 1) == first


def test_what_cannot_be_shown_is_not_found(inst: Installation) -> None:
    team_id, shown = inst.team_id, document(inst, b"Invoice")
    broken = document(inst, b"%PDF-1.7\nbroken", "a.pdf", "Broken")
    unknown = document(inst, b"\x00\x01\x02\x03" * 50, "a.pdf", "Unknown")
    for team, one, number, width in (
        (team_id, broken, 1, 800),
        (team_id, unknown, 1, 800),
        (team_id, shown, 0, 800),
        (team_id, shown, 1, 801),
        (team_id, new_id(), 1, 800),
        (create_team(inst, "Other").id, shown, 1, 800),
    ):
        with pytest.raises(NotFound):
            page_picture(inst, team, one, number, width)
    for one in (broken, unknown):
        with pytest.raises(NotFound):
            page_words(inst, team_id, one, 1)
    assert count_pages(inst, team_id, document(inst, b"one\ftwo\fthree", parser="Long")) == 3
    with pytest.raises(NotFound):
        count_pages(inst, team_id, new_id())


def picture(text: bytes) -> Image.Image:
    return Image.open(io.BytesIO(text))


def test_a_thumbnail_is_drawn_once_and_kept(inst: Installation) -> None:
    parser, file = make_parser(inst), io.BytesIO()
    Image.new("L", (100, 2000)).save(file, "PNG")
    high = upload(inst, inst.team_id, parser.id, file.getvalue(), "a.png")
    ids = add(inst, parser, 3)
    drawn: dict[str, bytes] = {}
    # They share the worker.
    at_once(*(lambda one=one: drawn.update({one: thumbnail(inst, one)}) for one in (high, *ids)))
    assert picture(drawn.pop(high)).size == (240, 720), "at most three times as high as wide"
    assert [(picture(one).format, picture(one).width) for one in drawn.values()] == [("JPEG", 240)] * 3
    for kept in (inst.settings.home / "cache").rglob("*.jpg"):
        kept.write_bytes(b"kept")
    assert thumbnail(inst, high) == b"kept"


def test_what_cannot_be_drawn_has_none_and_is_not_tried_again(inst: Installation) -> None:
    parser = make_parser(inst)
    broken = upload(inst, inst.team_id, parser.id, b"%PDF-1.7\nbroken", "a.pdf")
    unknown = upload(inst, inst.team_id, parser.id, b"\x00\x01\x02\x03" * 50, "a.bin")
    assert not has_pages("application/octet-stream")
    for document_id in (broken, broken, unknown, new_id()):
        with pytest.raises(NotFound):
            thumbnail(inst, document_id)
    (kept,) = (inst.settings.home / "cache").rglob("*.jpg")
    assert kept.stat().st_size == 0
