"""Contrast made even over a picture: faint print on thermal paper, shadows of a photograph."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def even_contrast(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A BGR picture after contrast-limited adaptive histogram equalisation (Zuiderveld, 1994), in grey."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    even = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(grey)
    result: NDArray[np.uint8] = cv2.cvtColor(even, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    return result
