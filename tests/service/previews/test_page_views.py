"""Pictures and words of pages."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image, ImageDraw

from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.previews import page_source
from docduck.service.previews.page_views import WIDTHS, count_pages, page_picture, page_words
from tests.service.core.documents import make_parser, upload


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


def test_pages_are_counted_before_a_document_is_read(inst: Installation) -> None:
    assert count_pages(inst, inst.team_id, document(inst, b"one\ftwo\fthree")) == 3
    with pytest.raises(NotFound):
        count_pages(inst, inst.team_id, new_id())
