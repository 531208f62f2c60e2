"""The words of a page's text layer, with loose character boxes (the height of the font, not the ink).

For speed, the text is taken in one call, and boxes are requested only for the first and last character of
each word; unusual words are examined character by character.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2.raw as pdfium

from docduck.documents.document import Box, Word
from docduck.documents.formats.pdf.frame import Frame
from docduck.documents.formats.pdf.handles import Handle
from docduck.documents.formats.pdf.lost_letters import LOST
from docduck.documents.formats.pdf.text_layer_quality import is_implausible
from docduck.documents.formats.symbol_fonts import WINGDINGS
from docduck.documents.geometry.boxes import overlap
from docduck.errors import DamagedFile

MAX_CHARACTERS = 1_000_000
"""Characters read of one page; more is a bomb, not a page."""

_HYPHENS = {"\x02": "-", "\ufffe": "-", "\u00ad": "-"}
_SPACES = (*range(2), *range(3, 33), *range(0x7F, 0xA1), 0x200B, 0x2060, 0xFEFF)
_CLEAN = str.maketrans(dict.fromkeys(map(chr, _SPACES), " "))
_WORD = re.compile("[^\\s\x02\ufffe]+[\x02\ufffe]?|[\x02\ufffe]")
_UNMAPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff\ufffd\ufffe]")
_JUNK = re.compile("[\ufffd\ue000-\uf8ff]")
_BANDS, _MOST_TWINS = 60, 60
"""Bands of the page, and boxes kept for each word in a band, in the search for text printed twice."""

_MOST_JUNK = 0.3
"""A layer with a larger share of meaningless characters is garbled."""

_SYMBOLS = {0xF000 + at: sign for at, sign in ((0xB7, "•"), *WINGDINGS.items())}
_SHIFTED = {0xF000 + at: chr(at) for at in range(0x21, 0x7F)}
_KNOWN_SYMBOLS = _SYMBOLS.keys() | _SHIFTED.keys()
_IN_SHIFTED = re.compile("[\uf021-\uf07e]{2}")

Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top in page coordinates."""


