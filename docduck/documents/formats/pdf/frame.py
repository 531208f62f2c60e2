"""From a page's own coordinates (points, origin bottom-left, unrotated) to fractions of the upright page."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from docduck.documents.document import Box
from docduck.documents.formats.pdf.handles import Handle
from docduck.documents.geometry.boxes import box_between
from docduck.errors import DamagedFile

_MOST_SLENDER = 300
"""Largest ratio of a page's sides; that of a till roll."""

_LARGEST = 15_000_000.0
"""Points; the largest page a PDF can have (ISO 32000-2, Annex C: 14,400 units, of a thousand points)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """x' = a·x + b·y + c, y' = d·x + e·y + f, onto 0–1 of a page ``width`` × ``height`` points."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float
    width: float
    height: float

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Return the box on the upright page of a rectangle in page coordinates, cut to the page."""
        return box_between(
            self.a * x0 + self.b * y0 + self.c,
            self.d * x0 + self.e * y0 + self.f,
            self.a * x1 + self.b * y1 + self.c,
            self.d * x1 + self.e * y1 + self.f,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point in page coordinates on the upright page; it may lie outside 0–1."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f


def page_frame(page: Handle, extra_quarters: int = 0) -> Frame:
    """Return the frame of ``page`` after its crop box, ``/Rotate`` and ``extra_quarters`` · 90° clockwise."""
    bounds = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(page, ctypes.byref(bounds)):
        raise DamagedFile("a page has no bounds")
    left, bottom = bounds.left, bounds.bottom
    wide, high = bounds.right - left, bounds.top - bottom
    if not (wide > 0 and high > 0):
        raise DamagedFile("a page has no area")
    if not (max(wide, high) <= min(_MOST_SLENDER * min(wide, high), _LARGEST)):
        raise DamagedFile(f"a page of {wide:g} × {high:g} points is not paper")
    unit_x, unit_y = 1 / wide, 1 / high
    match (pdfium.FPDFPage_GetRotation(page) + extra_quarters) % 4:
        case 1:
            return Frame(0, unit_y, -bottom * unit_y, unit_x, 0, -left * unit_x, high, wide)
        case 2:
            return Frame(-unit_x, 0, 1 + left * unit_x, 0, unit_y, -bottom * unit_y, wide, high)
        case 3:
            return Frame(0, -unit_y, 1 + bottom * unit_y, -unit_x, 0, 1 + left * unit_x, high, wide)
        case _:
            return Frame(unit_x, 0, -left * unit_x, 0, -unit_y, 1 + bottom * unit_y, wide, high)
