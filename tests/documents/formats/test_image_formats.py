"""Every format, mode and orientation of pictures, without OCR: what is drawn where."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from docduck.documents.detection.sniff import content_type
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.documents.render import render_page
from docduck.errors import DamagedFile, DocumentError
from tests.documents.formats.files import encoded

NO_OCR = ReadOptions(ocr="none")


def marked() -> Image.Image:
    """Return white, 400 × 300, with a dark upper left corner."""
    image = Image.new("RGB", (400, 300), "white")
    image.paste((60, 0, 0), (0, 0, 200, 100))
    return image


def heic(image: Image.Image, exif: Image.Exif | None = None, more: tuple[Image.Image, ...] = ()) -> bytes:
    file = pillow_heif.from_pillow(image)
    for other in more:
        file.add_from_pillow(other)
    buffer = io.BytesIO()
    file.save(buffer, exif=exif.tobytes() if exif else None)
    return buffer.getvalue()


def dark_corners(data: bytes) -> list[bool]:
    """Return which corners are dark, clockwise from the upper left."""
    image = render_page(data, 1, 200).convert("L")
    right, low = image.width - 6, image.height - 6
    return [image.getpixel(place) < 128 for place in ((5, 5), (right, 5), (right, low), (5, low))]  # type: ignore[operator]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", "AVIF", "HEIC"])
@pytest.mark.parametrize(("orientation", "corner"), [(1, 0), (3, 2), (6, 1), (8, 3)])
def test_pictures_stand_as_their_exif_says(kind: str, orientation: int, corner: int) -> None:
    exif = Image.Exif()
    exif[0x112] = orientation
    data = heic(marked(), exif) if kind == "HEIC" else encoded(marked(), kind, exif=exif)
    assert content_type(data) == f"image/{kind.lower()}"
    assert dark_corners(data) == [index == corner for index in range(4)]
    (page,) = read(data, "", NO_OCR).pages
    assert (page.width > page.height) == (orientation in (1, 3))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "YCbCr", "LAB", "I;16", "F"])
def test_every_mode_comes_out_the_same(mode: str) -> None:
    if mode in ("I;16", "F"):
        grey = np.asarray(marked().convert("L"))
        image = Image.fromarray(grey.astype(np.uint16) * 16 if mode == "I;16" else grey.astype(np.float32))
    else:
        image = marked().convert(mode)
    assert dark_corners(encoded(image, "TIFF")) == [True, False, False, False]


def test_transparency_is_white() -> None:
    image = Image.new("RGBA", (400, 300), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 200, 100))
    assert dark_corners(encoded(image, "PNG")) == [True, False, False, False]


@pytest.mark.parametrize(
    "compression",
    [
        "raw",
        "group3",
        "group4",
        "tiff_ccitt",
        "packbits",
        "tiff_lzw",
        "tiff_adobe_deflate",
        "jpeg",
        "zstd",
        "lzma",
    ],
)
def test_tiffs_of_many_pages_and_every_compression(compression: str) -> None:
    image = marked().convert("1") if "group" in compression or "ccitt" in compression else marked()
    data = encoded(
        image, "TIFF", compression=compression, save_all=True, append_images=[image.rotate(180)] * 2
    )
    assert read(data, "", NO_OCR).page_count == 3
    assert dark_corners(data) == [True, False, False, False]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "HEIC", "PNG"])
def test_every_frame_is_a_page(kind: str) -> None:
    other = marked().rotate(180)
    data = (
        heic(marked(), more=(other,))
        if kind == "HEIC"
        else encoded(marked(), kind, save_all=True, append_images=[other])
    )
    assert [page.number for page in read(data, "", NO_OCR).pages] == [1, 2]


def test_films_are_no_pictures() -> None:
    film = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + b"\x00" * 64
    assert content_type(film) not in ("image/heic", "image/avif")
    assert (
        content_type(b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf" + b"\x00" * 64) == "image/avif"
    )
    assert content_type(b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic" + b"\x00" * 64) == "image/heic"


@pytest.mark.parametrize("kind", ["PNG", "AVIF", "HEIC"])
def test_a_picture_of_too_many_pixels_is_refused(kind: str) -> None:
    data = heic(marked()) if kind == "HEIC" else encoded(marked(), kind)
    with pytest.raises(DamagedFile):
        read(data, "", ReadOptions(ocr="none", max_pixels=100_000))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP", "AVIF", "HEIC"]), st.data())
def test_damaged_pictures_never_raise_anything_else(kind: str, data: st.DataObject) -> None:
    small = marked().resize((40, 30))
    raw = bytearray(heic(small) if kind == "HEIC" else encoded(small, kind))
    for _ in range(data.draw(st.integers(0, 5))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(DocumentError):
        read(bytes(raw[: data.draw(st.integers(1, len(raw)))]), "", NO_OCR)
