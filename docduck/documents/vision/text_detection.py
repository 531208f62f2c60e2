"""Detection of lines of text in a picture, as quadrilaterals.

The network is a DB detector (Liao et al., Real-time Scene Text Detection with Differentiable Binarization,
2020): it returns each pixel's probability of being in the shrunken core of a text line; a line's rectangle is
the core's, grown by area · ``GROW`` / perimeter on every side.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from docduck.documents.vision.ocr_models import DETECTION, load

Quads = NDArray[np.float32]
"""n × 4 × 2: corners in pixels, clockwise from the one where reading begins."""

PIXEL_THRESHOLD = 0.3
BOX_THRESHOLD = 0.5
GROW = 1.6
MAX_LINES = 3000
_STEP = 32
_SMALLEST_CORE = 3.0


def detect(image: NDArray[np.uint8], longest: int, shortest: int, threads: int) -> Quads:
    """Return the text lines of a BGR picture, which is scaled for the network.

    Its longer side becomes at most ``longest`` pixels, its shorter one at least ``shortest`` when that fits.
    """
    height, width = image.shape[:2]
    scale = min(max(1.0, shortest / min(height, width)), longest / max(height, width))
    grid_w, grid_h = (max(_STEP, round(side * scale / _STEP) * _STEP) for side in (width, height))
    small = cv2.resize(
        image, (grid_w, grid_h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    array = (small.astype(np.float32) * (2 / 255) - 1).transpose(2, 0, 1)[None]
    heat = load(DETECTION, threads).run(np.ascontiguousarray(array), keep_memory=False)[0, 0]
    quads = _rectangles(heat)
    quads[..., 0] *= width / grid_w
    quads[..., 1] *= height / grid_h
    quads[..., 0] = quads[..., 0].clip(0, width)
    quads[..., 1] = quads[..., 1].clip(0, height)
    return quads


def _rectangles(heat: NDArray[np.float32]) -> Quads:
    mask = cv2.dilate((heat > PIXEL_THRESHOLD).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    rectangles = []
    for contour in contours[:MAX_LINES]:
        centre, (wide, high), angle = cv2.minAreaRect(contour)
        if min(wide, high) < _SMALLEST_CORE:
            continue
        if _score(heat, cv2.boxPoints((centre, (wide, high), angle))) < BOX_THRESHOLD:
            continue
        grow = GROW * wide * high / (wide + high)
        rectangles.append(_clockwise(cv2.boxPoints((centre, (wide + grow, high + grow), angle))))
    return np.array(rectangles, np.float32).reshape(-1, 4, 2)


def _score(heat: NDArray[np.float32], corners: NDArray[np.float32]) -> float:
    """Return the mean probability inside a rectangle."""
    height, width = heat.shape
    left, top = np.floor(corners.min(axis=0)).astype(int).clip(0, (width - 1, height - 1))
    right, bottom = np.ceil(corners.max(axis=0)).astype(int).clip(0, (width - 1, height - 1))
    mask = np.zeros((bottom - top + 1, right - left + 1), np.uint8)
    cv2.fillPoly(mask, [(corners - (left, top)).astype(np.int32)], 1)
    return float(cv2.mean(heat[top : bottom + 1, left : right + 1], mask)[0])


def _clockwise(corners: NDArray[Any]) -> NDArray[Any]:
    """Return the corners clockwise from the top left one."""
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left, right = by_x[:2], by_x[2:]
    top_left, bottom_left = left[np.argsort(left[:, 1])]
    top_right, bottom_right = right[np.argsort(right[:, 1])]
    return np.array([top_left, top_right, bottom_right, bottom_left])
