"""Letters that a font gives no meaning, often its ligatures: read in the picture of their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from PIL import Image
from rapidfuzz import fuzz

from docduck.documents.document import Box, Word
from docduck.documents.formats.pdf.forms import spread_words

LOST = "\ufffd"
"""What stands for such a letter."""

MOST_WORDS = 200
"""Words with lost letters on a page; one with more is read by OCR as a whole."""

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "ft", "fj", "tt", "ti", "st", "ct", "Th")
_MOST_GUESSED = 2
"""Lost letters of a word whose ligatures are compared with the picture, one by one."""
_LEAST_SIMILARITY = 80
_RUN = re.compile(f"{LOST}+")


def has_lost_letters(word: Word) -> bool:
    """Return whether letters are missing in a word."""
    return LOST in word.text and any(character.isalnum() for character in word.text)


def with_lost_letters(image: Image.Image, words: Sequence[Word], threads: int) -> list[Word]:
    """Return words of the picture ``image`` with their lost letters, as far as these are legible."""
    from docduck.documents.vision.text_recognition import read_boxes

    chosen = [word for word in words if has_lost_letters(word)]
    upright = [word for word in chosen if not _is_upward(image, word)]
    upward = [word for word in chosen if word not in upright]
    readings = read_boxes(image, [word.box for word in upright], threads) if upright else []
    if upward:
        turned = image.transpose(Image.Transpose.ROTATE_270)
        readings += read_boxes(turned, [_turned(word.box) for word in upward], threads)
    read = {id(word): text for word, (text, _) in zip([*upright, *upward], readings, strict=True)}
    restored: list[Word] = []
    for word in words:
        text = _restored(word.text, read[id(word)]) if id(word) in read else None
        restored += [word] if text is None else spread_words(text, word.box)
    return restored


def _is_upward(image: Image.Image, word: Word) -> bool:
    """Return whether a word is written upwards, as beside a chart."""
    return len(word.text) > 2 and word.box.height * image.height > word.box.width * image.width


def _turned(box: Box) -> Box:
    """Return where a box is on its page turned by 90° clockwise."""
    return Box(1 - box.bottom, box.left, box.height, box.width)


def _restored(text: str, read: str) -> str | None:
    """Return ``text`` with the letters that ``read`` shows in the places of lost ones, None if unclear."""
    parts = _RUN.split(text)
    shown = re.fullmatch("(.{1,4}?)".join(map(re.escape, parts)), read.strip())
    if shown is not None:
        return _filled(parts, shown.groups())
    if len(parts) - 1 > _MOST_GUESSED:
        return None
    guesses = [_filled(parts, letters) for letters in product(_LIGATURES, repeat=len(parts) - 1)]
    best = max(guesses, key=lambda guess: fuzz.ratio(guess, read))
    return best if fuzz.ratio(best, read) >= _LEAST_SIMILARITY else None


def _filled(parts: Sequence[str], letters: Sequence[str]) -> str:
    return "".join(part + letter for part, letter in zip(parts, (*letters, ""), strict=True))
