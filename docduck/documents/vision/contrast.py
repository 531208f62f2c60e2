"""Contrast of faint print."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

FAINT = 100
"""Print is faint when ink and paper differ by less than this, of 255 grey values."""

NOISE = 40
"""Smaller differences are texture and shadows of empty paper."""

_PAPER = 95
"""Percentile of the grey values that is the paper's."""


def with_contrast(image: NDArray[np.uint8], ink: float) -> NDArray[np.uint8]:
    """Return a BGR picture, stretched to full contrast if its print is faint.

    ``ink`` is the percentile of the grey values that is the ink's.
    """
    step = max(1, min(image.shape[:2]) // 200)
    grey = cv2.cvtColor(np.ascontiguousarray(image[::step, ::step]), cv2.COLOR_BGR2GRAY)
    black, white = np.percentile(grey, (ink, _PAPER))
    if not NOISE <= white - black < FAINT:
        return image
    gain = 255 / (white - black)
    # Saturates at 0 and 255, unlike convertScaleAbs.
    stretched: NDArray[np.uint8] = cv2.addWeighted(image, gain, image, 0, -black * gain)
    return stretched
