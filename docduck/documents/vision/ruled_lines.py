"""Ruled lines in a picture of a page, found by morphological opening along both directions."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from docduck.documents.document import Rule

_WORKING_SIDE = 1600
"""Pixels of the longer side of the picture in which lines are searched."""

_LENGTH = 0.04
"""A line is at least this share of the longer side long."""

_THICK = 8
"""Pixels; thicker shapes are bars or pictures."""

MAX_RULES = 1000


def picture_rules(pixels: NDArray[np.uint8], degrees: float) -> list[Rule]:
    """Return the horizontal and vertical lines of a BGR picture that is skewed by ``degrees`` (clockwise).

    They are located on the straightened page, sorted top to bottom, left to right.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, _WORKING_SIDE / max(grey.shape))
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = grey.shape
    if degrees:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        grey = cv2.warpAffine(grey, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 12)
    length = max(12, int(_LENGTH * max(width, height)))
    rules = [
        Rule(x / width, (y + high / 2) / height, (x + wide) / width, (y + high / 2) / height)
        for x, y, wide, high, area in _runs(ink, (length, 1))
        if area <= _THICK * wide
    ]
    rules += [
        Rule((x + wide / 2) / width, y / height, (x + wide / 2) / width, (y + high) / height)
        for x, y, wide, high, area in _runs(ink, (1, length))
        if area <= _THICK * high
    ]
    rules.sort(key=lambda rule: (rule.y0, rule.x0))
    return rules[:MAX_RULES]


def _runs(ink: NDArray[np.uint8], size: tuple[int, int]) -> list[tuple[int, int, int, int, int]]:
    """Return left, top, width, height and area of the runs in ``ink`` that are at least ``size`` long.

    Gaps of a few pixels, which scanning leaves in a line, are closed first.
    """
    across = (1, 3) if size[1] == 1 else (3, 1)
    thick = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_RECT, across))
    opened = cv2.morphologyEx(thick, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, size))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    return [(int(b[0]), int(b[1]), int(b[2]), int(b[3]), int(b[4])) for b in boxes[1:]]
