"""A recognised line to words, each with its own box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

import numpy as np
from numpy.typing import NDArray

from docduck.documents.document import Word
from docduck.documents.geometry.boxes import box_around
from docduck.documents.vision.text_recognition import RecognisedLine

MIN_SCORE = 0.5
"""A line read with a lower mean score is noise, as is a word of less."""

_NUMBER = re.compile(r"\W*+\d[\dO.,:/-]*+\W*+")
"""A number in which the letter O can only be a misread zero."""

_GAP = 2.6
"""Characters further apart than this many usual pitches are two words though no space was read."""


def line_words(reading: RecognisedLine, quad: NDArray[np.float32], width: int, height: int) -> Iterator[Word]:
    """Yield the words of one line on a page of ``width`` × ``height`` pixels; ``quad`` are its corners."""
    if reading.score < MIN_SCORE:
        return
    for text, score, start, end in spans(reading):
        if score < MIN_SCORE:
            continue
        corners = [
            quad[a] + (quad[b] - quad[a]) * share for share in (start, end) for a, b in ((0, 1), (3, 2))
        ]
        box = box_around((float(x) / width, float(y) / height) for x, y in corners)
        if box.width > 0 and box.height > 0:
            yield Word(text, box, "ocr", round(score, 4))


def spans(reading: RecognisedLine) -> Iterator[tuple[str, float, float, float]]:
    """Yield each word's text, mean score, and beginning and end along the line (0–1)."""
    pitch = _pitch(reading)
    start: int | None = None
    for index, character in enumerate((*reading.characters, " ")):
        apart = (
            start is not None
            and index > start
            and character != " "
            and reading.centres[index] - reading.centres[index - 1] > _GAP * pitch
        )
        if start is not None and (character.isspace() or apart):
            yield _span(reading, start, index, pitch)
            start = None
        if start is None and not character.isspace():
            start = index


def _span(reading: RecognisedLine, start: int, end: int, pitch: float) -> tuple[str, float, float, float]:
    text, scores = reading.characters[start:end], reading.scores[start:end]
    return (
        text.replace("O", "0") if _NUMBER.fullmatch(text) else text,
        sum(scores) / len(scores),
        max(0.0, reading.centres[start] - pitch / 2),
        min(1.0, reading.centres[end - 1] + pitch / 2),
    )


def _pitch(reading: RecognisedLine) -> float:
    """Return the usual distance between two characters of one word."""
    steps = [
        b - a
        for a, b, left, right in zip(
            reading.centres, reading.centres[1:], reading.characters, reading.characters[1:], strict=False
        )
        if not left.isspace() and not right.isspace()
    ]
    return median(steps) if steps else 0.6 / max(len(reading.characters), 1)
