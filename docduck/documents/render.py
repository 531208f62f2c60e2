"""Pages of any file as pictures."""

from __future__ import annotations

from PIL import Image

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import draw, page_count
from docduck.errors import InputError

MAX_WIDTH = 10_000
"""Largest width of a picture, in pixels."""

_TRANSPOSE = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}


def render_page(
    data: bytes,
    number: int,
    width: int = 1000,
    turn: float = 0.0,
    name: str = "",
    password: str | None = None,
) -> Image.Image:
    """Return page ``number`` (from 1) as an RGB picture ``width`` pixels wide.

    ``turn`` is ``Page.turn``: the picture is turned so that the page's boxes fit it. Raise ``InputError`` for
    a page that does not exist, ``UnsupportedFile``, ``EncryptedFile``, ``DamagedFile``.
    """
    options = ReadOptions(password=password)
    count = page_count(data, name, options)
    if not 1 <= number <= count:
        raise InputError(f"There is no page {number}; the file has {count}", path="page")
    if not 1 <= width <= MAX_WIDTH:
        raise InputError(f"A width of {width} pixels can't be drawn; choose 1–{MAX_WIDTH}", path="width")
    picture = draw(data, name, number, width, options)
    quarters = round(turn / 90)
    if quarters % 4:
        picture = picture.transpose(_TRANSPOSE[quarters % 4])
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    skew = turn - 90 * quarters
    return picture.rotate(-skew, Image.Resampling.BICUBIC, fillcolor="white") if skew else picture
