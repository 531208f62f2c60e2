"""What is drawn on a page besides text: ruled lines, and the area that pictures cover."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import pypdfium2.raw as pdfium

from docduck.documents.document import Box, Rule
from docduck.documents.formats.pdf.drawn_marks import LARGEST, Shape, Sides, boxes_alone, shape_of
from docduck.documents.formats.pdf.frame import Frame
from docduck.documents.formats.pdf.handles import Handle

MAX_OBJECTS = 20_000
"""Objects examined on one page; drawings and maps have more, forms and invoices don't."""

MAX_TEXTS = 30_000
"""Pieces of text on one page; PDFium takes as long as the square of them in the worst case."""

THIN = 3.0
"""A filled shape up to this many points thick is a line."""

SHORT = 6.0
"""Shorter lines, in points, are parts of glyphs and icons."""

_LETTER = 30.0
"""Letters drawn as shapes are lower than this many points."""

_JOIN = 1.5
"""Pieces of a line up to this many points apart are one line (dashes, cell borders)."""

WHOLE = 0.8
"""A picture over this share of the page is the page: a scan."""

_INVISIBLE = pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
_MAX_IMAGES = 200
_MAX_SEGMENTS = 400
_MAX_DEPTH = 4

Stroke = tuple[float, float, float, float]
"""x0, y0, x1, y1 in page coordinates."""

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Drawing:
    """The ruled lines, pictures and statistics of a page.

    ``rules`` are horizontal and vertical strokes, thin filled rectangles, the edges of boxes. ``shapes`` are
    as small as check boxes, ``boxes`` those that can be one. ``images`` are the pictures' boxes, ``pictures``
    is the share of the page (0–1) that they cover (scans come in strips);
    ``objects`` counts all, ``texts`` runs of text, ``hidden`` those of them that are invisible or covered by
    pictures as large as the page. ``outlines`` counts shapes of the size of letters. ``whole``: all objects
    of the page were examined.
    """

    rules: list[Rule] = field(default_factory=list)
    images: list[Box] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    boxes: list[Shape] = field(default_factory=list)
    pictures: float = 0.0
    objects: int = 0
    texts: int = 0
    hidden: int = 0
    outlines: int = 0
    whole: bool = True


