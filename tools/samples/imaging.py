"""Simulated scans and photos. Noise is seeded: same pixels on each run."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

DPI = 200


def _render(pdf: bytes, dpi: float) -> list[Image.Image]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.render(scale=dpi / 72, grayscale=True).to_pil().convert("L") for page in document]
    finally:
        document.close()


def _noise(image: Image.Image, sigma: float, seed: int) -> Image.Image:
    pixels = np.asarray(image, dtype=np.float32)
    pixels = pixels + sigma * np.random.default_rng(seed).standard_normal(pixels.shape, np.float32)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _scanned(page: Image.Image, angle: float, seed: int = 1) -> Image.Image:
    """Return the page slightly rotated, with imperfect black and white."""
    turned = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    soft = turned.filter(ImageFilter.GaussianBlur(0.6))
    return _noise(soft.point(lambda level: 28 + level * 0.85), 4, seed)


def _jpeg(image: Image.Image, quality: int) -> bytes:
    target = BytesIO()
    image.save(target, "JPEG", quality=quality, dpi=(DPI, DPI))
    return target.getvalue()


def scan_pdf(pdf: bytes) -> bytes:
    """Return a PDF of page images without text."""
    target = BytesIO()
    canvas = Canvas(target, invariant=1, pageCompression=0)
    for number, page in enumerate(_render(pdf, DPI), 1):
        image = _scanned(page, 1.5, number)
        size = (image.width * 72 / DPI, image.height * 72 / DPI)
        canvas.setPageSize(size)
        canvas.drawImage(ImageReader(BytesIO(_jpeg(image, 60))), 0, 0, *size)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def scan_tiff(pdf: bytes) -> bytes:
    """Return the pages as one black and white TIFF, as office copiers produce."""
    pages = [
        _scanned(page, -0.8).point(lambda level: 255 if level > 150 else 0) for page in _render(pdf, DPI)
    ]
    first, *rest = [page.convert("1", dither=Image.Dither.NONE) for page in pages]
    target = BytesIO()
    first.save(target, "TIFF", compression="group4", save_all=True, append_images=rest, dpi=(DPI, DPI))
    return target.getvalue()


def scan_jpeg(pdf: bytes) -> bytes:
    """Return the first page as a JPEG."""
    return _jpeg(_scanned(_render(pdf, DPI)[0], 0.7), 42)


def _perspective(source: NDArray[np.float64], target: NDArray[np.float64]) -> tuple[float, ...]:
    """Return the eight coefficients that map points of ``target`` to ``source`` (Pillow's PERSPECTIVE)."""
    rows, right = [], []
    for (x, y), (u, v) in zip(target, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return tuple(float(c) for c in np.linalg.solve(np.array(rows), np.array(right)))


def photo(pdf: bytes) -> bytes:
    """Return a colour JPEG of the first page on a table, at an angle, lit from one side."""
    page = _render(pdf, 190)[0]
    width, height = page.size
    frame_size = (int(width * 1.22), int(height * 1.14))
    x0, y0 = width * 0.11, height * 0.07
    corners = np.array(
        [
            [x0 + width * 0.035, y0 + height * 0.012],
            [x0 + width * 0.975, y0],
            [x0 + width * 1.01, y0 + height * 0.99],
            [x0, y0 + height],
        ]
    )
    paper = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    coefficients = _perspective(paper, corners)
    sheet = page.transform(
        frame_size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC, fillcolor=0
    )
    mask = Image.new("L", page.size, 255).transform(
        frame_size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BILINEAR, fillcolor=0
    )
    rng = np.random.default_rng(1)
    rows, columns = np.mgrid[0 : frame_size[1], 0 : frame_size[0]].astype(np.float32)
    light = 1.0 - 0.28 * (columns / frame_size[0]) - 0.12 * (rows / frame_size[1])
    grain = 6 * np.sin(rows / 9 + 0.6 * np.sin(columns / 160)) + 5 * rng.standard_normal(
        rows.shape, np.float32
    )
    ink = np.asarray(sheet, dtype=np.float32)[..., None] * np.array([0.93, 0.91, 0.86], np.float32) + 14
    wood = np.array([112.0, 80.0, 54.0], np.float32) + grain[..., None]
    share = np.asarray(mask, dtype=np.float32)[..., None] / 255
    pixels = (ink * share + wood * (1 - share)) * light[..., None] + 2.5 * rng.standard_normal(
        (*rows.shape, 1), np.float32
    )
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.7))
    return _jpeg(image, 82)
