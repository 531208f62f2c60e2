"""A picture of a page, rotated as it may be, to words on the upright page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docduck.documents.document import Box, Page, Rule, Word
from docduck.documents.geometry.boxes import overlap, turn_box
from docduck.documents.geometry.lines import build_lines
from docduck.documents.read_options import ReadOptions
from docduck.documents.vision.contrast import with_contrast
from docduck.documents.vision.deskew import (
    is_sideways,
    orient_vertical_lines,
    quad_sizes,
    skew_angle,
    straighten,
    turn_quads,
)
from docduck.documents.vision.ocr_words import line_words
from docduck.documents.vision.ruled_lines import picture_rules
from docduck.documents.vision.text_detection import Quads, detect
from docduck.documents.vision.text_recognition import RecognisedLine, in_page_script, recognise

_LONGEST = {"fast": 960, "full": 2000}
_SHORTEST = 736
"""The detector's limits in pixels (see ``detect``)."""

_LEAST_SIDE = 24
"""Pixels; a smaller picture holds no line of text."""

_PAGE_INK = 0.1
"""Percentage of a page's pixels that are at least as dark as ink; a line of text has as many."""

_PROBES = 6
_SURE = 0.85
"""Least mean score of the probe lines of a page that is upright."""


@dataclass(frozen=True, slots=True)
class OcrPage:
    """Words and rules on the upright page; ``turn``: degrees clockwise the picture was turned for that."""

    words: list[Word]
    rules: list[Rule]
    turn: float


def ocr_page(image: Image.Image, mode: Literal["fast", "full"], threads: int) -> OcrPage:
    """Read a picture of a page, lying any way round and a little skewed."""
    pixels = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGR)
    quads = detect(with_contrast(pixels, _PAGE_INK), _LONGEST[mode], _SHORTEST, threads)
    if not len(quads):
        return OcrPage([], [], 0.0)
    quarters = 0
    if is_sideways(quads):
        pixels, quads = _turned(pixels, quads, 1)
        quarters = 1
    probes, readings = _probe(pixels, quads, threads)
    if readings and _mean(readings) < _SURE:
        flipped = recognise(pixels, np.roll(quads[probes], 2, axis=1), threads)
        if _mean(flipped) > _mean(readings) + 0.05:
            pixels, quads = _turned(pixels, quads, 2)
            quarters, readings = quarters + 2, flipped
    quads = orient_vertical_lines(quads)
    known = dict(zip(probes, readings, strict=True))
    rest = [index for index in range(len(quads)) if index not in known]
    known.update(zip(rest, recognise(pixels, quads[rest], threads), strict=True))
    lines = in_page_script([known[index] for index in range(len(quads))])
    height, width = pixels.shape[:2]
    angle = skew_angle(quads)
    upright = straighten(quads, angle, width, height)
    words = [
        word
        for line, quad in zip(lines, upright, strict=True)
        for word in line_words(line, quad, width, height)
    ]
    quarters = quarters - 4 if quarters > 2 else quarters
    return OcrPage(words, picture_rules(pixels, angle), 90.0 * quarters - angle)


def read_picture(
    image: Image.Image,
    number: int,
    width: float,
    height: float,
    options: ReadOptions,
    known: Sequence[Word] = (),
    quarters: int = 0,
) -> Page:
    """Return page ``number`` of ``width`` × ``height`` points from its picture, turned upright.

    ``known`` are words of the picture from another source; they replace what OCR reads there. ``quarters`` is
    the number of 90° by which the picture was turned before.
    """
    if options.ocr == "none" or is_blank(image):
        return Page(number, width, height, build_lines(known, width, height), turn=90.0 * quarters)
    page = ocr_page(image, options.ocr, options.ocr_threads)
    words = [turn_word(word, page.turn, width, height) for word in known]
    words += [word for word in page.words if not any(overlap(word.box, other.box) > 0.4 for other in words)]
    if round(page.turn / 90) % 2:
        width, height = height, width
    turn = (90.0 * quarters + page.turn + 180) % 360 - 180
    lines = build_lines(words, width, height, page.rules)
    return Page(number, width, height, lines, page.rules, turn)


def read_region(image: Image.Image, region: Box, options: ReadOptions) -> list[Word]:
    """Return the words in one ``region`` (0–1) of an upright page's picture, with boxes on the page."""
    left, top = round(region.left * image.width), round(region.top * image.height)
    right, bottom = round(region.right * image.width), round(region.bottom * image.height)
    part = image.crop((left, top, right, bottom))
    if options.ocr == "none" or min(part.size) < _LEAST_SIDE or not may_hold_text(part):
        return []
    page = ocr_page(part, options.ocr, options.ocr_threads)
    if round(page.turn / 90) % 4:
        return []
    return [replace(word, box=_within(word.box, region)) for word in page.words]


def _within(box: Box, outer: Box) -> Box:
    return Box(
        outer.left + box.left * outer.width,
        outer.top + box.top * outer.height,
        box.width * outer.width,
        box.height * outer.height,
    )


def may_hold_text(image: Image.Image) -> bool:
    """Return whether a picture may hold text: mostly an even background with fine strokes."""
    grey = np.asarray(image.convert("L"))
    step = max(1, max(grey.shape) // 1000)
    grey = grey[::step, ::step]
    ground = int(np.bincount(grey.ravel() >> 4, minlength=16).argmax()) * 16 + 8
    away = np.abs(grey.astype(np.int16) - ground)
    return bool((away < 24).mean() > 0.5 and 0.002 < (away > 48).mean() < 0.4)


def is_blank(image: Image.Image) -> bool:
    """Return whether every pixel is nearly the same."""
    return int(np.ptp(np.asarray(image.convert("L")))) < 16


def turn_word(word: Word, degrees: float, width: float, height: float) -> Word:
    """Return ``word`` after its page of ``width`` × ``height`` was turned."""
    return replace(word, box=turn_box(word.box, degrees, width, height)) if degrees else word


def _probe(pixels: NDArray[np.uint8], quads: Quads, threads: int) -> tuple[list[int], list[RecognisedLine]]:
    """Read a few longish lines, which show whether the page is upside down."""
    wide, high = quad_sizes(quads)
    ratio = wide / np.maximum(high, 1)
    order = np.argsort(np.abs(ratio - 8))
    probes = [int(index) for index in order[:_PROBES] if ratio[index] >= 2.5]
    return probes, recognise(pixels, quads[probes], threads)


def _turned(pixels: NDArray[np.uint8], quads: Quads, quarters: int) -> tuple[NDArray[np.uint8], Quads]:
    height, width = pixels.shape[:2]
    return np.ascontiguousarray(np.rot90(pixels, -quarters)), turn_quads(quads, quarters, width, height)


def _mean(readings: list[RecognisedLine]) -> float:
    """Return the mean score by character, so that a long sure line outweighs a short unsure one."""
    scores = [score for reading in readings for score in reading.scores]
    return sum(scores) / len(scores) if scores else 0.0
