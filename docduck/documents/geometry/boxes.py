"""Pure functions on boxes and points in fractions of a page (0–1, origin top-left)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from docduck.documents.document import Box

Point = tuple[float, float]


def clamp(value: float) -> float:
    """Return ``value`` limited to 0–1."""
    return 0.0 if value < 0.0 else 1.0 if value > 1.0 else value


def box_between(x0: float, y0: float, x1: float, y1: float) -> Box:
    """Return the box with these opposite corners, in any order, cut to the page."""
    left, right = (x0, x1) if x0 <= x1 else (x1, x0)
    top, bottom = (y0, y1) if y0 <= y1 else (y1, y0)
    left, top = clamp(left), clamp(top)
    return Box(left, top, clamp(right) - left, clamp(bottom) - top)


def box_around(points: Iterable[Point]) -> Box:
    """Return the box around points, cut to the page."""
    xs, ys = zip(*points, strict=True)
    return box_between(min(xs), min(ys), max(xs), max(ys))


def quarter_turn(x: float, y: float, quarters: int) -> Point:
    """Return where a point lands when its page is turned clockwise by ``quarters`` · 90°."""
    match quarters % 4:
        case 1:
            return 1.0 - y, x
        case 2:
            return 1.0 - x, 1.0 - y
        case 3:
            return y, 1.0 - x
        case _:
            return x, y


def turn(x: float, y: float, degrees: float, width: float, height: float) -> Point:
    """Return a point after a page of ``width`` × ``height`` was turned clockwise about its centre.

    The part of ``degrees`` nearest to a multiple of 90 swaps the page's sides as needed; the rest (the skew)
    turns within the page, as when a picture is rotated without growing.
    """
    quarters = round(degrees / 90)
    x, y = quarter_turn(x, y, quarters)
    skew = math.radians(degrees - 90 * quarters)
    if not skew:
        return x, y
    if quarters % 2:
        width, height = height, width
    dx, dy = (x - 0.5) * width, (y - 0.5) * height
    cos, sin = math.cos(skew), math.sin(skew)
    return 0.5 + (dx * cos - dy * sin) / width, 0.5 + (dx * sin + dy * cos) / height


def turn_box(box: Box, degrees: float, width: float, height: float) -> Box:
    """Return the upright box around ``box`` after its page was turned (see ``turn``)."""
    return box_around(
        turn(x, y, degrees, width, height) for x in (box.left, box.right) for y in (box.top, box.bottom)
    )


def overlap(a: Box, b: Box) -> float:
    """Return the share of the smaller box that lies in the other, 0–1."""
    across = min(a.right, b.right) - max(a.left, b.left)
    down = min(a.bottom, b.bottom) - max(a.top, b.top)
    smaller = min(a.width * a.height, b.width * b.height)
    if across <= 0 or down <= 0 or smaller <= 0:
        return 0.0
    return across * down / smaller