class TextLayer:
    """The characters of one page.

    ``text`` has one element per PDFium character. ``cut``: the page has more.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._rectangle = pdfium.FS_RECTF()
        self._reference = ctypes.byref(self._rectangle)
        total = max(pdfium.FPDFText_CountChars(handle), 0)
        self.cut = total > MAX_CHARACTERS
        count = min(total, MAX_CHARACTERS)
        self.raw = self._with_lost(_characters(handle, count))
        self.text = self.raw.translate(_CLEAN)
        if _JUNK.search(self.text):
            self.text = _with_symbols(self.text)

    def _with_lost(self, raw: str) -> str:
        """Return the text with ``LOST`` for the letters of words that the font gives no meaning."""
        lost = [found.start() for found in _UNMAPPED.finditer(raw) if self._is_lost(raw, found.start())]
        if not lost:
            return raw
        characters = [*raw]
        for index in lost:
            characters[index] = LOST
        return "".join(characters)

    def _is_lost(self, raw: str, index: int) -> bool:
        beside = raw[max(0, index - 1) : index] + raw[index + 1 : index + 2]
        if not any(map(str.isalpha, beside)):
            return False
        code = pdfium.FPDFText_GetUnicode(self._handle, index)
        if code in (0, 0xFFFD) or (0xE000 <= code <= 0xF8FF and code not in _KNOWN_SYMBOLS):
            return True
        return code < 0x20 and bool(pdfium.FPDFText_HasUnicodeMapError(self._handle, index) == 1)

    def quarters(self, rotation: int) -> int:
        """Return the number of 90° clockwise turns after which most of the text reads left to right.

        ``rotation`` is the page's own ``/Rotate``, in the same unit.
        """
        turns: Counter[int] = Counter()
        starts = [match.start() for match in _WORD.finditer(self.text)]
        for index in starts[:: max(1, len(starts) // 40)]:
            angle = pdfium.FPDFText_GetCharAngle(self._handle, index)
            if angle >= 0:
                turns[-(round(angle / (math.pi / 2)) + rotation) % 4] += 1
        if not turns:
            return 0
        best, count = turns.most_common(1)[0]
        return best if count > 0.6 * turns.total() else 0

    def garbled(self) -> bool:
        """Return whether the text is meaningless: its font has no map to Unicode, or a wrong one."""
        starts = [match.start() for match in _WORD.finditer(self.text)]
        probes = starts[:: max(1, len(starts) // 60)]
        lost = sum(pdfium.FPDFText_HasUnicodeMapError(self._handle, index) == 1 for index in probes)
        if lost > _MOST_JUNK * len(probes):
            return True
        solid = len("".join(self.text.split())) + self._controls()
        junk = len(_JUNK.findall(self.text)) + self._controls()
        return junk > _MOST_JUNK * solid or is_implausible(self.text)

    def words(self, frame: Frame) -> list[Word]:
        """Return the words on the upright page, in the file's order; those outside the page are left out.

        Text printed twice at one place (imitated bold, shadows) is taken once.
        """
        words: list[Word] = []
        seen: dict[tuple[str, int], list[Box]] = {}
        for match in _WORD.finditer(self.text):
            for start, end in self._runs(match.start(), match.end()):
                rectangle = self._span(start, end)
                if rectangle is None:
                    continue
                box = frame.box(*rectangle)
                if box.width <= 0 or box.height <= 0:
                    continue
                text = self.text[start:end]
                if text[-1] in _HYPHENS:
                    text = text[:-1] + "-"
                band = int((box.top + box.height / 2) * _BANDS)
                near = (seen.get((text, at), ()) for at in (band - 1, band, band + 1))
                if any(overlap(twin, box) > 0.6 for twins in near for twin in twins):
                    continue
                twins = seen.setdefault((text, band), [])
                if len(twins) < _MOST_TWINS:
                    twins.append(box)
                words.append(Word(text, box))
        return words

    def _controls(self) -> int:
        return sum(1 for c in self.raw if c < " " and c not in "\r\n\t\x02")

    def _box(self, index: int) -> Rectangle | None:
        """Return one character's loose box, ``None`` if it has none."""
        box = self._rectangle
        if not pdfium.FPDFText_GetLooseCharBox(self._handle, index, self._reference):
            return None
        return box.left, box.bottom, box.right, box.top

    def _span(self, start: int, end: int) -> Rectangle | None:
        first = self._box(start)
        last = self._box(end - 1) if end - start > 1 else first
        if first is None or last is None:
            return first or last
        return min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])

    def _runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield ``start``–``end``, or its parts if it spans lines or wide gaps without a space."""
        count = end - start
        if count < 2:
            yield start, end
            return
        first, last = self._box(start), self._box(end - 1)
        if first is None or last is None:
            yield start, end
            return
        across, down = last[0] - first[0], last[1] - first[1]
        size = max(first[3] - first[1], first[2] - first[0])
        close = math.hypot(across, down) <= size * count
        if close and min(abs(down), abs(across)) < 0.5 * size:
            yield start, end
        else:
            yield from self._split_at_jumps(start, end)

    def _split_at_jumps(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        begin = start
        before = self._box(start)
        for index in range(start + 1, end):
            box = self._box(index)
            if before is not None and box is not None and _is_jump(before, box):
                yield begin, index
                begin = index
            before = box or before
        yield begin, end


@contextmanager
def open_text(page: Handle) -> Iterator[TextLayer]:
    """Return the text layer of ``page``."""
    handle = pdfium.FPDFText_LoadPage(page)
    if not handle:
        raise DamagedFile("a page's text can't be loaded")
    try:
        yield TextLayer(handle)
    finally:
        pdfium.FPDFText_ClosePage(handle)


def _with_symbols(text: str) -> str:
    """Return ``text`` with the private-use codes of symbol fonts replaced by the characters they show.

    Words of such codes are ASCII in another range, single ones are bullets and check boxes.
    """
    return text.translate(_SHIFTED if len(_IN_SHIFTED.findall(text)) > 5 else _SYMBOLS)


def _is_jump(before: Rectangle, box: Rectangle) -> bool:
    """Return whether the gap between two neighbouring characters is larger than their size."""
    size = max(before[3] - before[1], box[3] - box[1], before[2] - before[0])
    across = max(before[0], box[0]) - min(before[2], box[2])
    down = max(before[1], box[1]) - min(before[3], box[3])
    return across > 0.8 * size or down > 0.2 * size


def _characters(handle: Handle, count: int) -> str:
    """Return the page's characters, so that element i is PDFium's character i."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(handle, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", errors="replace")
    if len(text) == count:
        return text
    return "".join(_character(pdfium.FPDFText_GetUnicode(handle, index)) for index in range(count))


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
