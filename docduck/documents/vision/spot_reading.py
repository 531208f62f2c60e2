"""Reading at known places of a picture, without detection."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image

from docduck.documents.document import Box
from docduck.documents.vision.text_recognition import in_page_script, recognise


def read_boxes(image: Image.Image, boxes: Sequence[Box], threads: int) -> list[tuple[str, float]]:
    """Return the text in each of ``boxes`` (0–1 of the picture), each with its mean score."""
    pixels = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR)
    size = np.array([image.width, image.height], np.float32)
    corners = [[(b.left, b.top), (b.right, b.top), (b.right, b.bottom), (b.left, b.bottom)] for b in boxes]
    quads = np.array(corners, np.float32).reshape(-1, 4, 2) * size
    lines = in_page_script(recognise(pixels, quads, threads))
    return [(line.characters, line.score) for line in lines]
