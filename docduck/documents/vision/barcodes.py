"""Barcodes and two-dimensional codes on pages, found in their pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from PIL import Image

from docduck.documents.document import Barcode, Document, Page
from docduck.documents.geometry.boxes import box_around, turn_box

DPI = 200
"""Dots an inch at which a page is drawn to look for codes; a module of the smallest usual ones has two."""
MAX_CODES = 50
"""Codes of one page."""
MAX_WIDTH = 4000


def find_barcodes(image: Image.Image) -> list[Barcode]:
    """Return the codes in a picture that could be decoded, top to bottom; boxes in 0–1 of the picture."""
    import zxingcpp

    barcodes: dict[tuple[str, str], Barcode] = {}
    for code in zxingcpp.read_barcodes(np.ascontiguousarray(image.convert("L")), try_invert=False):
        place = code.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        box = box_around((corner.x / image.width, corner.y / image.height) for corner in corners)
        kind, text = code.format.name, code.text.strip("\x00")
        if text:
            barcodes.setdefault((kind, text), Barcode(kind, text, box))
    return sorted(barcodes.values(), key=lambda code: (code.box.top, code.box.left))[:MAX_CODES]


def add_barcodes(
    document: Document, pages: Literal["pictures", "all"], draw: Callable[[int, int], Image.Image]
) -> None:
    """Find the codes on a document's pages; ``draw(number, width)`` draws a page as a viewer shows it.

    With ``pictures``, pages with a text layer are skipped: it usually holds what their codes hold.
    """
    for page in document.pages:
        if pages == "all" or all(word.source == "ocr" for line in page.lines for word in line.words):
            page.barcodes = _page_barcodes(page, draw)


def _page_barcodes(page: Page, draw: Callable[[int, int], Image.Image]) -> list[Barcode]:
    width, height = page.width, page.height
    if round(page.turn / 90) % 2:
        width, height = height, width
    codes = find_barcodes(draw(page.number, max(1, min(MAX_WIDTH, round(width * DPI / 72)))))
    return [Barcode(c.kind, c.text, turn_box(c.box, page.turn, width, height)) for c in codes]
