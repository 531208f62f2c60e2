"""Pages as pictures, and page counts; ``markdown`` is at hand here as well."""

from __future__ import annotations

import io

from PIL import Image

from docduck.documents.detection.sniff import content_type as sniff
from docduck.documents.formats.pdf.reader import PdfReader
from docduck.documents.page_markdown import markdown as markdown
from docduck.documents.reader import reader_for
from docduck.errors import DamagedFile, DocduckError, InputError

MAX_WIDTH = 10_000
"""Pixels; a wider picture of a page serves nobody."""


def page_count(data: bytes, content_type: str, password: str | None = None) -> int:
    """The number of pages, without reading text; ``password`` is for PDFs.

    Raises ``UnsupportedFile``, ``EncryptedFile`` or ``DamagedFile``.
    """
    reader = reader_for(content_type)
    try:
        if isinstance(reader, PdfReader):
            return reader.page_count(data, password)
        return reader.page_count(data)
    except (DocduckError, MemoryError):
        raise
    except Exception as error:
        raise DamagedFile(f"{content_type}: {type(error).__name__}: {error}") from error


def render_page(
    data: bytes,
    number: int,
    width: int = 1000,
    turn: float = 0.0,
    name: str = "",
    password: str | None = None,
) -> Image.Image:
    """Page ``number`` (from 1) as an RGB picture ``width`` pixels wide.

    ``turn`` is the page's own (``Page.turn``): with it the picture stands as the boxes mean it. ``name`` and
    ``password`` are those that were given to ``read``. Raises ``InputError`` for a page that isn't there,
    ``UnsupportedFile``, ``EncryptedFile``, ``DamagedFile``.
    """
    kind = sniff(data, name)
    count = page_count(data, kind, password)
    if not 1 <= number <= count:
        raise InputError(f"There is no page {number}; the file has {count}", path="page")
    if not 1 <= width <= MAX_WIDTH:
        raise InputError(f"A width of {width} pixels can't be drawn; choose 1–{MAX_WIDTH}", path="width")
    quarters = round(turn / 90)
    try:
        reader = reader_for(kind)
        if isinstance(reader, PdfReader):
            picture = reader.render(data, number, width, password)
        else:
            picture = reader.render(data, number, width)
    except (DocduckError, MemoryError):
        raise
    except Exception as error:
        raise DamagedFile(f"{kind}: {type(error).__name__}: {error}") from error
    if quarters % 4:
        picture = picture.transpose(_TRANSPOSE[quarters % 4])
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    skew = turn - 90 * quarters
    return picture.rotate(-skew, Image.Resampling.BICUBIC, fillcolor="white") if skew else picture


def thumbnail(
    data: bytes,
    page: int = 1,
    width: int = 240,
    turn: float = 0.0,
    name: str = "",
    password: str | None = None,
) -> bytes:
    """A small JPEG of ``page`` (from 1), ``width`` pixels wide and at most three times as high.

    A longer page is shown by its beginning. Arguments and errors are those of ``render_page``.
    """
    picture = render_page(data, page, width, turn, name, password)
    picture = picture.crop((0, 0, width, min(picture.height, 3 * width)))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=80, optimize=True)
    return buffer.getvalue()


_TRANSPOSE = {
    1: Image.Transpose.ROTATE_270,
    2: Image.Transpose.ROTATE_180,
    3: Image.Transpose.ROTATE_90,
}