def too_many_texts(page: Handle) -> bool:
    """Return whether the text is in so many pieces that PDFium takes minutes to assemble it."""
    texts = looked_at = 0
    stack = [(pdfium.FPDFPage_GetObject, page, pdfium.FPDFPage_CountObjects(page))]
    while stack:
        get, owner, count = stack.pop()
        for index in range(count):
            item = get(owner, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            texts += kind == pdfium.FPDF_PAGEOBJ_TEXT
            looked_at += 1
            if texts > MAX_TEXTS or looked_at > 50 * MAX_TEXTS:
                return True
            if kind == pdfium.FPDF_PAGEOBJ_FORM:
                stack.append((pdfium.FPDFFormObj_GetObject, item, pdfium.FPDFFormObj_CountObjects(item)))
    return False


def page_drawing(page: Handle, frame: Frame, most: int = MAX_OBJECTS) -> Drawing:
    """Return the drawing of ``page``; rules are sorted top to bottom, left to right, touching ones joined.

    At most ``most`` objects (and ``MAX_OBJECTS``) are examined.
    """
    most = min(most, MAX_OBJECTS)
    drawing = Drawing()
    strokes: list[Stroke] = []
    edges: list[list[Stroke]] = []
    stack = [(pdfium.FPDFPage_GetObject, page, pdfium.FPDFPage_CountObjects(page), _IDENTITY, 0)]
    while stack and drawing.objects < most:
        get, owner, count, matrix, depth = stack.pop()
        count = min(count, most - drawing.objects)
        drawing.objects += count
        for index in range(count):
            item = get(owner, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                drawing.texts += 1
                drawing.hidden += pdfium.FPDFTextObj_GetTextRenderMode(item) == _INVISIBLE
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                sides = _bounds(item, matrix)
                own: list[Stroke] = []
                drawing.outlines += _path_strokes(item, sides, matrix, own)
                if max(sides[2] - sides[0], sides[3] - sides[1]) <= LARGEST:
                    drawing.shapes.append(shape_of(item, sides))
                    edges.append(own)
                else:
                    strokes += own
            elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                box = frame.box(*_bounds(item, matrix))
                drawing.pictures = min(drawing.pictures + box.width * box.height, 1.0)
                if drawing.pictures >= WHOLE:
                    drawing.hidden = drawing.texts
                if len(drawing.images) < _MAX_IMAGES:
                    drawing.images.append(box)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                inner = _times(_matrix(item), matrix)
                parts = pdfium.FPDFFormObj_CountObjects(item)
                stack.append((pdfium.FPDFFormObj_GetObject, item, parts, inner, depth + 1))
    drawing.whole = drawing.objects < most
    drawing.boxes = boxes_alone(drawing.shapes)
    ruled = (own for shape, own in zip(drawing.shapes, edges, strict=True) if shape not in drawing.boxes)
    drawing.rules = _rules([*strokes, *chain.from_iterable(ruled)], frame)
    return drawing


def _rules(strokes: Iterable[Stroke], frame: Frame) -> list[Rule]:
    """Return the strokes on the upright page, those on one line that touch joined to one."""
    lying: dict[int, list[tuple[float, float]]] = {}
    standing: dict[int, list[tuple[float, float]]] = {}
    for x0, y0, x1, y1 in strokes:
        (u0, v0), (u1, v1) = frame.point(x0, y0), frame.point(x1, y1)
        if abs(u1 - u0) * frame.width >= abs(v1 - v0) * frame.height:
            if 0 <= v0 <= 1:
                lying.setdefault(round((v0 + v1) / 2 * frame.height), []).append((min(u0, u1), max(u0, u1)))
        elif 0 <= u0 <= 1:
            standing.setdefault(round((u0 + u1) / 2 * frame.width), []).append((min(v0, v1), max(v0, v1)))
    across, down = _JOIN / frame.width, _JOIN / frame.height
    rules = [
        Rule(start, place / frame.height, end, place / frame.height)
        for place, pieces in lying.items()
        for start, end in _joined(pieces, across)
    ]
    rules += [
        Rule(place / frame.width, start, place / frame.width, end)
        for place, pieces in standing.items()
        for start, end in _joined(pieces, down)
    ]
    rules.sort(key=lambda rule: (rule.y0, rule.x0))
    return rules


def _joined(pieces: list[tuple[float, float]], slack: float) -> Iterator[tuple[float, float]]:
    """Yield intervals cut to 0–1, joined where they overlap or are less than ``slack`` apart."""
    pieces.sort()
    start, end = pieces[0]
    for left, right in pieces[1:]:
        if left > end + slack:
            if end > 0 and start < 1:
                yield max(start, 0.0), min(end, 1.0)
            start, end = left, right
        elif right > end:
            end = right
    if end > 0 and start < 1:
        yield max(start, 0.0), min(end, 1.0)


def _path_strokes(path: Handle, sides: Sides, matrix: Matrix, strokes: list[Stroke]) -> bool:
    """Add the straight lines of ``path``; return whether it looks like a letter."""
    left, bottom, right, top = sides
    wide, high = right - left, top - bottom
    letter = 1 < high < _LETTER and wide < 12 * _LETTER and pdfium.FPDFPath_CountSegments(path) > 5
    if wide < SHORT and high < SHORT:
        return letter
    if high <= THIN:
        middle = (bottom + top) / 2
        strokes.append((left, middle, right, middle))
        return letter
    if wide <= THIN:
        middle = (left + right) / 2
        strokes.append((middle, bottom, middle, top))
        return letter
    count = pdfium.FPDFPath_CountSegments(path)
    if 2 <= count <= _MAX_SEGMENTS:
        _segments(path, count, _times(_matrix(path), matrix), strokes)
    return letter


def _segments(path: Handle, count: int, matrix: Matrix, strokes: list[Stroke]) -> None:
    """Return the straight sides of a path, its closing ones included."""
    x, y = ctypes.c_float(), ctypes.c_float()
    x_reference, y_reference = ctypes.byref(x), ctypes.byref(y)
    a, b, c, d, e, f = matrix
    start_x = start_y = last_x = last_y = 0.0
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        if not pdfium.FPDFPathSegment_GetPoint(segment, x_reference, y_reference):
            return
        u, v = x.value, y.value
        u, v = a * u + c * v + e, b * u + d * v + f
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start_x, start_y = u, v
        elif kind == pdfium.FPDF_SEGMENT_LINETO and _straight(last_x, last_y, u, v):
            strokes.append((last_x, last_y, u, v))
        last_x, last_y = u, v
        if pdfium.FPDFPathSegment_GetClose(segment):
            if _straight(u, v, start_x, start_y):
                strokes.append((u, v, start_x, start_y))
            last_x, last_y = start_x, start_y


def _straight(x0: float, y0: float, x1: float, y1: float) -> bool:
    """Return whether a segment is horizontal or vertical, and long enough for a ruled line."""
    across, down = abs(x0 - x1), abs(y0 - y1)
    return (across >= SHORT and down <= 0.5) or (down >= SHORT and across <= 0.5)


def _bounds(path: Handle, matrix: Matrix) -> tuple[float, float, float, float]:
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    if not pdfium.FPDFPageObj_GetBounds(
        path, ctypes.byref(left), ctypes.byref(bottom), ctypes.byref(right), ctypes.byref(top)
    ):
        return 0.0, 0.0, 0.0, 0.0
    if matrix is _IDENTITY:
        return left.value, bottom.value, right.value, top.value
    x0, y0 = _apply(matrix, left.value, bottom.value)
    x1, y1 = _apply(matrix, right.value, top.value)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _matrix(item: Handle) -> Matrix:
    m = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(m)):
        return _IDENTITY
    return m.a, m.b, m.c, m.d, m.e, m.f


def _apply(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _times(m: Matrix, n: Matrix) -> Matrix:
    """Return the product of ``m`` and ``n`` (PDF's row vectors: [x y 1] · m · n)."""
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )
