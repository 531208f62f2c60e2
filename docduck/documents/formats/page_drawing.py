"""A page drawn from its words alone, for formats that have no picture of their own."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from docduck.documents.document import Page

MAX_RATIO = 20
"""Largest height of a picture, in widths; longer virtual pages are cut off."""


def draw_page(page: Page, width: int) -> Image.Image:
    """Return ``page`` as an RGB picture ``width`` pixels wide: its rules, and its words in their boxes."""
    height = max(1, round(width * page.height / page.width))
    image = Image.new("RGB", (width, min(height, MAX_RATIO * width)), "white")
    pen = ImageDraw.Draw(image)
    for rule in page.rules:
        pen.line((rule.x0 * width, rule.y0 * height, rule.x1 * width, rule.y1 * height), fill="gray")
    for word in page.words:
        size = word.box.height * height
        fit = word.box.width * width / max(len(word.text), 1) / 0.55
        font = ImageFont.load_default(max(1.0, min(size * 0.8, fit)))
        pen.text((word.box.left * width, word.box.top * height), word.text, fill="black", font=font)
    return image
