"""Small files for the tests of this folder, made on the spot."""

from __future__ import annotations

import io
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

A4 = (595.0, 842.0)

LETTER = (
    "INVOICE 2024-0815",
    "Acme Trading Limited, 12 Harbour Road, Bristol",
    "Invoice date: 14 March 2024",
    "Consulting services for the first quarter",
    "Travel expenses and accommodation",
    "Subtotal 1,180.00 EUR",
    "Amount due 1,416.00 EUR",
    "Please pay within thirty days of receipt",
)


def pdf(*pages: Callable[[Canvas], object], size: tuple[float, float] = A4, **options: object) -> bytes:
    """Return a PDF whose pages are drawn by ``pages``; coordinates are points, origin bottom-left."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, **options)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines_page(
    lines: tuple[str, ...] = LETTER, left: float = 72, top: float = 760
) -> Callable[[Canvas], None]:
    """Return a page with one line of text under the other."""

    def draw(canvas: Canvas) -> None:
        for row, line in enumerate(lines):
            canvas.drawString(left, top - 20 * row, line)

    return draw


def picture(lines: tuple[str, ...] = LETTER, size: tuple[int, int] = (1000, 700)) -> Image.Image:
    """Return a white picture with one line of text under the other."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(30)
    for row, line in enumerate(lines):
        pen.text((80, 60 + 70 * row), line, fill="black", font=font)
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return ``image`` as a file of Pillow's format ``kind``."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()
