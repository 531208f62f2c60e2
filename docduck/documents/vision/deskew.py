"""Orientation and skew of detected lines of text."""

from __future__ import annotations

import math

import numpy as np

from docduck.documents.vision.text_detection import Quads

LONG = 2.5
"""Lines at least this many times as long as high are used to find the orientation."""


def quad_sizes(quads: Quads) -> tuple[np.ndarray, np.ndarray]:
    """Return width and height of each quadrilateral in pixels, along its own edges."""
    wide = (np.hypot(*(quads[:, 1] - quads[:, 0]).T) + np.hypot(*(quads[:, 2] - quads[:, 3]).T)) / 2
    high = (np.hypot(*(quads[:, 3] - quads[:, 0]).T) + np.hypot(*(quads[:, 2] - quads[:, 1]).T)) / 2
    return wide, high


def is_sideways(quads: Quads) -> bool:
    """Return whether most of the text runs up or down the picture."""
    wide, high = quad_sizes(quads)
    across = wide[wide >= LONG * high].sum()
    down = high[high >= LONG * wide].sum()
    return bool(down > across)


def turn_quads(quads: Quads, quarters: int, width: int, height: int) -> Quads:
    """Return the quadrilaterals after their picture was turned clockwise by ``quarters`` · 90°.

    Corners are reordered, clockwise from the top left.
    """
    x, y = quads[..., 0], quads[..., 1]
    match quarters % 4:
        case 1:
            return np.roll(np.stack([height - y, x], axis=-1), 1, axis=1)
        case 2:
            return np.roll(np.stack([width - x, height - y], axis=-1), 2, axis=1)
        case 3:
            return np.roll(np.stack([y, width - x], axis=-1), -1, axis=1)
        case _:
            return quads


def orient_vertical_lines(quads: Quads) -> Quads:
    """Return the quadrilaterals with vertical lines on a page of horizontal ones to be read bottom to top."""
    if not len(quads):
        return quads
    wide, high = quad_sizes(quads)
    usual = float(np.median(np.minimum(wide, high)))
    standing = (high >= 1.5 * wide) & (high > 2.2 * usual)
    result = quads.copy()
    result[standing] = np.roll(quads[standing], 1, axis=1)
    return result


def skew_angle(quads: Quads) -> float:
    """Return the skew of the page's lines in degrees clockwise; 0 with too few long lines."""
    wide, high = quad_sizes(quads)
    chosen = wide >= 4 * high
    if chosen.sum() < 3:
        return 0.0
    edges = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3])[chosen]
    angles = np.degrees(np.arctan2(edges[:, 1], edges[:, 0]))
    order = np.argsort(angles)
    weight = np.cumsum(wide[chosen][order])
    middle = float(angles[order][np.searchsorted(weight, weight[-1] / 2)])
    return middle if 0.15 < abs(middle) < 30 else 0.0


def straighten(quads: Quads, degrees: float, width: int, height: int) -> Quads:
    """Return the quadrilaterals turned about the picture's centre by ``-degrees`` (clockwise is positive)."""
    if not degrees:
        return quads
    angle = math.radians(-degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    centre = np.array([width / 2, height / 2], np.float32)
    moved = quads - centre
    turned = np.stack(
        [moved[..., 0] * cos - moved[..., 1] * sin, moved[..., 0] * sin + moved[..., 1] * cos], -1
    )
    return (turned + centre).astype(np.float32)
