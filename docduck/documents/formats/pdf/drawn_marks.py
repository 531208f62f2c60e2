"""Check boxes and radio buttons that are drawn on a page rather than set as text: squares and circles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from docduck.documents.document import Word
from docduck.documents.formats.pdf.frame import Frame
from docduck.documents.formats.pdf.handles import Handle

TICKED, EMPTY = "☒", "☐"
_SMALLEST, LARGEST = 5.5, 18.0
"""Points that the side of a check box has."""
_SQUARE = 0.15
"""What height and width of a box differ by at most, as a share of its side."""
_SLANT = 1.5
"""Points by which a stroke of a tick or cross goes both across and up."""
_MOST_STROKES = 12
"""Segments of a tick or a cross at most; outlines of icons have more."""
_DARK = 600
"""Red, green and blue of a mark add up to less."""
_DOT = (0.2, 0.8)
"""Share of a box's side that a dot in it has."""
_APART = 1.0
"""Points between boxes; closer ones are cells for letters."""
_MARKS = frozenset("xX×✓✔✗✘")
_MOST_BOXES = 400
"""Boxes of one page; drawings and maps have more."""

Sides = tuple[float, float, float, float]
"""left, bottom, right, top in page coordinates."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A small drawn shape: whether its outline is stroked, it is filled dark, and has slanted lines."""

    sides: Sides
    stroked: bool
    dark: bool
    slanted: bool

    @property
    def size(self) -> float:
        return max(self.sides[2] - self.sides[0], self.sides[3] - self.sides[1])

    @property
    def is_box(self) -> bool:
        wide, high = self.sides[2] - self.sides[0], self.sides[3] - self.sides[1]
        is_square = abs(wide - high) <= _SQUARE * self.size
        return self.stroked and not self.slanted and not self.dark and is_square and self.size >= _SMALLEST

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is within the shape."""
        left, bottom, right, top = self.sides
        return left <= x <= right and bottom <= y <= top


def shape_of(path: Handle, sides: Sides) -> Shape:
    """Return a path of the page with its look."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke))
    return Shape(sides, bool(stroke.value), bool(fill.value) and _is_dark(path), _is_slanted(path))


def _is_dark(path: Handle) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    known = pdfium.FPDFPageObj_GetFillColor(path, *map(ctypes.byref, (red, green, blue, alpha)))
    return bool(known) and alpha.value > 0 and red.value + green.value + blue.value < _DARK


def _is_slanted(path: Handle) -> bool:
    """Return whether a path has a straight line that goes neither across nor up."""
    count = pdfium.FPDFPath_CountSegments(path)
    x, y = ctypes.c_float(), ctypes.c_float()
    last: tuple[float, float] | None = None
    for index in range(count if count <= _MOST_STROKES else 0):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        is_line = pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_LINETO
        if is_line and last and min(abs(x.value - last[0]), abs(y.value - last[1])) > _SLANT:
            return True
        last = (x.value, y.value)
    return False


def boxes_alone(shapes: Iterable[Shape]) -> list[Shape]:
    """Return the shapes that can be check boxes: they touch no other one, as cells for letters do."""
    distinct = {tuple(map(round, shape.sides)): shape for shape in shapes if shape.is_box}
    boxes = list(distinct.values())[:_MOST_BOXES]
    return [box for box in boxes if not any(other is not box and _touch(box, other) for other in boxes)]


def _touch(shape: Shape, other: Shape) -> bool:
    left, bottom, right, top = shape.sides
    across = left - _APART < other.sides[2] and other.sides[0] < right + _APART
    return across and bottom - _APART < other.sides[3] and other.sides[1] < top + _APART


def with_marks(
    words: Sequence[Word], boxes: Sequence[Shape], shapes: Sequence[Shape], frame: Frame
) -> list[Word]:
    """Return the words of a page, and one for each drawn check box, which replaces a mark within it."""
    marked = list(words)
    marks = [shape for shape in shapes if shape.slanted or shape.dark]
    for box in boxes:
        area = frame.box(*box.sides)
        inside = [word for word in marked if area.holds_middle_of(word.box)]
        if all(word.text in _MARKS for word in inside):
            ticked = bool(inside) or any(_ticks(mark, box) for mark in marks)
            marked = [word for word in marked if word not in inside]
            marked.append(Word(TICKED if ticked else EMPTY, area))
    return marked


def _ticks(mark: Shape, box: Shape) -> bool:
    """Return whether a shape is the cross, tick or dot of a box."""
    middle = (mark.sides[0] + mark.sides[2]) / 2, (mark.sides[1] + mark.sides[3]) / 2
    if mark is box or not box.holds(*middle):
        return False
    share = mark.size / box.size
    return mark.slanted or (mark.dark and _DOT[0] <= share <= _DOT[1])
