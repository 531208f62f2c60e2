from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from docduck.documents.vision.ruled_lines import picture_rules
from tests.documents.formats.files import picture


def form() -> Image.Image:
    """Return text over a table of two rows and two columns."""
    image = picture()
    pen = ImageDraw.Draw(image)
    for y in (600, 625, 650):
        pen.line((100, y, 900, y), fill="black", width=2)
    for x in (100, 500, 900):
        pen.line((x, 600, x, 650), fill="black", width=2)
    return image


@pytest.mark.parametrize("skew", [0.0, 3.0])
def test_a_drawn_table_is_found_and_letters_are_not(skew: float) -> None:
    image = form().rotate(-skew, Image.Resampling.BICUBIC, fillcolor="white")
    rules = picture_rules(cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR), skew)
    lying = [rule for rule in rules if rule.horizontal]
    standing = sorted(rule.x0 for rule in rules if not rule.horizontal)
    assert [round(rule.y0 * 700) for rule in lying] == pytest.approx([600, 625, 650], abs=3)
    assert [(rule.x0, rule.x1) for rule in lying] == [pytest.approx((0.1, 0.9), abs=0.01)] * 3
    assert standing == pytest.approx([0.1, 0.5, 0.9], abs=0.01)
