"""Faint print is read; pictures with enough contrast, and empty paper, are left alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from docduck.documents.vision.contrast import FAINT, NOISE, with_contrast
from docduck.documents.vision.ocr_page import ocr_page
from tests.documents.formats.files import LETTER, picture


def grey(ink: int, paper: int) -> NDArray[np.uint8]:
    """Return a picture of ``paper`` with a tenth of it in ``ink``."""
    image = np.full((100, 200, 3), paper, np.uint8)
    image[40:50] = ink
    return image


def test_faint_print_gets_full_contrast() -> None:
    stretched = with_contrast(grey(150, 220), 1.0)
    assert (stretched.min(), stretched.max()) == (0, 255)


@pytest.mark.parametrize(("ink", "paper"), [(0, 255), (220 - FAINT, 220), (221 - NOISE, 220), (220, 220)])
def test_other_pictures_are_unchanged(ink: int, paper: int) -> None:
    image = grey(ink, paper)
    assert with_contrast(image, 1.0) is image


@pytest.mark.slow
def test_small_faint_print_on_grainy_paper_is_read() -> None:
    page = np.asarray(picture().convert("L").resize((500, 350), Image.Resampling.LANCZOS), np.float32)
    grain = np.random.default_rng(1).normal(0, 10, page.shape)
    faint = (225 - 45 * (255 - page) / 255 + grain).clip(0, 255).astype(np.uint8)
    expected = [word for line in LETTER for word in line.split()]
    found = {word.text for word in ocr_page(Image.fromarray(faint), "full", 1).words}
    # Without the stretch 27 of 38.
    assert sum(word in found for word in expected) >= 34
