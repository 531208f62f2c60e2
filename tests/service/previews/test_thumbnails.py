from __future__ import annotations

import io
import threading

import pytest
from PIL import Image

from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import has_pages
from docduck.service.previews.thumbnails import thumbnail
from tests.service.core.documents import add, make_parser, upload


def picture(text: bytes) -> Image.Image:
    return Image.open(io.BytesIO(text))


def test_a_thumbnail_is_drawn_once_and_kept(inst: Installation) -> None:
    (document_id,) = add(inst, make_parser(inst))
    first = thumbnail(inst, document_id)
    shown = picture(first)
    assert (shown.format, shown.width) == ("JPEG", 240)
    (kept,) = (inst.settings.home / "cache").rglob("*.jpg")
    kept.write_bytes(b"kept")
    assert thumbnail(inst, document_id) == b"kept"


def test_a_thumbnail_is_at_most_three_times_as_high_as_wide(inst: Installation) -> None:
    parser, file = make_parser(inst), io.BytesIO()
    Image.new("L", (100, 2000)).save(file, "PNG")
    document_id = upload(inst, inst.team_id, parser.id, file.getvalue(), "a.png")
    assert picture(thumbnail(inst, document_id)).size == (240, 720)


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


def test_threads_share_the_worker(inst: Installation) -> None:
    ids = add(inst, make_parser(inst), 4)
    drawn: list[bytes] = []
    threads = [threading.Thread(target=lambda one=one: drawn.append(thumbnail(inst, one))) for one in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [picture(one).width for one in drawn] == [240] * 4
