"""Turning detected lines upright: which way the page stands, and how much it is skewed."""

from __future__ import annotations

import math

import numpy as np

from docduck.documents.vision.text_detection import Quads

LONG = 2.5
"""A line at least this many times as long as high shows which way the page stands."""


def quad_sizes(quads: Quads) -> tuple[np.ndarray, np.ndarray]:
    """Width and height of each quadrilateral in pixels, along its own edges."""
    wide = (np.hypot(*(quads[:, 1] - quads[:, 0]).T) + np.hypot(*(quads[:, 2] - quads[:, 3]).T)) / 2
    high = (np.hypot(*(quads[:, 3] - quads[:, 0]).T) + np.hypot(*(quads[:, 2] - quads[:, 1]).T)) / 2
    return wide, high


def is_sideways(quads: Quads) -> bool:
    """Whether most of the text runs up or down the picture."""
    wide, high = quad_sizes(quads)
    across = wide[wide >= LONG * high].sum()
    down = high[high >= LONG * wide].sum()
    return bool(down > across)


def turn_quads(quads: Quads, quarters: int, width: int, height: int) -> Quads:
    """The quadrilaterals after their picture of ``width`` × ``height`` was turned clockwise by 90° steps.

    Corners are put in order again, clockwise from the top left.
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
    """Lines that stand upright on a page of lying ones (a margin's note) are read from bottom to top."""
    if not len(quads):
        return quads
    wide, high = quad_sizes(quads)
    usual = float(np.median(np.minimum(wide, high)))
    standing = (high >= 1.5 * wide) & (high > 2.2 * usual)
    result = quads.copy()
    result[standing] = np.roll(quads[standing], 1, axis=1)
    return result


def skew_angle(quads: Quads) -> float:
    """The angle in degrees, clockwise, at which the page's lines run; 0 when there are too few long ones."""
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
    """The quadrilaterals turned about the picture's centre by ``-degrees`` (clockwise is positive)."""
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
