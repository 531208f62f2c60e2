"""Drawn straight lines: horizontal and vertical strokes, thin filled rectangles, the edges of boxes."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2.raw as pdfium

from docduck.documents.geometry import clamp
from docduck.documents.model import Rule
from docduck.documents.pdf.frame import Frame
from docduck.documents.pdf.handles import Handle

MAX_OBJECTS = 20_000
"""Objects looked at on one page; drawings and maps have more, forms and invoices don't."""

THIN = 3.0
"""A filled shape up to this many points thick is a line."""

SHORT = 6.0
"""Lines shorter than this many points are parts of glyphs and icons."""

_MAX_SEGMENTS = 400
_MAX_DEPTH = 4

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def page_rules(page: Handle, frame: Frame) -> list[Rule]:
    """The ruled lines of ``page``, sorted top to bottom, left to right; equal ones once."""
    rules: set[Rule] = set()
    for x0, y0, x1, y1 in _page_strokes(page):
        (u0, v0), (u1, v1) = frame.point(x0, y0), frame.point(x1, y1)
        if max(u0, u1) < 0 or min(u0, u1) > 1 or max(v0, v1) < 0 or min(v0, v1) > 1:
            continue
        left, right = sorted((clamp(u0), clamp(u1)))
        top, bottom = sorted((clamp(v0), clamp(v1)))
        rules.add(Rule(round(left, 5), round(top, 5), round(right, 5), round(bottom, 5)))
    return sorted(rules, key=lambda rule: (rule.y0, rule.x0))


def _page_strokes(page: Handle) -> Iterator[tuple[float, float, float, float]]:
    budget = MAX_OBJECTS
    count = pdfium.FPDFPage_CountObjects(page)
    stack = [(pdfium.FPDFPage_GetObject, page, count, _IDENTITY, 0)]
    while stack:
        get, owner, count, matrix, depth = stack.pop()
        for index in range(min(count, budget)):
            item = get(owner, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                yield from _path_strokes(item, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                inner = _times(_matrix(item), matrix)
                parts = pdfium.FPDFFormObj_CountObjects(item)
                stack.append((pdfium.FPDFFormObj_GetObject, item, parts, inner, depth + 1))
        budget -= min(count, budget)


def _path_strokes(path: Handle, matrix: Matrix) -> Iterator[tuple[float, float, float, float]]:
    left, bottom, right, top = _bounds(path, matrix)
    wide, high = right - left, top - bottom
    if wide < SHORT and high < SHORT:
        return
    if high <= THIN:
        yield left, (bottom + top) / 2, right, (bottom + top) / 2
        return
    if wide <= THIN:
        yield (left + right) / 2, bottom, (left + right) / 2, top
        return
    count = pdfium.FPDFPath_CountSegments(path)
    if not 2 <= count <= _MAX_SEGMENTS:
        return
    yield from _segments(path, count, _times(_matrix(path), matrix))


def _segments(path: Handle, count: int, matrix: Matrix) -> Iterator[tuple[float, float, float, float]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    start = last = (0.0, 0.0)
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        if not pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            return
        point = _apply(matrix, x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO and _straight(last, point):
            yield *last, *point
        last = point
        if pdfium.FPDFPathSegment_GetClose(segment):
            if _straight(last, start):
                yield *last, *start
            last = start


def _straight(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether the way from ``a`` to ``b`` is horizontal or vertical, and long enough to be a ruled line."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(across, down) >= SHORT and min(across, down) <= 0.5


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
    """First ``m``, then ``n`` (PDF's row vectors: [x y 1] · m · n)."""
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )
