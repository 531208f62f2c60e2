"""Pictures of documents: PNG, JPEG, TIFF of many pages, HEIC, AVIF and others. Their text is read by OCR."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
from PIL import Image, ImageOps

from docduck.documents.document import Document, Page
from docduck.documents.formats.page_reading import read_pages
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile

MAX_FRAMES = 2000
"""Frames of an animated picture counted as pages."""

_LONG_SIDE = 842.0
"""Points of the longer side of a picture without a resolution (A4's)."""


_LEAST_DPI = 100
"""A lower resolution is a default (72, 96) unrelated to paper."""


class ImageReader:
    """Reads pictures by OCR; every frame is a page."""

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of frames."""
        with _open(data, options.max_pixels) as image:
            return _frames(image)

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the frames read by OCR; one damaged frame of several becomes a warning."""
        with _open(data, options.max_pixels) as image:
            count = _frames(image)
            document = Document(content_type, [], count)

            def read(number: int) -> Page | None:
                try:
                    return _read_frame(image, number, options)
                except (OSError, SyntaxError, ValueError, DamagedFile) as error:
                    document.warnings.append(f"Page {number} could not be read: {error}")
                    return None

            numbers = options.page_numbers(count)
            document.pages += read_pages(numbers, read, options.max_words, document.warnings)
        return document

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a frame scaled to ``width`` pixels."""
        with _open(data, options.max_pixels) as image:
            picture = _frame(image, number, options.max_pixels)
        height = max(1, round(picture.height * width / picture.width))
        return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)


def size_of(data: bytes, max_pixels: int) -> tuple[int, int]:
    """Return width and height in pixels, by the picture's head; 0 and 0 if it can't be read."""
    try:
        with _open(data, max_pixels) as image:
            return image.size
    except (OSError, SyntaxError, ValueError, DamagedFile):
        return 0, 0


@contextmanager
def _open(data: bytes, max_pixels: int) -> Iterator[Image.Image]:
    with warnings.catch_warnings():
        # What Pillow would only warn of (odd metadata, large pictures) is checked here or does no harm.
        warnings.simplefilter("ignore")
        if data[4:8] == b"ftyp":
            _register_heic()
        try:
            image = Image.open(io.BytesIO(data))
        except Image.DecompressionBombError as error:
            raise DamagedFile(str(error)) from error
        with image:
            _check_size(image, max_pixels)
            yield image


@cache
def _register_heic() -> None:
    import pi_heif

    pi_heif.register_heif_opener(thumbnails=False)


def _check_size(image: Image.Image, max_pixels: int) -> None:
    if image.width * image.height > max_pixels:
        raise DamagedFile(f"{image.width} × {image.height} pixels, more than {max_pixels}")


def _frames(image: Image.Image) -> int:
    return min(int(getattr(image, "n_frames", 1)), MAX_FRAMES)


def _frame(image: Image.Image, number: int, max_pixels: int) -> Image.Image:
    """Return frame ``number`` in RGB on white, turned by its EXIF orientation."""
    image.seek(number - 1)
    _check_size(image, max_pixels)
    picture = ImageOps.exif_transpose(image)
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        paper = Image.new("RGBA", picture.size, "white")
        return Image.alpha_composite(paper, picture).convert("RGB")
    if picture.mode.startswith(("I", "F")):
        # Sixteen bits and more a pixel: scale the used range to eight.
        pixels = np.asarray(picture, np.float32)
        pixels = (pixels - pixels.min()) * (255 / max(float(np.ptp(pixels)), 1.0))
        return Image.fromarray(pixels.astype(np.uint8)).convert("RGB")
    return picture.convert("RGB")


def _read_frame(image: Image.Image, number: int, options: ReadOptions) -> Page:
    picture = _frame(image, number, options.max_pixels)
    width, height = _points(picture, image.info.get("dpi"))
    if options.ocr == "none":
        return Page(number, width, height)
    from docduck.documents.vision.ocr_page import read_picture

    return read_picture(picture, number, width, height, options)


def _points(picture: Image.Image, dpi: object) -> tuple[float, float]:
    """Return width and height in points, by the resolution of the file if it is plausible."""
    scale = _LONG_SIDE / max(picture.size)
    if isinstance(dpi, tuple) and len(dpi) == 2:
        stated = min(float(dpi[0]), float(dpi[1]))
        if _LEAST_DPI <= stated <= 1200:
            scale = 72 / stated
    return picture.width * scale, picture.height * scale
