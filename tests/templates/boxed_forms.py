"""Draws pages of boxes with a caption and a value in each."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = LETTER
INSET = 3.0
CAPTION, VALUE = 6.0, 10.0


class FormBox(NamedTuple):
    """A box on the page in points, origin top-left; lines of its texts are divided by line breaks."""

    left: float
    top: float
    width: float
    height: float
    caption: str
    value: str = ""


def boxed_form(title: str, boxes: Sequence[FormBox], lines: Sequence[tuple[float, float, str]] = ()) -> bytes:
    """Return a PDF of one page with its title, its boxes, and ``lines`` of text (left, top, text)."""
    written = BytesIO()
    canvas = Canvas(written, LETTER, invariant=1)
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(40, HEIGHT - 40, title)
    canvas.setFont("Helvetica", 7)
    for left, top, text in lines:
        canvas.drawString(left, HEIGHT - top, text)
    for box in boxes:
        canvas.rect(box.left, HEIGHT - box.top - box.height, box.width, box.height)
        at = box.top + 1
        for font, size, text in (("Helvetica", CAPTION, box.caption), ("Courier", VALUE, box.value)):
            canvas.setFont(font, size)
            for line in filter(None, text.split("\n")):
                at += size + 1
                canvas.drawString(box.left + INSET, HEIGHT - at, line)
    canvas.save()
    return written.getvalue()
