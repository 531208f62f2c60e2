"""Reliability of a text layer, by its characters alone and compared with the picture of its page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PIL import Image
from rapidfuzz import fuzz

from docduck.documents.document import Line
from docduck.documents.read_options import ReadOptions

_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_VOWELS = re.compile(
    "[aeiouy\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00f6\u00f8-\u00fd\u0100-\u0105\u0113-\u011b\u0128-\u0131\u014d-\u0153\u0169-\u0173]"
)
_RARE = re.compile(
    "[!\"#$%&'()*+,:;<=>?@\\[\\\\\\]^`{}~\u00a1-\u00a6\u00a8-\u00ae\u00b1-\u00bf\u0250-\u02ff\u2200-\u24ff]"
)

_LEAST_TEXT = 100
"""Characters from which statistics say something."""

_FEW_VOWELS, _MANY_VOWELS = 0.18, 0.7
"""The share of vowels among Latin letters is between these in every language (English 0.40)."""

_MANY_SYMBOLS = 0.35
"""Text has fewer characters than this share that are neither letter, digit nor full stop."""

_SAMPLES = 10
_LEAST_SIMILARITY = 0.95
"""Least mean similarity of a layer's lines to those read in the picture."""
_LEGIBLE = 0.9
"""What is read with a lower mean score can't speak against the layer."""


def is_implausible(text: str) -> bool:
    """Return whether ``text`` has the statistics of no language: a font without a map from codes to
    characters.

    Shifted or shuffled codes turn vowels to consonants and letters to symbols. Short texts and other scripts
    than Latin are not tested.
    """
    solid = "".join(text.split())
    if len(solid) < _LEAST_TEXT:
        return False
    if len(_RARE.findall(solid)) > _MANY_SYMBOLS * len(solid):
        return True
    latin = len(_LATIN.findall(solid))
    if latin < _LEAST_TEXT or latin < 0.6 * len(_LETTERS.findall(solid)):
        return False
    share = len(_VOWELS.findall(solid.lower())) / latin
    return not _FEW_VOWELS <= share <= _MANY_VOWELS


def matches_picture(image: Image.Image, lines: Sequence[Line], options: ReadOptions) -> bool:
    """Return whether a sample of the layer's ``lines`` matches the picture of its page.

    If the picture is illegible, the layer counts as matching.
    """
    from docduck.documents.vision.text_recognition import read_boxes

    chosen = _samples(lines, image.width / image.height)
    if not chosen:
        return True
    similarity = weight = 0.0
    for line, (text, score) in zip(
        chosen, read_boxes(image, [line.box for line in chosen], options.ocr_threads), strict=True
    ):
        if score >= _LEGIBLE:
            similarity += len(line.text) * _similarity(line.text, text)
            weight += len(line.text)
    return weight == 0 or similarity >= _LEAST_SIMILARITY * weight


def _samples(lines: Sequence[Line], aspect: float) -> list[Line]:
    """Return lines spread over the page, long enough to compare and quick to read."""
    fit = [
        line
        for line in lines
        if line.box.height > 0
        and 3 <= line.box.width * aspect / line.box.height <= 25
        and len(line.text) >= 5
    ]
    return fit[:: max(1, -(-len(fit) // _SAMPLES))]


def _similarity(first: str, second: str) -> float:
    """Return the similarity, 0–1, ignoring case, spaces and punctuation."""
    plain = ["".join(c for c in text.casefold() if c.isalnum()) for text in (first, second)]
    return fuzz.ratio(*plain) / 100
