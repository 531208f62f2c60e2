"""A page with its reading drawn on it: the kind of each segment, and a line from each value to its label."""

from __future__ import annotations

from PIL import Image, ImageDraw

from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.reading.page_reading import KINDS, ROLES, reading_of

_COLOURS = {
    "label": "#c62828", "value": "#1565c0", "both": "#6a1b9a", "heading": "#37474f", "prose": "#90a4ae",
    "head": "#ad1457", "cell": "#2e7d32", "option": "#ef6c00", "furniture": "#bdbdbd",
}  # fmt: skip
_LIKELY = 0.5
"""Probability from which a label or a role is drawn."""
_TEXT = 70
"""Width of the picture divided by the height of its texts."""


def draw_reading(picture: Image.Image, page: PageView) -> Image.Image:
    """Return a copy of a page's picture with its segments framed by kind, and a legend below.

    The frame's colour is the likeliest kind. A line leads from each value to its label; the part of a party
    that a segment shows is written above it.
    """
    size = max(picture.width // _TEXT, 9)
    drawn = Image.new("RGB", (picture.width, picture.height + 2 * size), "white")
    drawn.paste(picture)
    pen = ImageDraw.Draw(drawn)
    reading = reading_of(page)
    scale = picture.width / page.width
    for segment in page.segments:
        kind = KINDS[int(reading.kinds[segment.index].argmax())]
        role = int(reading.roles[segment.index].argmax())
        left, top, right, bottom = _edges(segment, scale)
        pen.rectangle((left, top, right, bottom), outline=_COLOURS[kind], width=2)
        if role and reading.roles[segment.index, role] >= _LIKELY:
            pen.text((left, top - size), ROLES[role], _COLOURS[kind], font_size=size)
        for caption in reading.captions[segment.index][:1]:
            if caption.probability >= _LIKELY:
                other = _edges(page.segments[caption.segment], scale)
                start, end = (
                    ((left + right) / 2, (top + bottom) / 2),
                    ((other[0] + other[2]) / 2, (other[1] + other[3]) / 2),
                )
                pen.line((start, end), fill=_COLOURS["label"], width=1)
    at = float(size)
    for kind, colour in _COLOURS.items():
        pen.text((at, picture.height + size // 2), kind, colour, font_size=size)
        at += pen.textlength(kind, font_size=size) + size
    return drawn


def _edges(segment: Segment, scale: float) -> tuple[float, float, float, float]:
    return segment.left * scale, segment.top * scale, segment.right * scale, segment.bottom * scale
