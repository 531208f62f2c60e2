"""Small pictures of pages and values."""

from __future__ import annotations

import io
import os

import pytest
from PIL import Image

from docduck.documents.document import Box
from docduck.errors import InputError, NotFound
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.previews import page_source
from docduck.service.previews.page_images import MOST_BYTES, Region, page_image, region_of, value_region
from tests.service.core.documents import add, complete, make_parser, upload


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
